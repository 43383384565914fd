"""The table of the agreement set, made from the truth and from what the emulator gives now: no line in it is written by hand.

python -m tests.helpers.agreement.table      writes docs/agreement.md and README's short form between its marks
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from tests.helpers.agreement.comparing import Closeness, compare
from tests.helpers.agreement.index import Entry, entries
from tests.helpers.agreement.running import compile_on, run_on
from tests.helpers.agreement.truth import Measured, Truth, read_results, read_truth
from tests.helpers.emulator_bench import emulator
from workbench.paths import cache_folder
from workbench.plugin_api import Fault

ROOT = Path(__file__).resolve().parents[3]
BEGIN, END = "<!-- AGREEMENT: made by python -m tests.helpers.agreement.table -->", "<!-- /AGREEMENT -->"


_LONG = {"GPU at fault": "differs, the GPU's compiler being at fault (the emulator agrees with NumPy)"}


class Outcome(msgspec.Struct, frozen=True):
    """One kernel: how close the emulator comes to the GPU, or why it was not compared."""

    entry: Entry
    measured: Measured
    closeness: Closeness | None
    refused: str = ""

    @property
    def kind(self) -> str:
        """One of: bit for bit, within its bound, GPU at fault, differs, refused, not measured."""
        if self.refused:
            return "refused"
        if self.closeness is None:
            return "not measured"
        if self.closeness.bits:
            return "bit for bit"
        if self.closeness.agrees:
            return "within its bound"
        return "GPU at fault" if self.entry.gpu_fault else "differs"


def outcome_of(entry: Entry, measured: Measured) -> Outcome:
    """Run one kernel on the emulator and compare it with the truth."""
    try:
        mine = run_on(emulator(), entry, compile_on(emulator(), entry, cache_folder() / "kernels"))
    except Fault as fault:
        return Outcome(entry, measured, None, f"{fault.failure.kind}: {fault.failure.message}")
    return Outcome(entry, measured, None if measured.error else compare(entry, mine, read_results(entry)))


def _bound(entry: Entry) -> str:
    floating = any(argument.is_result and argument.dtype.startswith(("float", "bfloat")) for argument in entry.arguments)
    if not floating or not (entry.relative or entry.absolute):
        return "equal bits"
    parts = [f"relative {entry.relative:g}"] if entry.relative else []
    parts += [f"absolute {entry.absolute:g}"] if entry.absolute else []
    parts += [f"{name} {bound:g}" for name, bound in entry.closer.items()]
    return ", ".join(parts)


def _seen(outcome: Outcome) -> str:
    if outcome.refused:
        return f"refused: {outcome.refused}"
    if outcome.closeness is None:
        return f"not measured: {outcome.measured.error}"
    if outcome.kind == "bit for bit":
        return "agrees bit for bit"
    if outcome.kind == "within its bound":
        return f"agrees, worst deviation {outcome.closeness.worst:.1g}"
    if outcome.kind == "GPU at fault":
        return f"differs, and the GPU is wrong: {outcome.entry.gpu_fault}; the emulator agrees with NumPy"
    return f"DIFFERS at {outcome.closeness.where}"


def table(outcomes: Sequence[Outcome]) -> str:
    """Return the Markdown table, a line a kernel."""
    lines = ["| kernel | style | asked for | emulator against GPU | why this bound |", "|---|---|---|---|---|"]
    for outcome in outcomes:
        entry = outcome.entry
        again = "" if outcome.measured.repeatable else " (the GPU's own results differ from run to run)"
        cells = (f"`{entry.name}`", ", ".join(entry.style), _bound(entry), _seen(outcome) + again, entry.why)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def summary(truth: Truth, outcomes: Sequence[Outcome]) -> str:
    """Return the short form: how many of each kind, on which device and date."""
    counts = Counter(outcome.kind for outcome in outcomes)
    kinds = ("bit for bit", "within its bound", "GPU at fault", "differs", "refused", "not measured")
    lines = ["| emulator against GPU | kernels |", "|---|---:|"]
    lines += [
        f"| {_LONG.get(kind, kind)} | {counts[kind]} |"
        for kind in kinds
        if counts[kind] or kind in ("bit for bit", "differs", "refused")
    ]
    told = f"{len(outcomes)} kernels of different styles, measured on {truth.device}"
    return f"{told} ({truth.date}, driver {truth.environment.get('driver', 'unknown')}).\n\n" + "\n".join(lines)


DOCUMENT = """# Agreement of the emulator with a GPU

Kernels written for this purpose in the styles of public suites (`tests/data/agreement`), launched with the same inputs on the
emulator and on the GPU. A deviation is |emulator - GPU| / (|GPU| + RMS(GPU)), the worst over all results of a kernel; integers
and kernels whose roundings are all written out must be equal bit for bit. `make full` repeats the comparison.

{summary}

{table}
"""


def main() -> None:
    """Write both documents."""
    truth = read_truth()
    outcomes = [outcome_of(entry, truth.kernels[entry.name]) for entry in entries()]
    short = summary(truth, outcomes)
    document = DOCUMENT.format(summary=short, table=table(outcomes))
    (ROOT / "docs" / "agreement.md").write_text(document, encoding="utf-8")
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    if BEGIN in text:
        head, rest = text.split(BEGIN, 1)
        readme.write_text(f"{head}{BEGIN}\n\n{short}\n\n{END}{rest.split(END, 1)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
