"""Live status of NVIDIA GPUs: clocks, power, temperature, memory, and what limits them."""

from __future__ import annotations

from plugins.nvml.reader import open_reader
from workbench.plugin_api import Register, hookimpl


@hookimpl
def register(register: Register) -> None:
    """Offer the reader; nothing is loaded before it is opened."""
    register.gpu_status.append(open_reader)
