"""Where the squares of one warp's addresses stand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.sample_access import PICTURES
from ui.charts.warp_layout import MOST_SECTORS, bank_columns, sector_rows
from workbench.model.access import WarpPicture

STRIDED, COLUMN = PICTURES


def picture(addresses: tuple[int | None, ...], width: int = 4, begin: int = 0) -> WarpPicture:
    touched = {
        begin + (byte - begin) // 32 * 32
        for address in addresses
        if address is not None
        for byte in range(address, address + width)
    }
    return WarpPicture(1, "global", "read", "first", (0, 0, 0), 0, 0, "a", width, addresses, sectors=tuple(sorted(touched)))


def test_a_stride_of_a_line_uses_one_word_of_each_sector() -> None:
    rows, left_out = sector_rows(STRIDED)
    assert (len(rows), left_out) == (32, 0)
    assert all([bool(word.lanes) for word in row.words] == [True] + [False] * 7 for row in rows)


def test_side_by_side_lanes_use_every_word() -> None:
    rows, _ = sector_rows(picture(tuple(lane * 4 for lane in range(32))))
    assert len(rows) == 4
    assert all(word.lanes for row in rows for word in row.words)


def test_a_wide_access_uses_all_its_words() -> None:
    rows, _ = sector_rows(picture((0, 16), width=16))
    assert [word.lanes for word in rows[0].words] == [(0,)] * 4 + [(1,)] * 4


def test_an_array_that_begins_inside_a_sector_keeps_its_words_apart() -> None:
    rows, _ = sector_rows(picture((0, 4), begin=-8))
    assert rows[0].begin == -8
    assert [word.offset for word in rows[0].words if word.lanes] == [0, 4]


def test_what_is_too_much_to_draw_is_counted() -> None:
    rows, left_out = sector_rows(picture(tuple(lane * 64 for lane in range(32)), width=64))
    assert len(rows) == MOST_SECTORS
    assert left_out == 32


def test_lanes_that_take_no_part_want_nothing() -> None:
    rows, _ = sector_rows(picture((None, 4, None)))
    assert [word.lanes for word in rows[0].words if word.lanes] == [(1,)]


def test_a_column_of_an_unpadded_tile_stacks_all_words_on_one_bank() -> None:
    columns = bank_columns(COLUMN)
    assert len(columns[0].words) == 32
    assert not any(column.words for column in columns[1:])


@given(st.lists(st.one_of(st.none(), st.integers(0, 500).map(lambda word: word * 4)), min_size=1, max_size=32))
def test_every_lane_stands_on_the_bank_of_its_word(addresses: list[int | None]) -> None:
    columns = bank_columns(WarpPicture(1, "shared", "read", "first", (0, 0, 0), 0, 0, "s", 4, tuple(addresses)))
    placed = {lane: column.bank for column in columns for word in column.words for lane in word.lanes}
    assert placed == {lane: address // 4 % 32 for lane, address in enumerate(addresses) if address is not None}
