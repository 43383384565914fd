"""Loaded kernels: their constants, the check of their arguments, and the request that launches them."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence

import numpy as np

from plugins.emulator.compiler import facts_of
from plugins.emulator.memory import EmulatorBuffer
from plugins.emulator.recipe import Facts
from plugins.emulator.runtime import FIBERS, LOOP, Index3, LaunchRequest, Library, Parameter, Range, Symbol
from workbench.plugin_api import Argument, Compiled, Failure, Fault, ResolvedLaunch, message

_KIND_OF_NUMPY: Mapping[str, str] = {"i": "i", "u": "u", "f": "f", "b": "u"}


class EmulatorKernel:
    """A kernel loaded afresh. Its checked twin is loaded when it is first asked for."""

    def __init__(self, compiled: Compiled, constants: Mapping[str, tuple[float, ...]]) -> None:
        self.compiled = compiled
        self.facts: Facts = facts_of(compiled)
        self.constants = dict(constants)
        self.library = Library(compiled.binary)
        fill_constants(self.library, self.constants)
        self.checked_library: Library | None = None


def fill_constants(library: Library, constants: Mapping[str, tuple[float, ...]]) -> None:
    """Write the project's values into `__constant__` arrays. Raises Fault(LaunchRefused) where one does not fit."""
    symbols = library.symbols
    for name, values in constants.items():
        symbol = symbols.get(name)
        if symbol is None:
            sentence = message("The kernel has no __constant__ array named {name}.", name=name)
            raise Fault(Failure("LaunchRefused", sentence))
        _fill(symbol, name, values)


def _fill(symbol: Symbol, name: str, values: tuple[float, ...]) -> None:
    kind = chr(symbol.kind)
    if kind not in "iuf":
        sentence = message("The __constant__ array {name} is of a type that cannot be filled with numbers.", name=name)
        raise Fault(Failure("LaunchRefused", sentence))
    room = symbol.bytes // symbol.element_bytes
    if len(values) > room:
        sentence = message(
            "The project gives {given} values for the constant {name}, which has room for {room}.",
            given=len(values),
            name=name,
            room=room,
        )
        raise Fault(Failure("LaunchRefused", sentence))
    content = np.asarray(values, np.dtype(f"{kind}{symbol.element_bytes}")).tobytes()
    ctypes.memmove(symbol.address, content, len(content))


def _check_argument(position: int, argument: Argument, parameter: Parameter) -> None:
    wanted = chr(parameter.kind)
    if not isinstance(argument, np.generic):
        if wanted != "p":
            sentence = message("Argument {position} is an array, but the kernel's parameter is no pointer.", position=position)
            raise Fault(Failure("LaunchRefused", sentence))
        return
    if wanted == "p":
        sentence = message(
            "Argument {position} is a {dtype}, but the kernel's parameter is a pointer.",
            position=position,
            dtype=str(argument.dtype),
        )
        raise Fault(Failure("LaunchRefused", sentence))
    given = _KIND_OF_NUMPY.get(argument.dtype.kind, "s")
    kinds_agree = wanted == "s" or given == "s" or (wanted == "f") == (given == "f")
    if argument.dtype.itemsize != parameter.size or not kinds_agree:
        sentence = message(
            "Argument {position} is a {dtype} of {given} bytes, but the kernel's parameter is {kind} of {wanted} bytes.",
            position=position, dtype=str(argument.dtype), given=argument.dtype.itemsize,
            kind=_kind_name(wanted), wanted=parameter.size,
        )  # fmt: skip
        raise Fault(Failure("LaunchRefused", sentence))


def _kind_name(kind: str) -> str:
    return {"i": "a signed integer", "u": "an unsigned integer", "f": "a floating value"}.get(kind, "a structure")


class Request:
    """A launch ready for the runtime; keeps alive what the request points to."""

    def __init__(self, library: Library, facts: Facts, launch: ResolvedLaunch, arguments: Sequence[Argument]) -> None:
        parameters = library.parameters
        if len(arguments) != len(parameters):
            sentence = message(
                "The project gives {given} arguments, but the kernel has {wanted} parameters.",
                given=len(arguments),
                wanted=len(parameters),
            )
            raise Fault(Failure("LaunchRefused", sentence))
        for position, (argument, parameter) in enumerate(zip(arguments, parameters, strict=True), 1):
            _check_argument(position, argument, parameter)
        self._values = [_value(argument) for argument in arguments]
        self._pointers = (ctypes.c_void_p * (len(arguments) + 1))(*(ctypes.addressof(value) for value in self._values), None)
        buffers = [(index, argument) for index, argument in enumerate(arguments) if isinstance(argument, EmulatorBuffer)]
        self.ranges = (Range * len(buffers))(*(Range(buffer.address, buffer.nbytes, index, 0) for index, buffer in buffers))
        self.raw = LaunchRequest(
            grid_size=Index3(*launch.grid),
            block_size=Index3(*launch.block),
            shared_bytes=launch.shared_bytes,
            module=ctypes.pointer(library.module),
            arguments=ctypes.cast(self._pointers, ctypes.POINTER(ctypes.c_void_p)),
            mode=FIBERS if facts.fibers else LOOP,
            checked=0,
            ranges=ctypes.cast(self.ranges, ctypes.POINTER(Range)),
            range_count=len(buffers),
            in_order=int(facts.in_order),
        )

    def trace(self, trace: int) -> None:
        """Launch with its events written down: where the trace's memory lies."""
        self.raw.trace = trace
        self.raw.checked = 1

    def watch(self, shadow: int, initialised: Sequence[bool]) -> None:
        """Launch under the sanitizer: where its memory lies, and which arguments have values before the launch."""
        self.raw.shadow = shadow
        for known in self.ranges:
            known.initialised = int(initialised[known.argument])


def _value(argument: Argument) -> ctypes.Array[ctypes.c_char]:
    if isinstance(argument, EmulatorBuffer):
        return ctypes.create_string_buffer(argument.address.to_bytes(8, "little"), 8)
    if isinstance(argument, np.generic):
        return ctypes.create_string_buffer(argument.tobytes(), max(argument.dtype.itemsize, 16))
    raise TypeError(f"{type(argument).__name__} is not an argument of the emulator")
