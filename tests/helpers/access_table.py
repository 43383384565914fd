"""The table of requests, sectors, wavefronts and conflicts beside an H200's counters: no number in it is written by hand.

python -m tests.helpers.access_table      writes docs/emulator-access-truth.md and its line in README.md

tests/integration/emulator/test_emulator_access_measured.py holds each row to what the emulator says now,
tests/rules/test_readme.py the line to the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.helpers.access_launches import read_launches
from tests.helpers.access_truth import WITHIN, Compared, compare, truth
from tests.helpers.readme_table import ROOT

PAGE = ROOT / "docs" / "emulator-access-truth.md"
BEGIN, END = "<!-- ACCESS: made by python -m tests.helpers.access_table -->", "<!-- /ACCESS -->"
_HEAD = "| kernel | counter | emulator | H200, nvcc | H200, CuPy | agrees | lines are |"
_EQUAL, _ONE, _NEAR, _NOT = "yes", "with one compile", "nearly", "**no**"


def rows(compared: Sequence[Compared]) -> list[str]:
    """Return the table's rows of one launch, and a sentence for each line of it that is only source-level."""
    found = [_row(row) for row in compared]
    lines = {(line.line, line.space, line.kind): line for row in compared for line in row.loose}
    return found + [
        f"- `{compared[0].kernel}`, line {line.line}, {line.space} {line.kind}: {line.reason}" for line in lines.values()
    ]


def _row(row: Compared) -> str:
    short = row.metric.removesuffix(".sum").replace("_pipe_lsu", "")
    cells = [f"`{row.kernel}`", f"`{short}`", str(row.ours), *(_figure(row.counted, name) for name in ("nvcc", "cupy"))]
    return f"| {' | '.join(cells)} | {_agrees(row)} | {'exact' if row.is_exact else 'source-level'} |"


def _figure(counted: Mapping[str, int], name: str) -> str:
    return str(counted[name]) if name in counted else "not measured"


def _agrees(row: Compared) -> str:
    if row.is_everywhere_equal:
        return _EQUAL
    if row.is_equal:
        return _ONE
    return _NEAR if row.holds else _NOT


def page(every: Sequence[Sequence[Compared]]) -> str:
    """Return the document."""
    made = [rows(compared) for compared in every]
    return "\n".join(
        [
            *_opening(),
            _HEAD,
            "|---|---|---:|---:|---:|---|---|",
            *(text for group in made for text in group if text.startswith("|")),
            "",
            "## Lines that are only source-level, and why",
            "",
            *(text for group in made for text in group if text.startswith("-")),
            "",
            "## What else to know",
            "",
            "- `nested`: the store of consecutive words took more wavefronts in the run of nvcc's code than in that of CuPy's;",
            "  such a store has no bank conflict.",
            f"- {_probes()} probes of one warp with known addresses (tests/data/access/probes.cu) are held to the counters.",
            *(f"- {remark}" for remark in truth().remarks),
            "",
        ]
    )


def _opening() -> list[str]:
    known = truth()
    return [
        "# Memory access: the emulator beside an H200",
        "",
        f"Made by `python -m tests.helpers.access_table`. Measured on {known.device}, driver {known.driver}, {known.date},",
        f"with Nsight Compute {known.ncu.split()[1]} and nvcc ({known.nvcc}); the figures and how",
        "they came about are in [tests/data/access](../tests/data/access). How to read the names:",
        "[emulator-access.md](emulator-access.md).",
        "",
        "Every launch was counted twice on the GPU: compiled by nvcc, and by NVRTC through CuPy. *yes* is equality with both,",
        f"*with one compile* with one of them, the GPU having counted differently; *nearly* is within {WITHIN:.0%}. Counters",
        "that are 0 on all sides are left out. Names are Nsight Compute's without `_pipe_lsu` and `.sum`. Atomics were",
        "measured with nvcc alone; `op_atom` holds those whose result nobody uses (`red`) too, which the source does not tell",
        "apart.",
        "",
    ]


def _probes() -> int:
    return sum(len(patterns) for patterns in truth().probes.values())


def line(text: str) -> str:
    """Return README's line, counted in the page's text."""
    table = [row.split(" | ") for row in text.splitlines() if row.startswith("| `")]
    agrees = [row[5] for row in table]
    loose = sum(row.startswith("- `") and ", line " in row for row in text.splitlines())
    known = truth()
    return (
        f"Memory access: {len(table)} counters (requests, sectors, wavefronts, bank conflicts, atomics) of "
        f"{len({row[0] for row in table})} kernels on {known.device} ({known.date}, driver {known.driver}): "
        f"{agrees.count(_EQUAL)} equal, {agrees.count(_ONE)} equal with one of two compilers where the GPU counted differently "
        f"for each, {agrees.count(_NEAR)} within {WITHIN:.0%}, {agrees.count(_NOT)} differ; {loose} lines are marked "
        f"source-level with their reasons; {_probes()} single requests agree: each of them in "
        "[`docs/emulator-access-truth.md`](docs/emulator-access-truth.md)."
    )


def between(text: str) -> str:
    """Return what stands between the marks."""
    return text.split(BEGIN, 1)[1].split(END, 1)[0].strip()


def main() -> None:
    """Write the page, and the line into README.md."""
    text = page([compare(one) for one in read_launches()])
    PAGE.write_text(text, encoding="utf-8")
    readme = ROOT / "README.md"
    head, rest = readme.read_text(encoding="utf-8").split(BEGIN, 1)
    readme.write_text(f"{head}{BEGIN}\n\n{line(text)}\n\n{END}{rest.split(END, 1)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
