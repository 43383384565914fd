"""An access report as text for a terminal."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from workbench import units
from workbench.analysis.access import by_source_line
from workbench.cli.text import console
from workbench.model.access import AccessReport, LineAccess
from workbench.model.cache import Traffic
from workbench.texts import Message, message, tr

_HEADS = ("line", "access", "requests", "each takes", "ideal", "lanes", "used", "re-read", "counted")
_TEXT_WIDTH = 72
_NUMBERS = {"line", "requests", "each takes", "ideal", "lanes", "used", "re-read"}


def print_access(name: str, report: AccessReport) -> None:
    """Print one row for each access of each line with the line's text above, then totals and notes."""
    grid = " × ".join(str(extent) for extent in report.grid)
    table = Table(title=Text(f"{name} · {grid}"), title_justify="left", box=None, pad_edge=False)
    for title in _HEADS:
        wide = _TEXT_WIDTH if title == "access" else None
        table.add_column(tr(title), justify="right" if title in _NUMBERS else "left", no_wrap=True, max_width=wide)
    out = console()
    for line in by_source_line(report):
        table.add_row(Text(str(line.line)), Text(line.text, style="dim", overflow="ellipsis"))
        for access in line.accesses:
            table.add_row("", *_cells(access))
    out.print(table)
    for metric, value in report.totals.items():
        out.print(f"{metric}  {units.MISSING if value is None else units.count(value)}", soft_wrap=True)
    for sentence in _cache_lines(report):
        out.print(sentence, soft_wrap=True)
    reasons = dict.fromkeys((access.line, str(access.reason)) for access in report.lines if access.reason is not None)
    for number, reason in reasons:
        out.print(str(message("Line {line} is source-level: {reason}", line=number, reason=reason)), soft_wrap=True)
    for note in report.notes:
        out.print(str(note), soft_wrap=True)
    if report.machine:
        out.print(str(message("Compared with {list}.", list=report.machine)), soft_wrap=True)


def _cache_lines(report: AccessReport) -> list[str]:
    """Return what the second level of the named GPU is expected to do, in total and by array; nothing without a prediction."""
    cache = report.cache
    if cache is None:
        return []
    said = [
        str(
            message(
                "L2 of {hardware} (predicted): {rate} of {reads} sectors read hit, {writes} are written.",
                hardware=cache.hardware, rate=units.percent(cache.total.hit_rate, 0), reads=units.count(cache.total.reads),
                writes=units.count(cache.total.writes),
            )
        )
    ]  # fmt: skip
    for name, traffic in cache.arrays.items():
        said.append(f"  {_array_line(name, traffic)}")
    return said


def _array_line(name: str, traffic: Traffic) -> Message:
    if not traffic.reads:
        return message("{array}: nothing read, {writes} written (predicted)", array=name, writes=units.count(traffic.writes))
    return message(
        "{array}: {rate} of {reads} hit, {writes} written (predicted)",
        array=name, rate=units.percent(traffic.hit_rate, 0), reads=units.count(traffic.reads), writes=units.count(traffic.writes),
    )  # fmt: skip


def _cells(access: LineAccess) -> tuple[str, ...]:
    lanes = units.significant(access.mean_active_lanes)
    title = f"{tr(access.space)} {tr(access.kind)} {', '.join(access.arrays)}"
    counted = tr(access.exactness)
    if access.space == "shared":
        each = access.wavefronts / access.requests
        ideal = access.ideal_wavefronts / access.requests
        return (title, units.count(access.requests), units.significant(each), units.significant(ideal), lanes, "", "", counted)
    if access.space == "global":
        ideal = access.ideal_sectors / access.requests
        return (
            title, units.count(access.requests), units.significant(access.sectors_per_request), units.significant(ideal), lanes,
            units.percent(access.efficiency, 0), units.percent(access.re_reads / access.sectors if access.sectors else 0.0, 0),
            counted,
        )  # fmt: skip
    return (title, units.count(access.requests), "", "", lanes, "", "", counted)
