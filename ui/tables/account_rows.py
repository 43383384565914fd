"""What the account page says: the headline, the stage table, what could come next. No widget."""

from __future__ import annotations

from typing import NamedTuple

from ui.tables.cells import Cell, Column, Tone, number
from ui.widgets.stage_look import token
from workbench import units
from workbench.analysis.account_sentences import kernel_check, pairs_note
from workbench.model.ledger import Account, Chip, NextStage
from workbench.texts import Message, message, tr


class Headline(NamedTuple):
    """The sentence over the account, its chip, and what stands below in dim."""

    sentence: str
    chip: Chip | None
    below: str


def headline(account: Account, drift: Message | None = None) -> Headline:
    """Return what the account proves. Without booked gains (CPU time) it claims nothing and says why.

    `drift` is the ledger's note that its baseline took another time in another run; it stands last.
    """
    below = " ".join(str(part) for part in (*_below(account), drift) if part is not None)
    if not account.books_gain:
        said = tr("Where the CPU time went. No gain is claimed here, and no ceiling is predicted.")
        why = tr("The emulator runs the kernel on the processor: it proves the answer, and its time says nothing about a GPU.")
        return Headline(said, "CPU TIME", f"{why} {below}")
    if account.alone:
        said = str(
            message(
                "Where the time of {name} goes. A free kernel would give {ceiling} (predicted).",
                name=account.after_name,
                ceiling=_r(account.ceiling),
            )
        )
        return Headline(said, "BASELINE", below)
    return Headline(str(_claim(account)), account.verdict, below)


def _r(value: float | None) -> str:
    return units.ratio(value)


def _claim(account: Account) -> Message:
    kernel, whole, ceiling = account.kernel_speedup.value, account.speedup.value, account.ceiling
    if kernel is None or whole is None:
        return message("{name} was traced, but its gain was not measured.", name=account.after_name)
    if account.verdict == "FASTER" and kernel > 1 and ceiling is not None and account.ceiling_share is not None:
        return message(
            "The kernel is {kernel} faster; the application {whole}. A free kernel would give {ceiling}: "
            "{share} of the time it could save is saved.",
            kernel=_r(kernel), whole=_r(whole), ceiling=_r(ceiling), share=units.percent(account.ceiling_share, 0),
        )  # fmt: skip
    return message(
        "The kernel runs at {kernel} the baseline’s speed, the application at {whole}. A free kernel would give {ceiling}.",
        kernel=_r(kernel), whole=_r(whole), ceiling=_r(ceiling),
    )  # fmt: skip


def _below(account: Account) -> list[Message]:
    parts = []
    wall, saved = account.wall, account.time_saved.value
    if wall.value is not None:
        spread = units.duration_interval(wall.low, wall.high)
        said = " ".join(part for part in (units.duration(wall.value), spread) if part)
        parts.append(message("Median of {count} interleaved repeats: {time}.", count=account.repeats, time=said))
    if saved is not None and account.wall_before.value and account.ceiling:
        free = account.wall_before.value * (1 - 1 / account.ceiling)
        parts.append(
            message(
                "Time saved is {saved} of the {free} that a free kernel would save.",
                saved=units.duration(saved, 3),
                free=units.duration(free, 3),
            )
        )
    parts += [note for note in (pairs_note(account), kernel_check(account)) if note is not None]
    if account.tracing_factor is not None:
        parts.append(
            message(
                "Stages are of one traced repeat; traced repeats took {factor} as long.",
                factor=units.ratio(account.tracing_factor, 3),
            )
        )
    if (account.remainder_after or 0) < 0 or (account.remainder_before or 0) < 0:
        parts.append(message("The remainder is negative: stages overlap more than the wall time holds, so a clock disagreed."))
    return parts


COLUMNS = (
    Column("Stage of the wall time", stretch=True),
    Column("before, ms", right=True),
    Column("after, ms", right=True),
    Column("change, ms", right=True),
    Column("change, %", right=True, drop=3),
    Column("share before", right=True, drop=2),
    Column("share after", right=True, drop=1),
)


OWN_COLUMNS = (COLUMNS[0], Column("time, ms", right=True), Column("share", right=True))
"""A baseline's own account has no after."""


def columns(account: Account) -> tuple[Column, ...]:
    """Return the table's columns in the language of now."""
    return tuple(column._replace(title=tr(column.title)) for column in (OWN_COLUMNS if account.alone else COLUMNS))


