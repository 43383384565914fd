"""The table of who finds what in the planted faults, made from their heads and from what compute-sanitizer said on a GPU.

python -m tests.helpers.fault_table      writes docs/emulator-sanitizer.md and README's short form between their marks

The emulator's column is what the heads expect: tests/integration/emulator/test_emulator_sanitizer.py holds it to that.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from tests.helpers.fault_kernels import FOLDER, FaultKernel, every_kernel
from workbench.model.sanitizer import Tool

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "emulator-sanitizer.md"
BEGIN, END = "<!-- FAULTS: made by python -m tests.helpers.fault_table -->", "<!-- /FAULTS -->"
TOOLS: tuple[Tool, ...] = ("memcheck", "racecheck", "initcheck", "synccheck")
KINDS: Mapping[str, str] = {
    "OutOfBounds": "access out of bounds", "Misaligned": "misaligned access", "Uninitialised": "read of unwritten memory",
    "RaceInBlock": "race within a block", "RaceBetweenBlocks": "race between blocks", "BarriersDiffer": "barrier that some miss",
    "Deadlock": "threads that wait for each other", "WarpOperation": "warp operation with a wrong mask",
}  # fmt: skip
_SEVERITIES = re.compile(r"\((\d+) errors?, (\d+) warnings?\)")


class Said(msgspec.Struct, frozen=True):
    """What one tool said of one program; `lines` are the kernel's, `ended` an exit status or `time limit`."""

    found: bool
    lines: tuple[int, ...]
    summary: tuple[str, ...]
    ended: int | str

    @property
    def severity(self) -> str:
        """The worst of its findings: `error`, `warning`, or empty where it found nothing."""
        counts = [(int(errors), int(warnings)) for text in self.summary for errors, warnings in _SEVERITIES.findall(text)]
        if not self.found:
            return ""
        return "warning" if counts and not any(errors for errors, _ in counts) else "error"


class Measured(msgspec.Struct, frozen=True):
    """What the tools said of one pair. `source` is the digest of the file that was measured."""

    source: str
    fault: Mapping[str, Said]
    clean: Mapping[str, Said]


class Truth(msgspec.Struct, frozen=True, rename={"version": "compute-sanitizer"}):
    """tests/data/faults/compute-sanitizer.json."""

    date: str
    device: str
    version: tuple[str, ...]
    nvcc: tuple[str, ...]
    kernels: Mapping[str, Measured]

    @property
    def setting(self) -> str:
        """Device, driver, version and date for a sentence."""
        name, driver = self.device.split(", ")
        version = self.version[0].split()[1] if self.version else "?"
        return f"{name}, driver {driver}, compute-sanitizer {version}, {self.date}"

    def of(self, pair: FaultKernel) -> Measured | None:
        """Return what was measured of a pair, None where the file is another one by now."""
        found = self.kernels.get(pair.name)
        return found if found is not None and found.source == pair.digest else None


def read_truth() -> Truth:
    """Return the measurement. Raises OSError where it is missing."""
    return msgspec.json.decode((FOLDER / "compute-sanitizer.json").read_bytes(), type=Truth)


def read_reasons() -> Mapping[str, str]:
    """Return why compute-sanitizer and the emulator disagree, by fault."""
    return tomllib.loads((FOLDER / "reasons.toml").read_text(encoding="utf-8"))


def disagrees(pair: FaultKernel, measured: Measured) -> bool:
    """Return whether compute-sanitizer misses a fault, its line, or its severity."""
    found = [said for said in measured.fault.values() if said.found]
    return not any(pair.line in said.lines and said.severity == pair.severity for said in found)


def _cell(pair: FaultKernel, said: Said) -> str:
    if not said.found:
        return "hangs" if said.ended == "time limit" else "-"
    return said.severity if pair.line in said.lines else f"{said.severity}, lines {', '.join(map(str, said.lines))}"


def _row(pair: FaultKernel, measured: Measured | None, reasons: Mapping[str, str]) -> str:
    cells = [_cell(pair, measured.fault[tool]) for tool in TOOLS] if measured else ["not measured"] * len(TOOLS)
    link = f"[{pair.name}](../tests/data/faults/{pair.name}.cu)"
    cells = [link, KINDS[pair.kind], str(pair.line), pair.severity, *cells, reasons.get(pair.name, "")]
    return f"| {' | '.join(cells)} |"


def long_form() -> str:
    """Return the whole table with what stands above it."""
    truth, reasons, pairs = read_truth(), read_reasons(), every_kernel()
    head = f"Measured on {truth.setting}."
    heads = ("fault", "kind", "line", "emulator", *TOOLS, "why compute-sanitizer differs")
    rows = [f"| {' | '.join(heads)} |", "|---|---|---:|" + "---|" * (len(heads) - 3)]
    rows += [_row(pair, truth.of(pair), reasons) for pair in pairs]
    return "\n\n".join((head, "\n".join(rows), twins_sentence(truth, pairs)))


def twins_sentence(truth: Truth, pairs: Sequence[FaultKernel]) -> str:
    """Return what was said of the twins without the fault."""
    measured = [known for pair in pairs if (known := truth.of(pair))]
    told = sum(any(said.found for said in known.clean.values()) for known in measured)
    return (
        f"Twins without the fault: the emulator says nothing of all {len(pairs)}; memcheck and racecheck find something in "
        f"{told} of the {len(measured)} that were measured."
    )


def warnings_sentence(pairs: Sequence[FaultKernel]) -> str:
    """Return how many of the faults that the emulator finds are warnings, which its gate passes."""
    mild = [pair for pair in pairs if pair.severity == "warning"]
    return (
        f"Of the {len(pairs)} that the emulator finds, {len(mild)} are warnings: the report says them, and the emulator's gate "
        f"passes; the other {len(pairs) - len(mild)} are errors and fail it."
    )


def short_form() -> str:
    """Return the counts for README."""
    truth, pairs = read_truth(), every_kernel()
    rows = ["| planted fault | faults | emulator | compute-sanitizer |", "|---|---:|---:|---:|"]
    for kind, title in KINDS.items():
        mine = [pair for pair in pairs if pair.kind == kind]
        rows.append(f"| {title} | {len(mine)} | {len(mine)} | {_found(truth, mine)} |")
    rows.append(f"| all | {len(pairs)} | {len(pairs)} | {_found(truth, pairs)} |")
    head = f"Faults at their line, of {len(pairs)} planted ones ({truth.setting}):"
    return "\n\n".join((head, "\n".join(rows), warnings_sentence(pairs), twins_sentence(truth, pairs)))


def _found(truth: Truth, pairs: Sequence[FaultKernel]) -> str:
    measured = [(pair, known) for pair in pairs if (known := truth.of(pair))]
    found = sum(any(said.found and pair.line in said.lines for said in known.fault.values()) for pair, known in measured)
    return str(found) if len(measured) == len(pairs) else f"{found} of {len(measured)} measured"


def between(text: str) -> str:
    """Return what stands between the marks."""
    return text.split(BEGIN, 1)[1].split(END, 1)[0].strip()


def main() -> None:
    """Write both forms."""
    for path, made in ((DOCUMENT, long_form()), (ROOT / "README.md", short_form())):
        head, rest = path.read_text(encoding="utf-8").split(BEGIN, 1)
        path.write_text(f"{head}{BEGIN}\n\n{made}\n\n{END}{rest.split(END, 1)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
