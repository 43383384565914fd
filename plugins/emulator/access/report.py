"""The report: lines in source order, totals under Nsight Compute's names, arrays, and what the reader must know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plugins.emulator.access.machine import Machine
from plugins.emulator.access.requests import GLOBAL_SPACE, NO_ARRAY, SHARED_SPACE, Region
from plugins.emulator.access.summary import Summary, array_name, key_of
from workbench.plugin_api import AccessReport, ArrayAccess, LineAccess, Message, ResolvedLaunch, WarpPicture, message

READ, WRITE, ATOMIC = range(3)
MISSING = (
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "smsp__inst_executed_op_global_ld.sum",
    "smsp__inst_executed_op_global_st.sum",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    "gpu__time_duration.sum",
)
"""What the emulator cannot know: counts of instructions hold those whose lanes are all switched off, and time is the GPU's."""
_OPERATIONS = ((READ, "ld"), (WRITE, "st"))


@dataclass(frozen=True)
class Scene:
    """What the sums belong to. `traced` blocks of the launch's grid were kept; `text` are the lines of the source."""

    launch: ResolvedLaunch
    traced: int
    regions: Sequence[Region]
    machine: Machine
    text: Sequence[str]

    @property
    def blocks(self) -> int:
        """Blocks of the grid."""
        x, y, z = self.launch.grid
        return x * y * z


Sums = Mapping[tuple[int, int, int], Message | None]
"""(line, space, kind) -> why it is only source-level."""


def make_report(
    scene: Scene, summary: Summary, reasons: Sums, pictures: tuple[WarpPicture, ...], seconds: tuple[float, float]
) -> AccessReport:
    """Return the report; `sizes` is left empty, `seconds` are those of the traced launch and of the analysis."""
    lines = tuple(_line(scene, summary, key, reasons[key]) for key in sorted(summary.lines))
    counted = [line for line in lines if line.space in ("global", "shared") and line.kind != "atomic"]
    return AccessReport(
        grid=scene.launch.grid, block=scene.launch.block, sizes={}, blocks=scene.blocks, traced_blocks=scene.traced, lines=lines,
        totals=_totals(summary), totals_exact=bool(counted) and all(line.exactness == "exact" for line in counted),
        arrays=_arrays(scene, summary), pictures=pictures, machine=scene.machine.title, notes=tuple(_notes(scene, lines)),
        trace_seconds=seconds[0], analysis_seconds=seconds[1],
    )  # fmt: skip


def _line(scene: Scene, summary: Summary, key: tuple[int, int, int], reason: Message | None) -> LineAccess:
    number, space, kind = key_of(key)
    found = summary.lines[key]
    names = [array_name(scene.regions, array) for array, _ in sorted(found.arrays.items(), key=lambda item: -item[1])]
    distinct = summary.distinct(key)
    return LineAccess(
        line=number, space=space, kind=kind, text=scene.text[number - 1].strip() if 0 < number <= len(scene.text) else "",
        arrays=tuple(dict.fromkeys(name for name in names if name)), widths=tuple(sorted(found.widths)),
        worst_ways=found.worst_ways, first_touches=distinct,
        re_reads=found.counts["sectors"] - distinct if space == "global" else 0,
        exactness="exact" if reason is None else "source-level", reason=reason, **found.counts,
    )  # fmt: skip


def _sum(summary: Summary, space: int, kind: int, count: str) -> int:
    return sum(line.counts[count] for key, line in summary.lines.items() if key[1:] == (space, kind))


def _totals(summary: Summary) -> dict[str, int | None]:
    """Return the sums as Nsight Compute names them (Kernel Profiling Guide, metrics reference)."""
    totals: dict[str, int | None] = {}
    for kind, name in _OPERATIONS:
        for count in ("requests", "sectors"):
            totals[f"l1tex__t_{count}_pipe_lsu_mem_global_op_{name}.sum"] = _sum(summary, GLOBAL_SPACE, kind, count)
    for kind, name in _OPERATIONS:
        fronts = _sum(summary, SHARED_SPACE, kind, "wavefronts")
        ideal = _sum(summary, SHARED_SPACE, kind, "ideal_wavefronts")
        totals[f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{name}.sum"] = fronts
        totals[f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{name}.sum"] = fronts - ideal
    return totals | dict.fromkeys(MISSING)


def _arrays(scene: Scene, summary: Summary) -> tuple[ArrayAccess, ...]:
    found = []
    for index in sorted({array for array, _ in summary.array_sectors if array != NO_ARRAY}):
        region = scene.regions[index]
        sectors = {kind: summary.array_sectors.get((index, kind), 0) for kind in (READ, WRITE, ATOMIC)}
        found.append(
            ArrayAccess(
                region.name, region.bytes, sectors[READ], sectors[WRITE], sectors[ATOMIC],
                summary.distinct_of_array(index, READ), summary.distinct_of_array(index, WRITE),
            )
        )  # fmt: skip
    return tuple(found)


def _notes(scene: Scene, lines: Sequence[LineAccess]) -> list[Message]:
    notes = []
    if scene.traced < scene.blocks:
        notes.append(
            message(
                "{traced} of {blocks} blocks were traced, spread over the grid; every count is of these blocks alone.",
                traced=scene.traced,
                blocks=scene.blocks,
            )
        )
    if scene.machine.reason is not None:
        notes.append(scene.machine.reason)
    unseen = _unseen_local(scene, lines)
    if unseen:
        notes.append(
            message(
                "The compiler keeps local memory at lines {lines}, whose accesses are not traced: arrays that no pointer leaves.",
                lines=", ".join(str(line) for line in unseen),
            )
        )
    if any(line.line == 0 for line in lines):
        notes.append(
            message("Some accesses belong to no line of this file (a header, a macro's expansion); they stand under line 0.")
        )
    return notes


def _unseen_local(scene: Scene, lines: Sequence[LineAccess]) -> list[int]:
    """Return the lines where the machine accesses local memory and the trace saw none: spills and arrays without an address."""
    listed = scene.machine.ptx if scene.machine.sass is None else scene.machine.sass
    seen = {line.line for line in lines if line.space == "local"}
    return sorted({access.line for access in listed if access.space == "local"} - seen)
