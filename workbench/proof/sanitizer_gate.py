"""The sanitizer's gate (requirement B10): one sentence from what a launch under a sanitizer found."""

from __future__ import annotations

from collections import Counter
from math import prod

from workbench.model.run import GateResult, GateStatus
from workbench.model.sanitizer import SanitizerData
from workbench.texts import Message, message
from workbench.units import count

TITLE = message("Sanitizer")


def sanitizer_gate(data: SanitizerData) -> GateResult:
    """Return the gate of a launch that ended: failed by any finding of severity *error*; warnings are told and pass."""
    found = Counter(finding.severity for finding in data.findings)
    blocks = prod(data.grid)
    facts: dict[str, float | int | str] = {name: found[name] for name in ("error", "warning", "information")}
    facts |= {"blocks": blocks, "detector": data.detector}
    if data.errors:
        first = data.errors[0].sentence
        said = first
        if len(data.errors) > 1:
            said = message("{errors} faults were found, the first: {first}", errors=count(len(data.errors)), first=str(first))
        return _gate("failed", said, **facts)
    warned = next((finding.sentence for finding in data.findings if finding.severity == "warning"), None)
    if warned is not None:
        said = message("No error in {blocks} blocks; a warning: {first}", blocks=count(blocks), first=str(warned))
        return _gate("passed", said, **facts)
    said = message(
        "No race, no access outside an array, no read of unwritten memory and no barrier that some threads miss, in {blocks} "
        "blocks.",
        blocks=count(blocks),
    )
    return _gate("passed", said, **facts)


def sanitizer_failed(sentence: Message) -> GateResult:
    """Return the gate of a launch that the sanitizer could not even finish for a fault of the kernel."""
    return _gate("failed", sentence)


def sanitizer_not_run(reason: Message) -> GateResult:
    """Return the gate of a version that was not launched under a sanitizer, with its reason."""
    return _gate("not run", reason)


def _gate(status: GateStatus, sentence: Message, **facts: float | int | str) -> GateResult:
    return GateResult("sanitizer", TITLE, status, sentence, facts)
