"""What the last run of a version said, beside its parent and the baseline: the strip under the editor. No widget."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ui.tables.cells import Cell, Column, Tone, number
from workbench import units
from workbench.analysis.gate_count import count_gates
from workbench.model.ledger import Ledger, LedgerLine
from workbench.model.run import CompileData, Regime, Run
from workbench.model.version import Version
from workbench.state.workspace import SessionView
from workbench.texts import message, tr

REGIMES: dict[Regime, str] = {"cold": "cold L2", "warm": "warm L2", "streaming": "streaming", "cpu": "on the CPU"}


class Side(NamedTuple):
    """One version with what is known of it on a device; every part may be missing."""

    version: Version | None = None
    line: LedgerLine | None = None
    run: Run | None = None

    @property
    def compiled(self) -> CompileData | None:
        """What the compiler said."""
        record = self.run.last("compile") if self.run else None
        return record.compile if record else None


class LastRun(NamedTuple):
    """The strip: columns, rows, and the note in its head."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str


def shown_device(view: SessionView, device: str) -> str:
    """Return the device whose numbers are shown: the chosen one; where the session has no run on it, the one of its ledger."""
    return view.ledger.device if view.ledger and device not in view.ledgers else device


def ledger_of(view: SessionView, device: str) -> Ledger | None:
    """Return the ledger of the device whose numbers are shown."""
    shown = shown_device(view, device)
    return view.ledgers.get(shown) or (view.ledger if view.ledger and view.ledger.device == shown else None)


def side(view: SessionView, digest: str | None, device: str) -> Side:
    """Return a version with its ledger line and its newest run on a device."""
    version = view.version(digest)
    if version is None:
        return Side()
    ledger = ledger_of(view, device)
    line = next((line for line in ledger.lines if line.version == digest), None) if ledger else None
    runs = {run.id: run for run in view.runs}
    own = runs.get(line.run) if line and line.run is not None else None
    return Side(version, line, own or view.latest_run(version.hash, device))


def regime_name(run: Run | None) -> str:
    """Return the regime a run was timed in, as words."""
    record = run.last("time") if run else None
    return tr(REGIMES[record.time.regime]) if record and record.time else ""


def last_run(view: SessionView, digest: str | None, device: str) -> LastRun:
    """Return the strip for a version on a device, or on the one whose numbers are shown instead."""
    chosen, device = device, shown_device(view, device)
    this = side(view, digest, device)
    parent = side(view, this.version.parent if this.version else None, device)
    ledger = ledger_of(view, device)
    first = next((line.version for line in ledger.lines if line.chip == "BASELINE"), None) if ledger else None
    baseline = side(view, first, device)
    shown = [known for known in _distinct(baseline, parent, this) if known.version]
    columns = [Column(tr("Metric"), stretch=True)]
    columns += [Column(known.version.name if known.version else "", right=True) for known in shown]
    columns.append(Column(tr("against parent"), right=True, drop=1))
    rows = _rows(shown, this, parent, books=ledger.books_gains if ledger else True)
    elsewhere = str(message("on {device}, not run on {chosen}", device=device, chosen=chosen))
    note = " · ".join(part for part in (_note(this), elsewhere if device != chosen else "") if part)
    return LastRun(tuple(columns), tuple(rows), note)


def _distinct(baseline: Side, parent: Side, this: Side) -> list[Side]:
    seen: dict[str, Side] = {}
    for known in (baseline, parent, this):
        if known.version:
            seen.setdefault(known.version.hash, known)
    return list(seen.values())


def _note(this: Side) -> str:
    if this.version is None:
        return ""
    if this.run is None:
        return str(message("{hash} · not run on this device", hash=units.short_hash(this.version.hash)))
    passes = [
        f"{tr(record.name)} {units.duration(record.seconds, 2)}" for record in this.run.passes if record.status == "finished"
    ]
    failed = [str(message("{name} failed", name=tr(record.name))) for record in this.run.passes if record.failure]
    return " · ".join([units.short_hash(this.version.hash), *passes, *failed])


def _rows(shown: list[Side], this: Side, parent: Side, *, books: bool) -> list[tuple[Cell, ...]]:
    regime = regime_name(this.run) or regime_name(parent.run)
    time_title = str(message("Kernel time, {regime}", regime=regime)) if regime else tr("Kernel time")
    measures: list[tuple[str, Callable[[Side], str], Cell]] = [
        (time_title, _time, _change(this, books)),
        (tr("Worst error, relative"), _worst, _error_change(this, parent)),
        (tr("Gates passed"), _gates, Cell()),
        (tr("Registers · spills"), _registers, Cell()),
        (tr("Shared memory, static"), _shared, Cell()),
        (tr("End to end"), _end_to_end, Cell()),
    ]
    rows = []
    for index, (title, measure, change) in enumerate(measures):
        cpu = index == 0 and not books and any(_time(known) != units.MISSING for known in shown)
        head = Cell(title, chip="CPU TIME" if cpu else None)
        rows.append((head, *[_value(measure(known), known is this) for known in shown], change))
    return rows


def _value(text: str, this: bool) -> Cell:
    tone: Tone = "faint" if text == units.MISSING else ("text" if this else "dim")
    return number(text, tone)


def _time(known: Side) -> str:
    return units.duration(known.line.kernel_time.value if known.line else None)


def _change(this: Side, books: bool) -> Cell:
    speedup = this.line.parent_speedup.value if this.line and books else None
    return number(units.signed_percent(1 / speedup - 1 if speedup else None), "dim" if not speedup else "text")


def _worst(known: Side) -> str:
    worst = known.line.worst if known.line else None
    return units.scientific(worst.relative_error) if worst else units.MISSING


def _error_change(this: Side, parent: Side) -> Cell:
    own, old = (known.line.worst if known.line else None for known in (this, parent))
    if own is None or old is None or not old.relative_error:
        return Cell()
    return number(units.ratio(own.relative_error / old.relative_error), "dim")


def _gates(known: Side) -> str:
    return count_gates(known.line.gates).line if known.line else units.MISSING


def _registers(known: Side) -> str:
    found = known.compiled
    if found is None or (found.registers is None and found.spill_bytes is None):
        return units.MISSING
    return f"{units.count(found.registers)} · {units.size(found.spill_bytes)}"


def _shared(known: Side) -> str:
    return units.size(known.compiled.static_shared_bytes if known.compiled else None)


def _end_to_end(known: Side) -> str:
    return units.duration(known.line.end_to_end.value if known.line else None)
