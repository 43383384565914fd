"""The stages of two versions beside each other: which measured side each bar is, both walls, and what the difference is."""

from __future__ import annotations

from typing import NamedTuple

from ui.charts.stages import Bar, bars_of
from workbench import units
from workbench.model.ledger import Account, Estimate, Ledger
from workbench.model.version import Version
from workbench.texts import Message, message, tr

_NAMED = 2
"""Stages named in the sentence about the difference: the two that changed most."""


class ComparedStages(NamedTuple):
    """The bars that are known with their letters, a note for the head, and the sentences below."""

    bars: tuple[Bar, ...] = ()
    letters: tuple[str, ...] = ()
    note: str = ""
    caption: str = ""


class _Side(NamedTuple):
    bar: Bar | None
    wall: Estimate


def compared_stages(ledger: Ledger | None, a: Version, b: Version) -> ComparedStages:
    """Return the stages of A and B.

    Where one is the baseline, both bars come from the other's run, in which before and after were interleaved; else each comes
    from its own run, and the sentences say so.
    """
    accounts = [ledger.accounts.get(version.hash) if ledger else None for version in (a, b)]
    if a.hash == b.hash:
        own = _own(accounts[0])
        return _said((own,), ("A = B",), [message("A and B are the same version.")], accounts)
    base = next((line.version for line in ledger.lines if line.chip == "BASELINE"), None) if ledger else None
    first, second = accounts
    if second and not second.alone and a.hash == base:
        return _one_run(second, tuple(_both(second)), accounts)
    if first and not first.alone and b.hash == base:
        return _one_run(first, tuple(reversed(_both(first))), accounts)
    sides = tuple(_own(account) for account in accounts)
    if not any(side.bar for side in sides):
        return ComparedStages(caption=tr("Neither version was traced on this device: missing."))
    said = [
        message("{name} was not traced on this device: missing.", name=version.name)
        for version, side in zip((a, b), sides, strict=True)
        if side.bar is None
    ]
    books = ledger is not None and ledger.books_gains
    found = _said(sides, ("A", "B"), said or [_apart(books)], accounts)
    return found._replace(note=tr("traced, two runs")) if len(found.bars) == 2 and books else found


def _apart(books: bool) -> Message:
    if books:
        return message("Each from its own run, not interleaved: the end-to-end difference is the table’s, of interleaved pairs.")
    return message("Each from its own run, not interleaved.")


def _own(account: Account | None) -> _Side:
    return _Side(bars_of(account)[-1], account.wall) if account else _Side(None, Estimate())


def _both(account: Account) -> list[_Side]:
    before, after = bars_of(account)
    return [_Side(before, account.wall_before), _Side(after, account.wall_after)]


def _one_run(account: Account, sides: tuple[_Side, ...], accounts: list[Account | None]) -> ComparedStages:
    said = message("Both from one run: {count} repeats, interleaved.", count=units.count(account.repeats))
    return _said(sides, ("A", "B"), [said], accounts)


def _said(
    sides: tuple[_Side, ...], letters: tuple[str, ...], said: list[Message], accounts: list[Account | None]
) -> ComparedStages:
    books = all(account.books_gain for account in accounts if account)
    known = [(side, letter) for side, letter in zip(sides, letters, strict=True) if side.bar]
    walls = " · ".join(f"{letter} {units.duration(side.wall.value)}" for side, letter in known)
    sentences = [*said, message("Untraced walls: {walls}.", walls=walls)] if known else said
    pair = [side.bar for side, _ in known if side.bar]
    if len(pair) == 2 and books:
        sentences = [*sentences, *_changes(pair[0], pair[1])]
    note = tr("traced") if books else tr("traced, CPU time: no gain is claimed")
    if len(pair) == 2 and books and pair[0].total and pair[1].total:
        change = pair[1].total - pair[0].total
        times, share = units.signed_milliseconds(change), units.signed_percent(change / pair[0].total)
        note = str(message("{change} ms, {share} traced", change=times, share=share))
    caption = " ".join(str(sentence) for sentence in sentences)
    return ComparedStages(tuple(pair), tuple(letter for _, letter in known), note, caption)


def _changes(a: Bar, b: Bar) -> list[Message]:
    """Return the one or two stages that changed most, in traced milliseconds; nothing where all stay within 0.05 ms."""
    before = {segment.name: segment.seconds for segment in a.segments}
    after = {segment.name: segment.seconds for segment in b.segments}
    titles = {segment.name: segment.title for bar in (a, b) for segment in bar.segments}
    changes = {name: after.get(name, 0.0) - before.get(name, 0.0) for name in titles}
    most = sorted(changes, key=lambda name: -abs(changes[name]))[:_NAMED]
    least = max(5e-5, 0.1 * abs(changes[most[0]])) if most else 0.0
    told = [f"{titles[name]} {units.signed_milliseconds(changes[name])} ms" for name in most if abs(changes[name]) >= least]
    return [message("Most of the difference: {stages}.", stages=", ".join(told))] if told else []
