"""Kernels in this process: loaded from a cubin, their constants filled, checked against the GPU's limits, and launched."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from cupy.cuda import driver, runtime

from plugins.cuda.compile import Constant, kept_beside
from plugins.cuda.faults import driver_faults
from plugins.cuda.libcuda import Driver
from plugins.cuda.memory import CudaBuffer
from workbench.plugin_api import Argument, Array, Compiled, DeviceInfo, Failure, Fault, Loaded, Message, ResolvedLaunch, message

_MAX_THREADS, _STATIC_SHARED, _DYNAMIC_SHARED = 0, 1, 8
"""CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, _SHARED_SIZE_BYTES, _MAX_DYNAMIC_SHARED_SIZE_BYTES."""
_ALWAYS_SHARED = 48 * 1024
"""Shared memory that a kernel may have without asking, on every GPU."""
_GRID_LIMITS = (2**31 - 1, 65535, 65535)
_BLOCK_LIMITS = (1024, 1024, 64)

ELEMENTS: Mapping[str, str] = {
    "float": "float32", "double": "float64", "int": "int32", "unsigned int": "uint32", "unsigned": "uint32",
    "short": "int16", "unsigned short": "uint16", "char": "int8", "signed char": "int8", "unsigned char": "uint8",
    "long long": "int64", "unsigned long long": "uint64", "bool": "bool", "int8_t": "int8", "uint8_t": "uint8",
    "int16_t": "int16", "uint16_t": "uint16", "int32_t": "int32", "uint32_t": "uint32", "int64_t": "int64",
    "uint64_t": "uint64", "half": "float16", "__half": "float16",
}  # fmt: skip
"""C++ element type of a constant array -> numpy's."""


@dataclass
class CudaKernel:
    """A kernel in its own module. `parameters` are the bytes of each, None where the driver cannot tell."""

    compiled: Compiled
    module: int
    function: int
    max_threads: int
    static_shared: int
    parameters: tuple[int, ...] | None
    dynamic_shared: int = 0
    """What the driver was last asked for above 48 KiB."""


@dataclass(frozen=True)
class Packed:
    """Kernel arguments in the form the driver takes: addresses of values, which `held` keeps alive."""

    pointers: ctypes.Array[ctypes.c_void_p]
    held: Sequence[object] = field(repr=False)

    @property
    def address(self) -> int:
        """The address of the array of pointers."""
        return ctypes.addressof(self.pointers)


def own_kernel(kernel: Loaded) -> CudaKernel:
    """Return a kernel as ours. Raises TypeError for another device's: a bug in the caller."""
    if not isinstance(kernel, CudaKernel):
        raise TypeError(f"{type(kernel).__name__} is not a CUDA kernel")
    return kernel


def refused(text: Message) -> Fault:
    """Return the fault of a launch that cannot be."""
    return Fault(Failure("LaunchRefused", text))


def pack(arguments: Sequence[Argument]) -> Packed:
    """Return arguments for `launch_packed`: a buffer's address, or the bytes of a scalar."""
    values = [
        np.array(argument.address, np.uint64) if isinstance(argument, CudaBuffer) else np.array(argument)
        for argument in arguments
    ]
    pointers = (ctypes.c_void_p * max(1, len(values)))(*[value.ctypes.data for value in values])
    return Packed(pointers, values)


