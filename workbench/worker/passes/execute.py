"""One launch of a case: outputs poisoned before, guards and inputs looked at after."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from workbench.plugin_api import Loaded, ResolvedLaunch, WorkerDevice
from workbench.worker import arrays, protocol
from workbench.worker.passes.binding import Bound, bound, load


def execute(device: WorkerDevice, request: protocol.Execute) -> protocol.Executed:
    """Launch once and bring the outputs back. Raises Fault."""
    kernel = load(device, request.binary)
    with bound(device, request.slots) as case:
        for slot in request.slots:
            if slot.name in case.buffers:
                _prepare(device, case, slot, request.poison)
        checked = _launch(device, kernel, request.launch, case, request.checked)
        overruns = {list(case.buffers)[hit.buffer_index]: hit.offset for hit in device.check_guards(case.all_buffers)}
        outputs, changed = {}, []
        for slot in request.slots:
            if slot.name not in case.buffers:
                continue
            after = device.read(case.buffers[slot.name], slot.dtype, slot.shape)
            if slot.role in ("output", "inout"):
                outputs[slot.name] = arrays.put(Path(request.arena), after)
            elif slot.array is not None and not _same_bytes(after, arrays.get(slot.array)):
                changed.append(slot.name)
    return protocol.Executed(outputs, overruns, tuple(changed), checked, hasattr(device, "launch_checked"))


def _prepare(device: WorkerDevice, case: Bound, slot: protocol.Slot, poison: int) -> None:
    buffer = case.buffers[slot.name]
    if slot.array is not None:
        device.write(buffer, arrays.get(slot.array))
    else:
        device.fill(buffer, poison)


def _launch(device: WorkerDevice, kernel: Loaded, launch: ResolvedLaunch, case: Bound, checked: bool) -> bool:
    """Launch through the bounds-checking build where that is asked for and the device has one."""
    launch_checked = getattr(device, "launch_checked", None) if checked else None
    if launch_checked is None:
        device.launch(kernel, launch, case.arguments)
        return False
    launch_checked(kernel, launch, case.arguments)
    return True


def _same_bytes(a: arrays.Array, b: arrays.Array) -> bool:
    return a.shape == b.shape and np.array_equal(_bytes(a), _bytes(b))


def _bytes(array: arrays.Array) -> arrays.Array:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)
