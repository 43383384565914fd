"""Predicted caches of the launches of tests/data/access beside what an H200's counters say, and the table of it in the docs.

python -m tests.helpers.cache_predictions      writes the table between its marks in docs/emulator-access.md
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.helpers.access_bench import analyse, drawn
from tests.helpers.access_launches import FOLDER, KernelLaunch, read_launches, three
from tests.helpers.emulator_bench import compile_kernel
from workbench.analysis.cache import Block, predict
from workbench.model.cache import CachePrediction
from workbench.model.hardware import hardware_files
from workbench.plugin_api import ResolvedLaunch, SectorBatch
from workbench.worker.passes.access import joined

DOCUMENT = Path(__file__).parents[2] / "docs" / "emulator-access.md"
BEGIN, END = "<!-- CACHES: made by python -m tests.helpers.cache_predictions -->", "<!-- /CACHES -->"
READS, HITS = "lts__t_sectors_srcunit_tex_op_read.sum", "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum"


@dataclass(frozen=True)
class Compared:
    """One launch: sectors read from the second level, and those of them that hit."""

    kernel: str
    reads: int
    measured_reads: int
    hits: int
    measured_hits: int

    @property
    def rate(self) -> float:
        """Predicted hit rate, 0 to 1."""
        return self.hits / self.reads

    @property
    def measured_rate(self) -> float:
        """Measured hit rate, 0 to 1."""
        return self.measured_hits / self.measured_reads

    @property
    def row(self) -> str:
        """The launch's line of the table."""
        excess = self.reads / self.measured_reads - 1
        apart = round(100 * self.rate) - round(100 * self.measured_rate)
        return (
            f"| `{self.kernel}` | {self.reads:,} | {self.measured_reads:,} | {excess:+.1%} "
            f"| {self.rate:.0%} | {self.measured_rate:.0%} | {apart:+d} |"
        )


def measured() -> dict[str, dict[str, Any]]:
    """Return the counters by kernel."""
    rows = json.loads((FOLDER / "caches.json").read_text(encoding="utf-8"))["launches"]
    return {row["kernel"]: row for row in rows}


def measured_launches() -> tuple[KernelLaunch, ...]:
    """Return the launches that were measured."""
    known = measured()
    return tuple(one for one in read_launches() if one.name in known)


@functools.cache
def compared(one: KernelLaunch) -> Compared:
    """Return a launch's prediction beside its counters."""
    truth, found = measured()[one.name], predicted(one).total
    return Compared(one.name, found.reads, truth[READS], found.hits, truth[HITS])


def predicted(one: KernelLaunch) -> CachePrediction:
    """Return what the emulator predicts for an H200."""
    arrays, sizes = drawn()
    known: dict[str, Any] = {**arrays, **{name: np.int32(size) for name, size in sizes.items()}}
    source = (FOLDER / one.file).read_text(encoding="utf-8")
    batches: list[SectorBatch] = []
    analyse(
        source, *(known[name] for name in one.arguments), grid=one.grid, block=one.block, entry=one.entry, names=one.arguments,
        shared=one.shared_bytes, sectors=batches.append, options=("-std=c++17",),
    )  # fmt: skip
    kernel: Any = compile_kernel(source, one.entry, options=("-std=c++17",))
    launch = ResolvedLaunch(three(one.grid), three(one.block), one.shared_bytes)
    shared = one.shared_bytes + (kernel.facts.data.static_shared_bytes or 0)
    return predict(joined(batches), hardware_files()["h200"], Block(launch.threads_per_block, shared), one.arguments)


def table(rows: Sequence[Compared]) -> str:
    """Return the table in the order of the launches, and the errors below it."""
    heads = ["| launch | L2 reads, predicted | measured | error | L2 hit rate, predicted | measured | points apart |"]
    lines = [*heads, "|---|---:|---:|---:|---:|---:|---:|", *(row.row for row in rows)]
    apart = sorted(abs(row.rate - row.measured_rate) for row in rows)
    excess = sorted(row.reads / row.measured_reads - 1 for row in rows)
    count = sum(value <= 0.05 for value in apart)
    said = (
        f"Hit rate: {count} of {len(rows)} within 5 points, {100 * sum(apart) / len(apart):.1f} points apart on average, "
        f"{100 * apart[-1]:.0f} at most. L2 reads: from {excess[0]:+.1%} to {excess[-1]:+.1%}."
    )
    return "\n".join([*lines, "", said])


def between(text: str) -> str:
    """Return what stands between the marks."""
    return text.split(BEGIN, 1)[1].split(END, 1)[0].strip()


def main() -> None:
    """Write the table into the document."""
    made = table([compared(one) for one in measured_launches()])
    head, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN, 1)
    DOCUMENT.write_text(f"{head}{BEGIN}\n\n{made}\n\n{END}{rest.split(END, 1)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
