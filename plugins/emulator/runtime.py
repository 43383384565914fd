"""The runtime library seen from Python: its structures (resources/emulator/abi.h) and functions."""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Sequence
from pathlib import Path

from workbench.plugin_api import Failure, Fault, message

ABI = 2
LOOP, FIBERS = 0, 1


class Index3(ctypes.Structure):
    """x, y, z."""

    _fields_ = [("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint)]


class Parameter(ctypes.Structure):
    """Size in bytes and kind (a letter's code) of one kernel parameter."""

    _fields_ = [("size", ctypes.c_uint32), ("kind", ctypes.c_uint32)]


class Symbol(ctypes.Structure):
    """One `__constant__` variable of a loaded kernel."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
        ("bytes", ctypes.c_uint64),
        ("element_bytes", ctypes.c_uint32),
        ("kind", ctypes.c_uint32),
    ]


class Module(ctypes.Structure):
    """What a compiled kernel exports."""

    _fields_ = [
        ("abi", ctypes.c_uint32),
        ("parameter_count", ctypes.c_uint32),
        ("symbol_count", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("parameters", ctypes.POINTER(Parameter)),
        ("symbols", ctypes.POINTER(Symbol)),
        ("thread", ctypes.c_void_p),
        ("block", ctypes.c_void_p),
        ("touch_shared", ctypes.c_void_p),
    ]


class Report(ctypes.Structure):
    """What a launch answers."""

    _fields_ = [
        ("fault", ctypes.c_int32),
        ("access", ctypes.c_int32),
        ("address", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
        ("code", ctypes.c_uint64),
        ("block_index", Index3),
        ("thread_index", Index3),
        ("line_a", ctypes.c_int32),
        ("line_b", ctypes.c_int32),
        ("value", ctypes.c_int64),
        ("seconds", ctypes.c_double),
        ("text", ctypes.c_char * 256),
    ]


class Range(ctypes.Structure):
    """Memory that a checked launch may touch."""

    _fields_ = [
        ("begin", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
        ("argument", ctypes.c_int32),
        ("initialised", ctypes.c_int32),
    ]


class LaunchRequest(ctypes.Structure):
    """A launch."""

    _fields_ = [
        ("grid_size", Index3),
        ("block_size", Index3),
        ("shared_bytes", ctypes.c_uint64),
        ("module", ctypes.POINTER(Module)),
        ("arguments", ctypes.POINTER(ctypes.c_void_p)),
        ("mode", ctypes.c_uint32),
        ("checked", ctypes.c_uint32),
        ("ranges", ctypes.POINTER(Range)),
        ("range_count", ctypes.c_uint64),
        ("in_order", ctypes.c_uint64),
        ("trace", ctypes.c_void_p),
        ("shadow", ctypes.c_void_p),
    ]


class _LoaderInfo(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("symbol", ctypes.c_char_p), ("address", ctypes.c_void_p)]


class Runtime:
    """The loaded runtime (`library`) with its pool of OS threads."""

    def __init__(self, library: Path, threads: int, fault_file: Path | None) -> None:
        self.library = ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
        self._declare()
        if self.library.ledger_abi() != ABI:
            raise RuntimeError(f"{library} has another ABI than {ABI}")
        if self.library.ledger_watch_faults(os.fsencode(fault_file) if fault_file else None) != 0:
            sentence = message("The fault report {path} cannot be opened; check the folder's permissions.", path=str(fault_file))
            raise Fault(Failure("DeviceFault", sentence))
        self.threads: int = self.library.ledger_start(threads)
        if self.threads < 1:
            sentence = message("The emulator could not start a thread; raise the limit of processes (ulimit -u).")
            raise Fault(Failure("DeviceFault", sentence))

    def _declare(self) -> None:
        library = self.library
        library.ledger_watch_faults.argtypes = [ctypes.c_char_p]
        library.ledger_allocate.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint)]
        library.ledger_allocate.restype = ctypes.c_uint64
        library.ledger_free.argtypes = [ctypes.c_uint]
        library.ledger_free.restype = None
        library.ledger_name_argument.argtypes = [ctypes.c_uint, ctypes.c_int]
        library.ledger_name_argument.restype = None
        library.ledger_check_guard.argtypes = [ctypes.c_uint, ctypes.POINTER(ctypes.c_int64)]
        library.ledger_name_module.argtypes = [ctypes.c_char_p, ctypes.c_uint64]
        library.ledger_name_module.restype = None
        library.ledger_launch.argtypes = [ctypes.POINTER(LaunchRequest), ctypes.POINTER(Report)]

    def allocate(self, nbytes: int, alignment: int) -> tuple[int, int]:
        """Return address and slot of fresh memory. Raises MemoryError."""
        slot = ctypes.c_uint()
        address: int = self.library.ledger_allocate(nbytes, alignment, ctypes.byref(slot))
        if address == 0:
            raise MemoryError(nbytes)
        return address, slot.value

    def free(self, slot: int) -> None:
        """Give memory back."""
        self.library.ledger_free(slot)

    def name_argument(self, slot: int, argument: int) -> None:
        """Say which argument (0-based) of the next launch a buffer is; -1 for none."""
        self.library.ledger_name_argument(slot, argument)

    def damaged(self, slot: int) -> list[int]:
        """Return the byte offsets, from the buffer's start, of writes found just outside it (at most one on each side)."""
        offsets = (ctypes.c_int64 * 2)()
        count = self.library.ledger_check_guard(slot, offsets)
        return [offsets[index] for index in range(count)]

    def launch(self, request: LaunchRequest, binary: Path, base: int) -> Report:
        """Launch and wait; the report says what went wrong, if anything."""
        self.library.ledger_name_module(os.fsencode(binary), base)
        report = Report()
        self.library.ledger_launch(ctypes.byref(request), ctypes.byref(report))
        return report


class Library:
    """A compiled kernel loaded from a copy of its own, so that its variables are fresh; unloaded when no longer used."""

    def __init__(self, binary: Path) -> None:
        copy = binary.with_name(f".{binary.stem}-{os.getpid()}-{os.urandom(4).hex()}.so")
        copy.write_bytes(binary.read_bytes())
        try:
            self._library = ctypes.CDLL(str(copy), mode=os.RTLD_NOW | os.RTLD_LOCAL)
        finally:
            copy.unlink()
        self.binary = binary
        self._library.ledger_module.restype = ctypes.POINTER(Module)
        self.module: Module = self._library.ledger_module().contents
        self.base = self._find_base()
        self._close = weakref.finalize(self, _unload, self._library._handle)

    def _find_base(self) -> int:
        info = _LoaderInfo()
        address = ctypes.cast(self._library.ledger_module, ctypes.c_void_p)
        find = ctypes.CDLL(None).dladdr
        find.argtypes = [ctypes.c_void_p, ctypes.POINTER(_LoaderInfo)]
        find(address, ctypes.byref(info))
        return int(info.base or 0)

    @property
    def parameters(self) -> Sequence[Parameter]:
        """The kernel's parameters in order."""
        return [self.module.parameters[index] for index in range(self.module.parameter_count)]

    @property
    def symbols(self) -> dict[str, Symbol]:
        """Its `__constant__` variables by name."""
        return {self.module.symbols[index].name.decode(): self.module.symbols[index] for index in range(self.module.symbol_count)}


def _unload(handle: int) -> None:
    close = ctypes.CDLL(None).dlclose
    close.argtypes = [ctypes.c_void_p]
    close(handle)
