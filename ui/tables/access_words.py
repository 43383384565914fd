"""What the access page and the editor's margin say of memory access: facts, table rows and the length of the bars. No widget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ui.tables.cells import Cell, Column, number
from ui.widgets.gutter import LineBar
from workbench import units
from workbench.model.access import SECTOR_BYTES, AccessKind, AccessReport, LineAccess, Space, WarpPicture
from workbench.model.cache import Traffic
from workbench.model.ledger import Chip
from workbench.texts import message, tr

Tone = Literal["neutral", "doubt", "wrong"]
WAVEFRONT_BYTES = 128
"""What one pass of the shared memory can move: 32 banks of 4 bytes."""
_SOME, _MUCH = 0.1, 0.5
"""Shares of wasted work from which a bar is drawn in the colour of doubt, and of what is wrong."""

_SPACES: dict[Space, str] = {"global": "Global", "shared": "Shared", "local": "Local", "constant": "Constant"}
_KINDS: dict[AccessKind, str] = {"read": "load", "write": "store", "atomic": "atomic"}

COLUMNS = (
    Column("Line", right=True),
    Column("Source", stretch=True, drop=2, least=150),
    Column("Access"),
    Column("Requests", right=True, drop=5),
    Column("Each takes", right=True),
    Column("Ideal", right=True),
    Column("Lanes", right=True, drop=4),
    Column("Used", right=True, drop=3),
    Column("Re-read", right=True, drop=6),
    Column("Counted", drop=1),
)
ARRAY_COLUMNS = (
    Column("Array", stretch=True),
    Column("Sectors read", right=True),
    Column("distinct", right=True),
    Column("written", right=True, drop=1),
    Column("L2 hits", right=True, drop=2),
)


class Fact(NamedTuple):
    """One row of a line's card."""

    title: str
    value: str
    chip: Chip | None = None


def title(space: Space, kind: AccessKind) -> str:
    """Return what an access is called: `Global load`."""
    return f"{tr(_SPACES[space])} {tr(_KINDS[kind])}"


def cost(line: LineAccess) -> int:
    """Return the bytes that the memory's passes of a line could have moved: the common measure of global and shared."""
    return line.sectors * SECTOR_BYTES + line.wavefronts * WAVEFRONT_BYTES


def waste(line: LineAccess) -> float:
    """Return the share of a line's passes that better addresses would save, 0 to 1."""
    done, ideal = (line.wavefronts, line.ideal_wavefronts) if line.space == "shared" else (line.sectors, line.ideal_sectors)
    return 1 - ideal / done if done and ideal else 0.0


def bars(report: AccessReport) -> dict[int, LineBar]:
    """Return the bar of each line (from 0) that touches global or shared memory; the longest one costs most."""
    costs: dict[int, int] = {}
    worst: dict[int, float] = {}
    said: dict[int, list[str]] = {}
    for line in report.lines:
        if line.line < 1 or not cost(line):
            continue
        at = line.line - 1
        costs[at] = costs.get(at, 0) + cost(line)
        worst[at] = max(worst.get(at, 0.0), waste(line))
        said.setdefault(at, []).append(summary(line))
    most = max(costs.values(), default=1)
    return {at: LineBar(costs[at] / most, tone(worst[at]), "\n".join(said[at])) for at in costs}


def tone(share: float) -> Tone:
    """Return the colour for a share of wasted work."""
    return "wrong" if share >= _MUCH else "doubt" if share >= _SOME else "neutral"


def summary(line: LineAccess) -> str:
    """Return one line for a tooltip."""
    name = title(line.space, line.kind)
    if line.space == "shared":
        return str(message("{name}: {ways}-way, {chip}", name=name, ways=_plain(line.ways), chip=tr(line.exactness)))
    return str(
        message(
            "{name}: {sectors} sectors per request, ideal {ideal}, {chip}",
            name=name, sectors=_mean(line.sectors, line), ideal=_mean(line.ideal_sectors, line), chip=tr(line.exactness),
        )
    )  # fmt: skip


def _mean(total: int, line: LineAccess) -> str:
    return _plain(total / line.requests) if line.requests else "—"


def _plain(value: float) -> str:
    """Return a mean of counts: three digits, whole numbers without a point."""
    return f"{value:.3g}" if value < 1000 else units.count(round(value))


def headline(report: AccessReport) -> str:
    """Return the page's first sentence: the line that costs most, and what better addresses would save there."""
    lines = [line for line in report.lines if cost(line)]
    if not lines:
        return tr("The traced blocks touch neither global nor shared memory.")
    most = max(lines, key=cost)
    share = units.percent(cost(most) / sum(map(cost, lines)), 0)
    if waste(most) >= _SOME:
        return str(
            message(
                "Line {line} costs most: {share} of all memory passes, {waste} of them only because of its addresses.",
                line=most.line, share=share, waste=units.percent(waste(most), 0),
            )
        )  # fmt: skip
    return str(message("Line {line} costs most, {share} of all memory passes; its addresses are close to ideal.",
                       line=most.line, share=share))  # fmt: skip


def below(report: AccessReport) -> str:
    """Return what stands under the headline: what was traced, and the notes."""
    traced = (
        message("{some} of {all} blocks traced", some=units.count(report.traced_blocks), all=units.count(report.blocks))
        if report.sampled
        else message("All {all} blocks traced", all=units.count(report.blocks))
    )
    sizes = ", ".join(f"{name}={value}" for name, value in report.sizes.items())
    said = str(message("{traced}; {sizes}.", traced=str(traced), sizes=sizes)) if sizes else f"{traced}."
    source = str(message("Compared with {machine}.", machine=report.machine)) if report.machine else ""
    return " ".join(part for part in (said, source, *map(str, report.notes)) if part)


