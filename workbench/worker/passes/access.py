"""One traced launch: how a kernel touches memory, on a device that can say so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

import msgspec
import numpy as np

from workbench.analysis.cache import Block, SectorStream, predict
from workbench.model.access import AccessReport
from workbench.model.cache import CachePrediction
from workbench.model.hardware import Hardware, hardware_file, hardware_for
from workbench.plugin_api import AccessQuestion, AnalysesAccess, Array, Failure, Fault, SectorBatch, WorkerDevice, message
from workbench.texts import Message
from workbench.worker import arrays, protocol
from workbench.worker.passes.binding import bound, load

DEFAULT = "sm_90"
"""The architecture whose largest GPU stands for all when a version names none."""
MOST_SECTORS = 5_000_000
"""Sectors up to which caches are predicted; that many take half a minute."""
SHARED_READS = 0.5
"""Predicted hit rate of the second level from which the report says how far such a figure can be off."""
_ARCHITECTURE = re.compile(r"(?:-arch|--gpu-architecture)=(sm_\d+)")


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
        names, sectors = tuple(slot.name for slot in request.slots), list[SectorBatch]()
        question = AccessQuestion(request.code, names, sectors.append)
        report = cast(AnalysesAccess, device).access(kernel, request.launch, case.arguments, question)
    cache, note = _prediction(report, request, sectors, names)
    notes = report.notes if note is None else (*report.notes, note)
    return msgspec.structs.replace(report, sizes=dict(request.sizes), cache=cache, notes=notes)


def _prediction(
    report: AccessReport, request: protocol.Access, sectors: Sequence[SectorBatch], names: Sequence[str]
) -> tuple[CachePrediction | None, Message | None]:
    """Return what the caches of the wanted GPU would do and how far to trust it, or why that is not predicted."""
    architecture = next((found[1] for option in request.code.options if (found := _ARCHITECTURE.match(option))), DEFAULT)
    hardware: Hardware | None = hardware_file(request.hardware) if request.hardware else hardware_for(architecture)
    if hardware is None:
        return None, message("No cache is predicted: no hardware file describes {architecture}.", architecture=architecture)
    if report.sampled:
        return None, message("No cache is predicted: traced blocks spread over the grid share less than neighbours do.")
    if sum(len(batch.block) for batch in sectors) > MOST_SECTORS:
        return None, message("No cache is predicted: the kernel asks for more than {most} sectors.", most=MOST_SECTORS)
    shared = request.launch.shared_bytes + (request.binary.data.static_shared_bytes or 0)
    prediction = predict(joined(sectors), hardware, Block(request.launch.threads_per_block, shared), names)
    return prediction, _doubt(prediction)


def _doubt(prediction: CachePrediction) -> Message | None:
    """Return where the prediction is known to be poor: reads of one sector at nearly the same time."""
    rate = prediction.total.hit_rate
    if rate is None or rate < SHARED_READS:
        return None
    return message(
        "Most predicted L2 reads repeat another block's; where these come at the same time four in ten of them did not reach "
        "an H200's L2, so fewer reads and a lower hit rate are possible."
    )


def joined(sectors: Sequence[SectorBatch]) -> SectorStream:
    """Return batches as one stream."""
    columns = ("block", "address", "write", "array", "line")
    empty: dict[str, Array] = {name: np.zeros(0, np.bool_ if name == "write" else np.int64) for name in columns}
    return SectorStream(**{name: np.concatenate([empty[name], *(getattr(batch, name) for batch in sectors)]) for name in columns})
