"""Run as a program in a child: print as JSON what the CUDA driver offers. Needs no CUDA package, creates no context.

The attribute numbers are those of `CUdevice_attribute` in cuda.h, the same as the runtime's `cudaDeviceAttr`.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import sys
import uuid
from typing import Any

ATTRIBUTES = {
    "max_threads_per_block": 1,
    "shared_bytes": 8,
    "sm_count": 16,
    "l2_bytes": 38,
    "shared_per_sm_bytes": 81,
    "shared_optin_bytes": 97,
    "persisting_l2_bytes": 108,
    "shared_reserved_bytes": 111,
}
"""Our property -> attribute number."""

COMPUTE_MAJOR, COMPUTE_MINOR = 75, 76
MEMORY_CLOCK_KHZ, MEMORY_BUS_BITS = 36, 37
TRANSFERS_PER_CLOCK = 2
"""Every memory of a CUDA GPU is double data rate."""


def prepare_environment() -> None:
    """Number GPUs by their bus, as nvidia-smi does, whatever the user's shell says: probe and worker must agree.

    Must run before the driver starts.
    """
    os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"


def uuid_text(raw: bytes) -> str:
    """Return a device's 16 bytes as NVML writes them."""
    return f"GPU-{uuid.UUID(bytes=raw)}"


def driver_release(cuda: int) -> str:
    """Return the driver's own version (580.159.04) as NVML tells it, else the CUDA version it serves (13.0)."""
    try:
        import pynvml

        pynvml.nvmlInit()
        return str(pynvml.nvmlSystemGetDriverVersion())
    except Exception:  # any NVML trouble: the version is only shown and used as a key
        return f"{cuda // 1000}.{cuda % 1000 // 10}"


def driver_library() -> ctypes.CDLL | None:
    """Load the CUDA driver, None where there is none."""
    try:
        return ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    except OSError:
        return None


def _attribute(library: ctypes.CDLL, number: int, device: int) -> int:
    value = ctypes.c_int(0)
    library.cuDeviceGetAttribute(ctypes.byref(value), number, device)
    return value.value


def peak_bandwidth(clock_khz: int, bus_bits: int) -> int:
    """Return the memory's theoretical peak in bytes per second, 0 where the driver does not tell clock or width."""
    return TRANSFERS_PER_CLOCK * clock_khz * 1000 * bus_bits // 8


def _describe(library: ctypes.CDLL, ordinal: int) -> dict[str, Any]:
    device = ctypes.c_int(0)
    library.cuDeviceGet(ctypes.byref(device), ordinal)
    name = ctypes.create_string_buffer(256)
    library.cuDeviceGetName(name, 256, device)
    raw = (ctypes.c_ubyte * 16)()
    library.cuDeviceGetUuid(ctypes.byref(raw), device)
    memory = ctypes.c_size_t(0)
    library.cuDeviceTotalMem_v2(ctypes.byref(memory), device)
    properties: dict[str, str | int] = {key: _attribute(library, number, device.value) for key, number in ATTRIBUTES.items()}
    major, minor = _attribute(library, COMPUTE_MAJOR, device.value), _attribute(library, COMPUTE_MINOR, device.value)
    properties["compute_capability"] = f"{major}.{minor}"
    properties["memory_bytes"] = memory.value
    peak = peak_bandwidth(_attribute(library, MEMORY_CLOCK_KHZ, device.value), _attribute(library, MEMORY_BUS_BITS, device.value))
    if peak:
        properties["memory_bandwidth"] = peak
    return {"name": name.value.decode(errors="replace"), "uuid": uuid_text(bytes(raw)), "properties": properties}


def probe() -> dict[str, Any]:
    """Return library, code (0 is success), driver (13000 is CUDA 13.0), cupy and the devices with their properties."""
    prepare_environment()
    library = driver_library()
    if library is None:
        return {"library": False}
    code = int(library.cuInit(0))
    version, count = ctypes.c_int(0), ctypes.c_int(0)
    library.cuDriverGetVersion(ctypes.byref(version))
    if code == 0:
        library.cuDeviceGetCount(ctypes.byref(count))
    release = driver_release(version.value)
    devices = [_describe(library, index) for index in range(count.value)]
    for device in devices:
        device["properties"]["driver"] = release
    return {
        "library": True,
        "code": code,
        "driver": version.value,
        "cupy": importlib.util.find_spec("cupy") is not None,
        "devices": devices,
    }


if __name__ == "__main__":
    print(json.dumps(probe()))
