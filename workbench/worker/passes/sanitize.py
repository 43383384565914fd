"""One launch of a case under the device's own sanitizer, outputs poisoned before."""

from __future__ import annotations

from typing import cast

from workbench.plugin_api import ArrayFacts, Failure, Fault, SanitizerData, Sanitizes, WorkerDevice, message
from workbench.worker import arrays, protocol
from workbench.worker.passes.binding import bound, load


def can_sanitize(device: WorkerDevice) -> bool:
    """Return whether a device has a sanitizer of its own."""
    return hasattr(device, "sanitize")


def sanitize(device: WorkerDevice, request: protocol.Sanitize) -> SanitizerData:
    """Launch once and return the findings. Raises Fault."""
    if not can_sanitize(device):
        raise Fault(Failure("NotSupported", message("This device has no sanitizer; run the version on the emulator for one.")))
    kernel = load(device, request.binary)
    facts = [
        ArrayFacts(slot.name, arrays.host_dtype(slot.dtype).itemsize, slot.role not in ("output", "scratch"))
        for slot in request.slots
    ]
    with bound(device, request.slots) as case:
        for slot in request.slots:
            buffer = case.buffers.get(slot.name)
            if buffer is not None and slot.array is not None:
                device.write(buffer, arrays.get(slot.array))
            elif buffer is not None:
                device.fill(buffer, request.poison)
        return cast(Sanitizes, device).sanitize(kernel, request.launch, case.arguments, facts)
