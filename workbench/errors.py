"""Expected failures of the program itself: each is one full sentence saying what, where, why and what next."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

from workbench.texts import Message, message


class ExitCode(IntEnum):
    """What the command line answers; printed in `--help`."""

    FINISHED = 0
    FAILED_GATE = 1
    WRONG_INPUT = 2
    NO_RESULT = 3


class LedgerError(Exception):
    """Something the user can mend. Shown as its sentence, without a traceback."""

    exit_code = ExitCode.WRONG_INPUT

    def __init__(self, text: str, /, **arguments: str | int) -> None:
        self.message: Message = message(text, **arguments)
        super().__init__(text)

    def __str__(self) -> str:
        return str(self.message)


class WrongInput(LedgerError):
    """A file, a key, a value or a name that the user gave cannot be used."""


class NotTrusted(WrongInput):
    """The project in `folder` would run its own Python, and the user has not said that it may."""

    def __init__(self, folder: Path, name: str, files: str) -> None:
        super().__init__(
            "The project {name} brings its own Python ({files}), which you have not allowed to run; read it, then trust the"
            " folder in the window or with --trust.",
            name=name,
            files=files,
        )
        self.folder = folder


class JobStopped(LedgerError):
    """The user stopped a job: nothing to mend."""

    def __init__(self, title: Message) -> None:
        super().__init__("Stopped: {title}.", title=str(title))


class Unavailable(LedgerError):
    """A device, a compiler or a service that is not there."""

    exit_code = ExitCode.NO_RESULT