def stage_rows(account: Account) -> list[tuple[Cell, ...]]:
    """Return a row for each stage, one for what is not attributed (never hidden), and the wall time."""
    walls = account.traced_wall_before, account.traced_wall_after
    row = _own_row if account.alone else _row
    rows = [
        row(
            Cell(stage.title, swatch=token(stage.kind), strong=stage.kind == "kernel"),
            (stage.before, stage.after),
            walls,
            token(stage.kind),
        )
        for stage in account.stages
    ]
    rest = account.remainder_before, account.remainder_after
    rows.append(row(Cell(tr("Not attributed"), swatch="stage_rest"), rest, walls, "stage_rest"))
    rows.append(row(Cell(tr("Wall time, traced"), strong=True), walls, walls, None))
    measured = account.wall_before.value, account.wall_after.value
    rows.append(row(Cell(tr("Wall time, not traced"), strong=True), measured, (None, None), None))
    saved, before = account.time_saved.value, account.wall_before.value
    if saved is not None and before:
        change = number(units.signed_milliseconds(-saved)), number(units.signed_percent(-saved / before))
        rows[-1] = (*rows[-1][:3], *(cell._replace(strong=True) for cell in change), *rows[-1][5:])
    return rows


def _own_row(
    head: Cell, pair: tuple[float | None, float | None], walls: tuple[float | None, float | None], bar: str | None
) -> tuple[Cell, ...]:
    """A baseline's row: title, time, share of the wall."""
    full = _row(head, pair, walls, bar)
    return full[0], full[1], full[5]


def _row(
    head: Cell, pair: tuple[float | None, float | None], walls: tuple[float | None, float | None], bar: str | None
) -> tuple[Cell, ...]:
    before, after = pair
    change = after - before if before is not None and after is not None else None
    relative = change / before if change is not None and before else None
    cells = [number(units.milliseconds(value)) for value in pair]
    cells.append(number(units.signed_milliseconds(change), _tone(change)))
    cells.append(number(units.signed_percent(relative), _tone(change)))
    for value, wall in zip(pair, walls, strict=True):
        share = value / wall if value is not None and wall else None
        cells.append(Cell(units.percent(share), mono=True, bar=(max(0.0, share), bar) if share is not None and bar else None))
    return (head, *(cell._replace(strong=head.strong and bar is None) for cell in cells))


def _tone(change: float | None) -> Tone:
    """Plain: one traced repeat proves no gain, so neither green nor red is given here."""
    return "dim" if change is None or abs(change) < 5e-5 else "text"


def next_columns() -> tuple[Column, ...]:
    """Return the columns of what could come next."""
    return (
        Column("", right=True),
        Column(tr("Stage"), stretch=True),
        Column(tr("now"), right=True),
        Column(tr("share"), right=True, drop=1),
        Column(tr("if it were free"), right=True),
    )


def next_rows(account: Account) -> list[tuple[Cell, ...]]:
    """Return the stages that could be improved, the greatest ceiling first. Ceilings are predicted, so never green."""
    wall = account.traced_wall or 0.0
    return [_next_row(place, stage, wall) for place, stage in enumerate(account.next_stages, 1)]


def _next_row(place: int, stage: NextStage, wall: float) -> tuple[Cell, ...]:
    share = stage.seconds / wall if wall else None
    return (
        number(units.count(place), "dim"),
        Cell(stage.title, swatch=token(stage.kind)),
        number(units.duration(stage.seconds, 3)),
        Cell(units.percent(share, 0), mono=True, bar=(share or 0.0, token(stage.kind))),
        number(units.ratio(stage.ceiling), "accent"),
    )


def stop_sentence(account: Account, stop_below: float) -> str:
    """Return whether to go on (A8): the best remaining gain against the project's threshold."""
    best = next(iter(account.next_stages), None)
    if best is None or account.go_on is None:
        return ""
    gain, least = units.percent(1 - 1 / best.ceiling), units.percent(stop_below, 0)
    if account.go_on:
        return str(
            message(
                "Go on: {stage} could still save {gain} of the wall time; the project stops below {least}.",
                stage=best.title,
                gain=gain,
                least=least,
            )
        )
    return str(
        message("Stop: the best remaining gain, {gain}, is below the {least} the project asks for.", gain=gain, least=least)
    )
