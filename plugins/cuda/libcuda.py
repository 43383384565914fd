"""The few functions of the CUDA driver that CuPy does not offer, through ctypes. Codes are CUresult; 0 is success."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from plugins.cuda.faults import failure_of
from plugins.cuda.probe import driver_library
from workbench.plugin_api import Fault, Unavailable

_INVALID_VALUE = 1


@dataclass(frozen=True)
class Driver:
    """The loaded driver library."""

    library: ctypes.CDLL

    def global_in(self, module: int, symbol: str) -> tuple[int, int]:
        """Return address and bytes of a module's `__constant__` or `__device__` variable. Raises Fault."""
        address, nbytes = ctypes.c_uint64(0), ctypes.c_size_t(0)
        call = self.library.cuModuleGetGlobal_v2
        code = call(ctypes.byref(address), ctypes.byref(nbytes), ctypes.c_void_p(module), symbol.encode())
        if code:
            raise Fault(failure_of(int(code), f"cuModuleGetGlobal({symbol}) = {code}"))
        return address.value, nbytes.value

    def parameter_sizes(self, function: int) -> tuple[int, ...] | None:
        """Return the bytes of each kernel parameter, in order; None on a driver older than CUDA 12.4, which cannot tell."""
        call = getattr(self.library, "cuFuncGetParamInfo", None)
        if call is None:
            return None
        sizes: list[int] = []
        while True:
            offset, size = ctypes.c_size_t(0), ctypes.c_size_t(0)
            code = call(ctypes.c_void_p(function), ctypes.c_size_t(len(sizes)), ctypes.byref(offset), ctypes.byref(size))
            if code == _INVALID_VALUE:
                return tuple(sizes)
            if code:
                return None
            sizes.append(size.value)

    def reset_persisting_cache(self) -> None:
        """Make every line that a kernel marked as persisting in L2 an ordinary one again (a card before Ampere has none)."""
        self.library.cuCtxResetPersistingL2Cache()


def open_driver() -> Driver:
    """Return the driver. Raises Unavailable when there is none."""
    library = driver_library()
    if library is None:
        raise Unavailable("No NVIDIA driver was found on this machine; a CUDA GPU needs one: use the emulator here.")
    return Driver(library)
