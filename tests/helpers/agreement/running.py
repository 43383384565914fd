"""One kernel of the agreement set on any device, through the same contract as every pass of the workbench."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt

from plugins.emulator.textures import EmulatorTexture, Sampling
from tests.helpers.agreement.index import Entry
from tests.helpers.agreement.inputs import make_arguments, results
from workbench.model.launch import Launch
from workbench.model.source import read_source
from workbench.plugin_api import Argument as KernelArgument
from workbench.plugin_api import Buffer, Code, Compiled, Loaded, ResolvedLaunch, WorkerDevice

Array = npt.NDArray[Any]
Texture = Callable[[Array], tuple[KernelArgument, object]]
"""Makes a texture of a picture (height, width), linear filter, clamped, coordinates in texels: its handle and who keeps it."""


def emulated_texture(picture: Array) -> tuple[KernelArgument, object]:
    """Return a texture of the emulator."""
    made = EmulatorTexture(picture, 2, Sampling("clamp", linear=True))
    return made.handle, made


def code_of(entry: Entry) -> Code:
    """Return the kernel's source with all that the compiler is told."""
    return Code(
        read_source(entry.path), "cuda", entry.entry, Launch((1,), (1,)), entry.template, entry.options, dict(entry.constants)
    )


def compile_on(device: WorkerDevice, entry: Entry, folder: Path) -> Compiled:
    """Compile the kernel for a device, keeping it in `folder`. Raises Fault."""
    return device.compile(code_of(entry), folder, name=entry.path.name)


def _three(numbers: Sequence[int]) -> tuple[int, int, int]:
    x, y, z = [*numbers, 1, 1][:3]
    return x, y, z


LaunchBy = Callable[[Loaded, ResolvedLaunch, Sequence[KernelArgument]], object]
"""Another way to launch than the device's own: a checked one, one under the sanitizer."""


def run_on(
    device: WorkerDevice,
    entry: Entry,
    compiled: Compiled,
    texture: Texture = emulated_texture,
    *,
    launch: LaunchBy | None = None,
) -> dict[str, Array]:
    """Load the compiled kernel afresh, launch it once and return what it wrote, by name. Raises Fault.

    Raises AssertionError where the kernel wrote outside its buffers.
    """
    kernel = device.load(compiled, dict(entry.constants))
    given, buffers, arguments, kept = make_arguments(entry), dict[str, Buffer](), list[KernelArgument](), list[object]()
    for argument in entry.arguments:
        value = given[argument.name]
        if argument.dtype == "texture":
            handle, keeper = texture(value)
            arguments.append(handle)
            kept.append(keeper)
        elif value.ndim == 0:
            arguments.append(value.reshape(1)[0])
        else:
            buffers[argument.name] = device.allocate(value.nbytes)
            device.write(buffers[argument.name], value)
            arguments.append(buffers[argument.name])
    try:
        (launch or device.launch)(kernel, ResolvedLaunch(_three(entry.grid), _three(entry.block), entry.shared), arguments)
        after = {name: device.read(buffer, str(given[name].dtype), given[name].shape) for name, buffer in buffers.items()}
        if device.check_guards(list(buffers.values())):
            raise AssertionError(f"{entry.name} wrote outside its buffers")
        return results(entry, after)
    finally:
        for buffer in buffers.values():
            device.free(buffer)
