"""The emulator opened once for all its tests, with kernels compiled into one folder of the test run."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from plugins.emulator.in_worker import EmulatorDevice, open_device
from workbench.model.launch import Launch
from workbench.paths import cache_folder
from workbench.plugin_api import Argument, Buffer, Code, Failure, Fault, Loaded, ResolvedLaunch, SourceText

Array = npt.NDArray[Any]
ONE = Launch((1,), (1,))


@functools.cache
def emulator() -> EmulatorDevice:
    """Return the device, opened in this process."""
    return cast(EmulatorDevice, open_device("emulator"))


def code(source: str | SourceText, entry: str, **others: Any) -> Code:
    """Return code for a source; `others` are fields of Code (template, options, constants)."""
    text = source if isinstance(source, SourceText) else SourceText(source)
    return Code(text, "cuda", entry, ONE, **others)


def compile_kernel(source: str | SourceText, entry: str = "k", **others: Any) -> Loaded:
    """Compile and load a kernel."""
    wanted = code(source, entry, **others)
    compiled = emulator().compile(wanted, cache_folder() / "kernels", name="kernel.cu")
    return emulator().load(compiled, wanted.constants)


def compile_failure(source: str | SourceText, entry: str = "k", **others: Any) -> Failure:
    """Return the failure of a source that must not compile."""
    try:
        compile_kernel(source, entry, **others)
    except Fault as fault:
        return fault.failure
    raise AssertionError("the source compiled")


@dataclass
class Launched:
    """A kernel launched once: the arrays after the launch."""

    arrays: list[Array]
    guard_hits: int


def three(numbers: int | Sequence[int]) -> tuple[int, int, int]:
    """Return x, y, z."""
    given = [numbers] if isinstance(numbers, int) else list(numbers)
    x, y, z = [*given, 1, 1][:3]
    return x, y, z


def launch(
    kernel: Loaded,
    arguments: Sequence[Array | np.generic],
    *,
    grid: int | Sequence[int] = 1,
    block: int | Sequence[int] = 1,
    shared: int = 0,
    checked: bool = False,
) -> Launched:
    """Copy arrays to the device, launch, and copy them back."""
    device = emulator()
    made: list[tuple[Buffer, Array]] = []
    given: list[Argument] = []
    for argument in arguments:
        if isinstance(argument, np.generic):
            given.append(argument)
            continue
        buffer = device.allocate(argument.nbytes)
        device.write(buffer, argument)
        made.append((buffer, argument))
        given.append(buffer)
    try:
        run = device.launch_checked if checked else device.launch
        run(kernel, ResolvedLaunch(three(grid), three(block), shared), given)
        arrays = [device.read(buffer, str(array.dtype), array.shape) for buffer, array in made]
        return Launched(arrays, len(device.check_guards([buffer for buffer, _ in made])))
    finally:
        for buffer, _ in made:
            device.free(buffer)


def run(
    source: str, *arguments: Array | np.generic, entry: str = "k", compiling: Mapping[str, Any] | None = None, **how: Any
) -> Array:
    """Compile and launch `entry`, and return the first array after it."""
    return launch(compile_kernel(source, entry, **dict(compiling or {})), arguments, **how).arrays[0]


def launch_failure(kernel: Loaded, *arguments: Array | np.generic, **how: Any) -> Failure:
    """Return the failure of a launch that must fail."""
    try:
        launch(kernel, arguments, **how)
    except Fault as fault:
        return fault.failure
    raise AssertionError("the launch succeeded")
