"""The table of what the emulator computes as an H200 does: no number in it is written by hand.

python -m tests.helpers.semantics_table      writes docs/emulator-semantics.md and its line in README.md
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tests.helpers.emulator_bench import emulator
from tests.helpers.readme_table import ROOT
from tests.helpers.semantics_approximate import UNPROMISED
from tests.helpers.semantics_cases import Group
from tests.helpers.semantics_inputs import Array
from tests.helpers.semantics_results import apart, emulated, fetched, multiplied, results_each, truth, unlike
from tests.helpers.semantics_textures import fetches
from tests.helpers.semantics_tiles import tiles
from tests.helpers.semantics_truth import groups

PAGE = ROOT / "docs" / "emulator-semantics.md"
BEGIN, END = "<!-- SEMANTICS: made by python -m tests.helpers.semantics_table -->", "<!-- /SEMANTICS -->"


@dataclass(frozen=True)
class Row:
    """One line of the first table: a group of expressions over the same inputs, and how its results compare."""

    name: str
    expressions: int
    results: int
    equal: int
    farthest: str

    @property
    def text(self) -> str:
        """As Markdown."""
        share = "all" if self.equal == self.results else f"{self.equal} ({100 * self.equal / self.results:.1f} %)"
        return f"| {self.name} | {self.expressions} | {self.results} | {share} | {self.farthest} |"


def promised_rows() -> list[Row]:
    """Return the groups that must equal the GPU's bits. Raises AssertionError where one does not."""
    rows = []
    for group in (group for group in groups() if group.exact):
        wrong = unlike(group, emulated(group))
        assert not wrong, f"{group.name}: {wrong}"
        results = len(group.expressions) * results_each(group)
        rows.append(Row(group.name, len(group.expressions), results, results, "0"))
    return rows


def tile_rows() -> list[Row]:
    """Return tensor core tiles by their types."""
    rows = []
    for kinds in dict.fromkeys((tile.element, tile.total) for tile in tiles()):
        these = [tile for tile in tiles() if (tile.element, tile.total) == kinds]
        pairs = [(multiplied(tile), truth()[f"{tile.name}|kept"]) for tile in these]
        rows.append(_row(f"wmma {kinds[0]}, sums in {kinds[1]}", pairs))
    return rows


def texture_rows() -> list[Row]:
    """Return textures by filter and type."""
    rows = []
    for kind in dict.fromkeys((fetch.linear, fetch.dtype) for fetch in fetches()):
        these = [fetch for fetch in fetches() if (fetch.linear, fetch.dtype) == kind]
        pairs = [(fetched(fetch), truth()[f"{fetch.name}|kept"]) for fetch in these]
        rows.append(_row(f"texture of {kind[1]}, {'linear' if kind[0] else 'point'}", pairs))
    return rows


def _row(name: str, pairs: Sequence[tuple[Array, Array]]) -> Row:
    equal = sum(int((ours == theirs).sum()) for ours, theirs in pairs)
    off = max(float(np.abs(ours.astype(float) - theirs.astype(float)).max()) for ours, theirs in pairs)
    return Row(name, len(pairs), sum(ours.size for ours, _ in pairs), equal, f"{off:.1e}" if off else "0")


@dataclass(frozen=True)
class Bounded:
    """One line of the second table: an expression that is promised within a number of steps."""

    group: Group
    row: int
    steps: Array

    @property
    def is_promised(self) -> bool:
        """Whether a document bounds it."""
        return self.group.expressions[self.row] not in UNPROMISED

    @property
    def text(self) -> str:
        """As Markdown."""
        expression, allowed = self.group.expressions[self.row], self.group.steps[self.row]
        span = "all values" if not self.group.between else "{:g} to {:g}".format(*self.group.between[self.row])
        promise = str(allowed) if self.is_promised else f"{allowed} (not promised: {UNPROMISED[expression]})"
        equal = f"{int((self.steps == 0).sum())} of {self.steps.size}"
        return f"| {self.group.name} | `{expression}` | {span} | {promise} | {int(self.steps.max())} | {equal} |"


def bounded_rows() -> list[Bounded]:
    """Return every expression that is promised within steps, or not at all."""
    inexact = [group for group in groups() if not group.exact]
    return [Bounded(group, row, steps) for group in inexact for row, steps in enumerate(apart(group, emulated(group)))]


def names_and_counts() -> Iterator[tuple[str, int, int]]:
    """Return what the first table must name: groups held to the GPU's bits, with their expressions and results."""
    for group in groups():
        if group.exact:
            yield group.name, len(group.expressions), len(group.expressions) * results_each(group)


def page(promised: Sequence[Row], others: Sequence[Row], bounded: Sequence[Bounded]) -> str:
    """Return the page."""
    lines = [
        "# What the emulator computes as an H200 does",
        "",
        f"Made by `python -m tests.helpers.semantics_table` with {emulator().info.properties['compiler']}; the GPU:",
        f"{truth()['about']}.",
        "",
        "Each expression is compiled by nvcc for the GPU and by the emulator for the CPU, and run on both over edge values and",
        "random ones. `tests/integration/emulator/test_emulator_truth.py` holds all of it; what differs on purpose stands in",
        "[NOT_GPU_LIKE.md](../resources/emulator/NOT_GPU_LIKE.md).",
        "",
        "## Equal bit for bit",
        "",
        "Where CUDA's documents or the PTX ISA promise the bits, and for integer division by zero, which an H200 answers with",
        "all ones. Any NaN equals any other.",
        "",
        "| group | expressions | results compared | equal | farthest |",
        "|---|---|---|---|---|",
        *(row.text for row in promised),
        "",
        "## Tensor cores and textures",
        "",
        "CUDA promises no bits here. Tiles are compared where every sum is exact, and are held to equality. Point filtering and",
        "linear filtering of 8-bit values are held to equality; linear filtering of floats to one step of the largest texel.",
        "",
        "| what | cases | results compared | equal | farthest |",
        "|---|---|---|---|---|",
        *(row.text for row in others),
        "",
        "## Within steps",
        "",
        "One step is one unit in the last place. Allowed are the documentation's bound for the GPU and one step for the",
        "emulator. `3 +` stands before functions whose absolute error is bounded.",
        "",
        "| group | expression | inputs | allowed | farthest | equal |",
        "|---|---|---|---|---|---|",
        *(row.text for row in bounded),
        "",
    ]
    return "\n".join(lines)


def line(promised: Sequence[Row], others: Sequence[Row], bounded: Sequence[Bounded]) -> str:
    """Return README's line."""
    exact, results = sum(row.expressions for row in promised), sum(row.results for row in promised) / 1e6
    held = [row for row in bounded if row.is_promised]
    farthest = int(max(row.steps.max() for row in held))
    return (
        f"Numbers: {exact} expressions equal the GPU bit for bit in all {results:.1f} million results; {len(held)} more stay "
        f"within the documented steps (farthest {farthest}), {len(bounded) - len(held)} are not promised; "
        f"{sum(row.expressions for row in others)} cases of tensor cores and textures agree: each of them in "
        "[`docs/emulator-semantics.md`](docs/emulator-semantics.md)."
    )


def main() -> None:
    """Write the page, and the line into README.md."""
    promised, others, bounded = promised_rows(), [*tile_rows(), *texture_rows()], bounded_rows()
    PAGE.write_text(page(promised, others, bounded), encoding="utf-8")
    readme = ROOT / "README.md"
    head, rest = readme.read_text(encoding="utf-8").split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    readme.write_text(f"{head}{BEGIN}\n\n{line(promised, others, bounded)}\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