def rows(report: AccessReport) -> list[tuple[Cell, ...]]:
    """Return a row for each line and kind of access, in source order; where one has a bar all do, so that their texts align."""
    most = max(map(cost, report.lines), default=0)
    return [_row(line, cost(line) / most if most else None) for line in report.lines]


def _row(line: LineAccess, fraction: float | None) -> tuple[Cell, ...]:
    shared = line.space == "shared"
    done, ideal = (line.wavefronts, line.ideal_wavefronts) if shared else (line.sectors, line.ideal_sectors)
    shade = tone(waste(line))
    unit = tr("wavefronts a request, mean") if shared else tr("sectors of 32 bytes a request, mean")
    return (
        number(str(line.line) if line.line else "—", "dim"),
        Cell(
            line.text,
            mono=True,
            bar=None if fraction is None else (fraction, shade),
            tip=line.text,
        ),
        Cell(title(line.space, line.kind), tip=", ".join(line.arrays)),
        number(units.count(line.requests)),
        number(_mean(done, line) if done else "—", "text" if shade == "neutral" else shade)._replace(tip=unit if done else ""),
        number(_mean(ideal, line) if ideal else "—", "dim"),
        number(_plain(line.mean_active_lanes), "doubt" if line.mean_active_lanes < 16 else "text"),
        number("—" if shared or not line.sectors else units.percent(line.efficiency, 0)),
        number("—" if shared or not line.sectors else units.percent(line.re_reads / line.sectors, 0)),
        Cell(chip=line.exactness, tip=str(line.reason) if line.reason else ""),
    )


def columns(titles: Sequence[Column] = COLUMNS) -> tuple[Column, ...]:
    """Return the table's columns in the language of now."""
    return tuple(column._replace(title=tr(column.title)) for column in titles)


def dearest_line(report: AccessReport) -> int:
    """Return the line that costs most, 0 without one."""
    return max(report.lines, key=cost).line if report.lines else 0


def cache_note(report: AccessReport) -> str:
    """Return what the prediction of the second-level cache rests on, empty without one."""
    cache = report.cache
    if cache is None:
        return ""
    return str(
        message(
            "L2 of {hardware}: {rate} of {reads} sectors read hit (predicted)",
            hardware=cache.hardware, rate=units.percent(cache.total.hit_rate, 0), reads=units.count(cache.total.reads),
        )
    )  # fmt: skip


def array_rows(report: AccessReport) -> list[tuple[Cell, ...]]:
    """Return a row for each array; hits of the second level are predicted, so their cells say so."""
    arrays = report.cache.arrays if report.cache else {}
    return [
        (
            Cell(array.name, mono=True, tip=units.size(array.bytes) if array.bytes else ""),
            number(units.count(array.read_sectors)),
            number(units.count(array.read_first_touches), "dim"),
            number(units.count(array.written_sectors + array.atomic_sectors)),
            _hits(arrays.get(array.name)),
        )
        for array in report.arrays
    ]


def _hits(traffic: Traffic | None) -> Cell:
    rate = traffic.hit_rate if traffic is not None else None
    if rate is None:
        return Cell("—", "dim", mono=True)
    return Cell(units.percent(rate, 0), mono=True, chip="predicted")


def facts(line: LineAccess) -> list[Fact]:
    """Return what the card of a line says."""
    return [*(_shared_facts(line) if line.space == "shared" else _global_facts(line)), *_common_facts(line)]


def _global_facts(line: LineAccess) -> list[Fact]:
    if not line.sectors:
        return []
    each, ideal = _mean(line.sectors, line), _mean(line.ideal_sectors, line)
    return [
        Fact(tr("Sectors per request"), str(message("{each} · ideal {ideal}", each=each, ideal=ideal))),
        Fact(tr("Bytes used of bytes moved"), units.percent(line.efficiency, 0)),
        Fact(tr("First touches"), units.count(line.first_touches)),
        Fact(tr("Re-reads, which a cache could save"), units.percent(line.re_reads / line.sectors, 0)),
    ]


def _shared_facts(line: LineAccess) -> list[Fact]:
    return [
        Fact(tr("Bank conflicts, mean"), str(message("{ways}-way", ways=_plain(line.ways)))),
        Fact(tr("worst request"), str(message("{ways}-way", ways=line.worst_ways))),
        Fact(tr("Wavefronts per request"), str(message("{each} · ideal {ideal}", each=_mean(line.wavefronts, line),
                                                       ideal=_mean(line.ideal_wavefronts, line)))),
    ]  # fmt: skip


def _common_facts(line: LineAccess) -> list[Fact]:
    widths = ", ".join(str(width) for width in line.widths)
    return [
        Fact(tr("Requests"), units.count(line.requests)),
        Fact(tr("Active lanes, mean of 32"), _plain(line.mean_active_lanes)),
        Fact(tr("Bytes a lane"), widths or "—"),
        Fact(tr("Counted"), "", line.exactness),
    ]


def picture_caption(picture: WarpPicture) -> str:
    """Return what a warp's picture shows, in one line."""
    block = ",".join(map(str, picture.block))
    which = tr("worst request") if picture.why == "worst" else tr("first request")
    return str(
        message(
            "{which}: warp {warp} of block ({block}), {array}, {width} B a lane",
            which=which, warp=picture.warp, block=block, array=picture.array, width=picture.width,
        )
    )  # fmt: skip
