"""What a device says of a source that is in no project: which of its kernels it can run, and what would not be as on a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from workbench.model.failure import Failure
from workbench.texts import Message


class Note(msgspec.Struct, frozen=True):
    """Something that the device does otherwise than a GPU, at a line (1-based) of the source."""

    line: int
    sentence: Message


class KernelSupport(msgspec.Struct, frozen=True):
    """One kernel, with one set of template arguments where it is a template, as the device compiled it."""

    name: str
    """With its namespaces."""
    line: int
    template: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    """Template parameters whose argument only the host program knows, so that one was put in their place."""
    failure: Failure | None = None
    """Why it cannot be run; None when it can."""
    notes: tuple[Note, ...] = ()
    untried: bool = False
    """What was put in the place of `tried` did not compile, so that nothing is known; a note says what did not."""

    @property
    def full_name(self) -> str:
        """The name with its template arguments."""
        return f"{self.name}<{', '.join(self.template)}>" if self.template else self.name


class Support(msgspec.Struct, frozen=True):
    """The answer for a source. `failure` is about the source as a whole: then no kernel was looked at."""

    kernels: tuple[KernelSupport, ...] = ()
    failure: Failure | None = None

    @property
    def supported(self) -> bool:
        """True when every kernel that was asked for compiles for the device, but for those that could not be tried."""
        return self.failure is None and bool(self.kernels) and all(kernel.failure is None for kernel in self.kernels)

    @property
    def reasons(self) -> Iterator[tuple[str, int, Message]]:
        """What stands in the way: the kernel (empty: the whole source), the line (0: none is known), the sentence."""
        for name, failure in (("", self.failure), *((kernel.full_name, kernel.failure) for kernel in self.kernels)):
            if failure is not None:
                lines = [line.line for line in failure.lines if line.severity == "error"]
                yield name, lines[0] if lines else 0, failure.message

    def to_json(self) -> dict[str, Any]:
        """Return the document of `check --json`."""
        return {
            "supported": self.supported,
            "reasons": [{"kernel": name, "line": line, "text": text} for name, line, text in self.reasons],
            "kernels": [
                {
                    "name": kernel.name,
                    "line": kernel.line,
                    "template": kernel.template,
                    "tried": kernel.tried,
                    "supported": None if kernel.untried else kernel.failure is None,
                }
                for kernel in self.kernels
            ],
            "notes": [
                {"kernel": kernel.full_name, "line": note.line, "text": note.sentence}
                for kernel in self.kernels
                for note in kernel.notes
            ],
        }
