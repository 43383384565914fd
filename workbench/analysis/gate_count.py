"""Gates counted, the one way they are counted everywhere: passed of those that apply, what was not run said beside."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from workbench.model.run import GateResult
from workbench.texts import message, tr
from workbench.units import MISSING


class GateCount(msgspec.Struct, frozen=True):
    """How many gates ended how. A gate that is *not applicable* is no gate of this version and is in none of them."""

    passed: int
    failed: int
    not_run: int

    @property
    def applicable(self) -> int:
        """Passed + failed + not run."""
        return self.passed + self.failed + self.not_run

    @property
    def text(self) -> str:
        """`8 of 10`, or — where no gate applies."""
        if not self.applicable:
            return MISSING
        return str(message("{passed} of {count}", passed=self.passed, count=self.applicable))

    @property
    def beside(self) -> str:
        """`1 failed, 2 not run`; empty where all passed."""
        parts = ((self.failed, tr("failed")), (self.not_run, tr("not run")))
        return ", ".join(f"{number} {word}" for number, word in parts if number)

    @property
    def sentence(self) -> str:
        """`8 of 10 gates passed, 2 not run.`"""
        if not self.applicable:
            return tr("No gate was decided.")
        said = str(message("{passed} of {count} gates passed", passed=self.passed, count=self.applicable))
        return ", ".join(part for part in (said, self.beside) if part) + "."

    @property
    def line(self) -> str:
        """Both in one line: `8 of 10, 2 not run`."""
        return ", ".join(part for part in (self.text, self.beside) if part)


def count_gates(gates: Iterable[GateResult]) -> GateCount:
    """Count a version's gates."""
    found = [gate.status for gate in gates]
    return GateCount(found.count("passed"), found.count("failed"), found.count("not run"))
