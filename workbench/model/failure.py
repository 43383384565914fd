"""How a pass can end without an answer: each is a value that says its own sentence."""

from __future__ import annotations

from typing import Literal

import msgspec

from workbench.errors import ExitCode
from workbench.texts import Message

FailureKind = Literal[
    "CompileFailed", "LaunchRefused", "WrongAnswer", "OutOfBounds", "TimedOut", "DeviceFault",
    "Crashed", "Cancelled", "NotSupported", "WrongInput",
]  # fmt: skip

"""`LaunchRefused` and `NotSupported`: this device will not run it as it is; like a time-out, that is no answer, right or wrong.
`WrongInput`: the project's own Python, or a kernel that is not there under its name; says nothing about the kernel."""

_EXIT: dict[str, ExitCode] = {
    "WrongInput": ExitCode.WRONG_INPUT,
    "TimedOut": ExitCode.NO_RESULT,
    "DeviceFault": ExitCode.NO_RESULT,
    "Crashed": ExitCode.NO_RESULT,
    "Cancelled": ExitCode.NO_RESULT,
    "LaunchRefused": ExitCode.NO_RESULT,
    "NotSupported": ExitCode.NO_RESULT,
}


class SourceLine(msgspec.Struct, frozen=True):
    """A place in the version's source (1-based) with the compiler's or detector's own text."""

    line: int
    text: str
    severity: Literal["error", "warning", "note"] = "error"


class OutsideAccess(msgspec.Struct, frozen=True):
    """An access outside an argument's array, as the device saw it."""

    access: Literal["read", "write", "atomic", ""] = ""
    """Empty: the device does not tell."""
    argument: int | None = None
    """The place (from 0) of the nearest array in the launch's arguments; None where none is near."""
    offset: int = 0
    """Bytes from that array's start; negative before it."""
    line: int = 0
    """1-based line of the source; 0 where it is not known."""
    block: str = ""
    thread: str = ""
    """Indices as `x, y, z`."""


class Failure(msgspec.Struct, frozen=True):
    """Why a pass failed. Decided where the driver's or compiler's code is known, never by searching words."""

    kind: FailureKind
    message: Message
    lines: tuple[SourceLine, ...] = ()
    detail: str = ""
    """The vendor's own output, for the log."""
    outside: OutsideAccess | None = None
    """Only with `OutOfBounds`, where the device tells what was accessed."""

    @property
    def exit_code(self) -> ExitCode:
        """What the command line answers when a run ends this way."""
        return _EXIT.get(self.kind, ExitCode.FAILED_GATE)
