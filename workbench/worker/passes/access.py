"""One traced launch: how a kernel touches memory, on a device that can say so."""

from __future__ import annotations

from typing import cast

import msgspec

from workbench.model.access import AccessReport
from workbench.plugin_api import AccessQuestion, AnalysesAccess, Failure, Fault, WorkerDevice, message
from workbench.worker import arrays, protocol
from workbench.worker.passes.binding import bound, load


def analyse_access(device: WorkerDevice, request: protocol.Access) -> AccessReport:
    """Launch and return the report. Raises Fault(NotSupported) on a device without an access analysis."""
    if not hasattr(device, "access"):
        sentence = message("{device} has no access analysis; choose the emulator: --device emulator.", device=device.info.title)
        raise Fault(Failure("NotSupported", sentence))
    kernel = load(device, request.binary)
    with bound(device, request.slots) as case:
        for slot in request.slots:
            buffer = case.buffers.get(slot.name)
            if buffer is not None and slot.array is not None:
                device.write(buffer, arrays.get(slot.array))
            elif buffer is not None:
                device.fill(buffer, 0)
        question = AccessQuestion(request.code, tuple(slot.name for slot in request.slots))
        report = cast(AnalysesAccess, device).access(kernel, request.launch, case.arguments, question)
    return msgspec.structs.replace(report, sizes=dict(request.sizes))
