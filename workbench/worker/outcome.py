"""How a child process ended, and the sentence for it."""

from __future__ import annotations

import signal
from pathlib import Path

from workbench.model.failure import Failure, FailureKind, SourceLine
from workbench.texts import Message, message

_KINDS: dict[str, FailureKind] = {"OutOfBounds": "OutOfBounds", "DeviceFault": "DeviceFault", "Crashed": "Crashed"}


def timed_out(seconds: float, step: str, role: str = "device") -> Failure:
    """Return the failure of a pass that was ended at its limit; a judge was then busy with the project's Python."""
    if role == "judge":
        text = message(
            "The reference did not answer within {seconds} s, the limit of the {step} pass; make it quicker or raise [limits].",
            seconds=f"{seconds:g}",
            step=step,
        )
        return Failure("TimedOut", text)
    return Failure(
        "TimedOut",
        message(
            "The {step} pass was ended after {seconds} s, its limit; the kernel may never end, or the limit is too low.",
            step=step,
            seconds=f"{seconds:g}",
        ),
    )


def cancelled() -> Failure:
    """Return the failure of a pass that the user stopped."""
    return Failure("Cancelled", message("You stopped this pass; nothing of it is kept."))


def read_fault_report(path: Path) -> Failure | None:
    """Return what a dying child wrote about itself: `key=value` lines with `kind`, `text` and `arg.NAME`; None when empty."""
    try:
        text = path.read_bytes().split(b"\0", 1)[0].decode("utf-8", "replace")
    except OSError:
        return None
    fields = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    if "text" not in fields:
        return None
    arguments = {key[4:]: value for key, value in fields.items() if key.startswith("arg.")}
    lines = (SourceLine(int(fields["line"]), fields.get("line_text", "")),) if fields.get("line", "").isdigit() else ()
    return Failure(_KINDS.get(fields.get("kind", ""), "Crashed"), Message(fields["text"], arguments), lines, text)


def died(returncode: int | None, fault_file: Path, log: str, role: str = "device") -> Failure:
    """Return the failure of a child that ended in the middle of a call."""
    if role == "judge":
        ended = _signal_name(-returncode) if returncode is not None and returncode < 0 else f"status {returncode}"
        text = message(
            "The process that runs the reference ended by itself with {how}; see the log for what it printed.", how=ended
        )
        return Failure("Crashed", text, detail=log)
    report = read_fault_report(fault_file)
    if report is not None:
        return report
    if returncode is not None and returncode < 0:
        name = _signal_name(-returncode)
        text = message(
            "The worker process was ended by {signal} while the kernel ran; a new worker takes its place.",
            signal=name,
        )
    else:
        text = message(
            "The worker process ended by itself with status {status}; a new worker takes its place.",
            status=-1 if returncode is None else returncode,
        )
    return Failure("Crashed", text, detail=log)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
