"""Which NVIDIA GPUs this machine has, asked in a child process: the window's process loads no driver."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from workbench.plugin_api import DeviceInfo, Message, message

PROBE_SECONDS = 30.0
"""A cold driver on a machine with many GPUs needs some seconds to start."""

OLDEST_DRIVER = 12000
"""CUDA 12.0, what CuPy 14 for CUDA 12 needs."""


def ask_probe() -> dict[str, Any]:
    """Run `probe.py` in a child and return its answer; `error` names what went wrong instead."""
    command = [sys.executable, "-P", str(Path(__file__).with_name("probe.py"))]
    try:
        done = subprocess.run(command, capture_output=True, timeout=PROBE_SECONDS, check=False, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return {"error": "time-out"}
    except OSError as error:
        return {"error": str(error)}
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return {"error": done.stderr.decode(errors="replace").strip().splitlines()[-1:] or f"exit code {done.returncode}"}
    return answer if isinstance(answer, dict) else {"error": "no answer"}


def _extra(driver: int) -> str:
    return "gpu-cuda13" if driver >= 13000 else "gpu-cuda12"


def _why_none(answer: dict[str, Any]) -> Message:
    if "error" in answer:
        return message("Asking the NVIDIA driver failed ({reason}); see what nvidia-smi says.", reason=str(answer["error"]))
    if not answer.get("library"):
        return message("No NVIDIA driver was found on this machine; a CUDA GPU needs one: use the emulator here.")
    if answer.get("code"):
        return message(
            "The NVIDIA driver is there but offers no GPU (code {code}); check nvidia-smi and CUDA_VISIBLE_DEVICES.",
            code=int(answer["code"]),
        )
    return message("The NVIDIA driver is there but offers no GPU; check nvidia-smi and CUDA_VISIBLE_DEVICES.")


def _why_unusable(answer: dict[str, Any]) -> Message | None:
    driver = int(answer["driver"])
    if driver < OLDEST_DRIVER:
        return message(
            "The NVIDIA driver serves CUDA {version} at most and CUDA 12.0 is needed; install a newer driver.",
            version=f"{driver // 1000}.{driver % 1000 // 10}",
        )
    if not answer.get("cupy"):
        return message("CuPy is not installed; run: pip install 'kernel-ledger[{extra}]'", extra=_extra(driver))
    return None


def devices_of(answer: dict[str, Any]) -> tuple[DeviceInfo, ...]:
    """Return the devices in a probe's answer; one unavailable `cuda:0` with the reason where there is none."""
    found: list[dict[str, Any]] = answer.get("devices", [])
    if not found:
        return (DeviceInfo("cuda:0", "NVIDIA GPU", "cuda", available=False, reason=_why_none(answer)),)
    reason = _why_unusable(answer)
    return tuple(
        DeviceInfo(
            f"cuda:{index}",
            str(one["name"]),
            "cuda",
            available=reason is None,
            reason=reason,
            uuid=str(one["uuid"]),
            properties=one["properties"],
        )
        for index, one in enumerate(found)
    )


class CudaDevices:
    """The device plugin. The child is asked once in a process; `probe` replaces it in tests."""

    kind = "cuda"

    def __init__(self, probe: Callable[[], dict[str, Any]] = ask_probe) -> None:
        self._probe = probe
        self._found: tuple[DeviceInfo, ...] | None = None

    def list_devices(self) -> Sequence[DeviceInfo]:
        """Return the GPUs, or one unavailable device that says what is missing. Never raises."""
        if self._found is None:
            self._found = devices_of(self._probe())
        return self._found
