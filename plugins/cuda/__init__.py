"""NVIDIA GPUs: kernels compiled by NVRTC (or nvcc), launched and timed through the CUDA driver with CuPy.

Loaded in any process, so nothing here touches a device: `find.py` asks a short-lived child which GPUs are there.
"""

from __future__ import annotations

from plugins.cuda.find import CudaDevices
from workbench.plugin_api import Register, hookimpl


@hookimpl
def register(register: Register) -> None:
    """Offer the machine's NVIDIA GPUs."""
    register.devices.append(CudaDevices())
