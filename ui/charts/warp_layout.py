"""Where one warp's addresses are drawn: words of the touched sectors, or banks with their depth. No widget."""

from __future__ import annotations

from typing import NamedTuple

from workbench.model.access import BANK_BYTES, BANKS, SECTOR_BYTES, WarpPicture

MOST_SECTORS = 32


class Word(NamedTuple):
    """Four bytes of a touched sector and the lanes that want any of them."""

    offset: int
    """Bytes from the array's start."""
    lanes: tuple[int, ...]


class SectorRow(NamedTuple):
    """A touched sector and its eight words."""

    begin: int
    words: tuple[Word, ...]


class BankColumn(NamedTuple):
    """A bank and the distinct words that lanes want of it: more than one are served one after another."""

    bank: int
    words: tuple[Word, ...]


def sector_rows(picture: WarpPicture) -> tuple[tuple[SectorRow, ...], int]:
    """Return the touched sectors of a global request, at most 32 of them, and how many were left out."""
    lanes = _lanes_of_words(picture)
    shown = picture.sectors[:MOST_SECTORS]
    return tuple(SectorRow(begin, _words(begin, lanes)) for begin in shown), len(picture.sectors) - len(shown)


def bank_columns(picture: WarpPicture) -> tuple[BankColumn, ...]:
    """Return the 32 banks of a shared request with the words wanted of each."""
    columns: list[list[Word]] = [[] for _ in range(BANKS)]
    for offset, lanes in sorted(_lanes_of_words(picture).items()):
        columns[offset // BANK_BYTES % BANKS].append(Word(offset, tuple(lanes)))
    return tuple(BankColumn(bank, tuple(words)) for bank, words in enumerate(columns))


def _lanes_of_words(picture: WarpPicture) -> dict[int, list[int]]:
    """Return for each touched word (its offset in bytes, aligned down) the lanes that want a byte of it."""
    found: dict[int, list[int]] = {}
    base = picture.sectors[0] % BANK_BYTES if picture.sectors else 0
    for lane, address in enumerate(picture.addresses):
        if address is None:
            continue
        first = address - (address - base) % BANK_BYTES
        for offset in range(first, address + picture.width, BANK_BYTES):
            found.setdefault(offset, []).append(lane)
    return found


def _words(begin: int, lanes: dict[int, list[int]]) -> tuple[Word, ...]:
    return tuple(Word(offset, tuple(lanes.get(offset, ()))) for offset in range(begin, begin + SECTOR_BYTES, BANK_BYTES))