class Launcher:
    """Loads and launches on one GPU."""

    def __init__(self, info: DeviceInfo, library: Driver) -> None:
        self._info = info
        self._library = library
        self._modules: list[int] = []

    def load(self, compiled: Compiled, constants: Mapping[str, tuple[float, ...]]) -> CudaKernel:
        """Load a binary as a new module and fill its constants. Raises Fault."""
        with driver_faults():
            module = driver.moduleLoadData(compiled.binary.read_bytes())
            self._modules.append(module)
            function = driver.moduleGetFunction(module, compiled.symbol)
            kernel = CudaKernel(
                compiled,
                module,
                function,
                driver.funcGetAttribute(_MAX_THREADS, function),
                driver.funcGetAttribute(_STATIC_SHARED, function),
                self._library.parameter_sizes(function),
            )
            if constants:
                kept = kept_beside(compiled.binary).constants
                for name, values in constants.items():
                    self._fill(module, name, kept.get(name, Constant(name, "")), values)
        return kernel

    def _fill(self, module: int, name: str, constant: Constant, values: tuple[float, ...]) -> None:
        address, nbytes = self._library.global_in(module, constant.symbol)
        array = _as_elements(values, constant.element, nbytes)
        if array is None or array.nbytes > nbytes:
            text = message(
                "The __constant__ array {name} holds {bytes} bytes of {type}, which {count} values do not fit.",
                name=name,
                bytes=nbytes,
                type=constant.element or "?",
                count=len(values),
            )
            raise refused(text)
        runtime.memcpy(address, array.ctypes.data, array.nbytes, 1)

    def check(self, kernel: CudaKernel, launch: ResolvedLaunch, arguments: Sequence[Argument]) -> None:
        """Raise Fault(LaunchRefused), with both numbers, for what this GPU or this kernel cannot take."""
        for axis, asked, limit in zip("xyz", launch.block, _BLOCK_LIMITS, strict=True):
            self._hold_to(f"block.{axis}", asked, limit)
        for axis, asked, limit in zip("xyz", launch.grid, _GRID_LIMITS, strict=True):
            self._hold_to(f"grid.{axis}", asked, limit)
        if launch.threads_per_block > kernel.max_threads:
            text = message(
                "The launch asks for {asked} threads in a block and this kernel on {device} can have {limit}; "
                "make the block smaller.",
                asked=launch.threads_per_block,
                device=self._info.title,
                limit=kernel.max_threads,
            )
            raise refused(text)
        self._check_parameters(kernel, arguments)
        self._ask_for_shared(kernel, launch)

    def _hold_to(self, what: str, asked: int, limit: int) -> None:
        if asked > limit:
            text = message(
                "The launch asks for {what} = {asked} and {device} allows {limit}.",
                what=what,
                asked=asked,
                device=self._info.title,
                limit=limit,
            )
            raise refused(text)

    def _check_parameters(self, kernel: CudaKernel, arguments: Sequence[Argument]) -> None:
        if kernel.parameters is None:
            return
        if len(kernel.parameters) != len(arguments):
            text = message(
                "The kernel takes {takes} parameters and the project gives {given}; make the arguments match its signature.",
                takes=len(kernel.parameters),
                given=len(arguments),
            )
            raise refused(text)
        for position, (size, argument) in enumerate(zip(kernel.parameters, arguments, strict=True), start=1):
            given = 8 if isinstance(argument, CudaBuffer) else np.array(argument).nbytes
            if size != given:
                text = message(
                    "Parameter {position} of the kernel takes {takes} bytes and the project's argument has {given}; "
                    "make its dtype match the signature.",
                    position=position,
                    takes=size,
                    given=given,
                )
                raise refused(text)

    def _ask_for_shared(self, kernel: CudaKernel, launch: ResolvedLaunch) -> None:
        limit = int(self._info.properties["shared_optin_bytes"])
        asked = kernel.static_shared + launch.shared_bytes
        if asked > limit:
            text = message(
                "The launch asks for {asked} bytes of shared memory in a block and {device} gives {limit} at most; "
                "use a smaller tile.",
                asked=asked,
                device=self._info.title,
                limit=limit,
            )
            raise refused(text)
        if asked > _ALWAYS_SHARED and launch.shared_bytes > kernel.dynamic_shared:
            with driver_faults():
                driver.funcSetAttribute(kernel.function, _DYNAMIC_SHARED, launch.shared_bytes)
            kernel.dynamic_shared = launch.shared_bytes

    def launch_packed(self, kernel: CudaKernel, launch: ResolvedLaunch, packed: Packed, stream: int = 0) -> None:
        """Queue a launch that `check` has passed. Raises what CuPy raises: call it inside `driver_faults`."""
        driver.launchKernel(kernel.function, *launch.grid, *launch.block, launch.shared_bytes, stream, packed.address, 0)

    def close(self) -> None:
        """Unload every module."""
        for module in self._modules:
            driver.moduleUnload(module)
        self._modules.clear()


def _as_elements(values: tuple[float, ...], element: str, nbytes: int) -> Array | None:
    """Return the values as the array's elements; where the type is not known, as reals that fill the array exactly."""
    dtype = ELEMENTS.get(element)
    if dtype is None and len(values) and nbytes % len(values) == 0:
        dtype = {4: "float32", 8: "float64"}.get(nbytes // len(values))
    return None if dtype is None else np.asarray(values, dtype)
