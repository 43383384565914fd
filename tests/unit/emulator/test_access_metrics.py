"""Sectors and wavefronts of single requests."""

from __future__ import annotations

import numpy as np
import pytest

from plugins.emulator.access.metrics import NONE, not_measured, sectors_of, used_bytes, wavefronts_of

LANE = np.arange(32)
STORE, LOAD = np.array([False]), np.array([True])


def _row(addresses: np.ndarray, active: np.ndarray | bool = True) -> np.ndarray:
    return np.where(active, addresses, NONE).astype(np.int64)[None, :]


def _width(size: int) -> np.ndarray:
    return np.array([size], np.int64)


@pytest.mark.parametrize(
    ("addresses", "width", "sectors"),
    [(LANE * 4, 4, 4), (LANE * 4 + 4, 4, 5), (LANE * 128, 4, 32), (LANE * 0, 4, 1), (LANE * 16, 16, 16), (LANE * 12, 4, 12)],
)
def test_a_sector_is_counted_once_a_request(addresses: np.ndarray, width: int, sectors: int) -> None:
    assert sectors_of(_row(addresses), _width(width))[1].sum() == sectors


def test_an_access_across_a_border_touches_two_sectors() -> None:
    only = _row(LANE * 0 + 30, LANE == 3)
    found, fresh = sectors_of(only, _width(4))
    assert found[fresh].tolist() == [0, 1]


def test_lanes_that_take_no_part_touch_nothing() -> None:
    assert sectors_of(_row(LANE * 4, LANE < 8), _width(4))[1].sum() == 1
    assert used_bytes(_row(LANE * 4, LANE < 8), _width(4)).tolist() == [32]


@pytest.mark.parametrize(
    ("addresses", "width", "fronts", "ideal"),
    [
        (LANE * 4, 4, 1, 1),
        (LANE * 8, 4, 2, 1),
        (LANE * 128, 4, 32, 1),
        (LANE * 132, 4, 1, 1),
        (LANE * 0, 4, 1, 1),
        (LANE, 1, 1, 1),
        (LANE * 8, 8, 2, 2),
        (LANE * 16, 8, 4, 2),
        (LANE * 16, 16, 4, 4),
        (LANE * 128, 16, 32, 4),
    ],
)
def test_a_wavefront_serves_one_word_of_each_bank(addresses: np.ndarray, width: int, fronts: int, ideal: int) -> None:
    found = wavefronts_of(_row(addresses), _width(width), STORE)
    assert (int(found[0][0]), int(found[1][0])) == (fronts, ideal)


def test_parts_of_a_warp_without_active_lanes_cost_nothing() -> None:
    found = wavefronts_of(_row(LANE * 16, LANE < 8), _width(16), STORE)
    assert (int(found[0][0]), int(found[1][0])) == (1, 1)


def test_wide_loads_go_together_where_neighbours_share_their_address_and_stores_do_not() -> None:
    for shared in (LANE // 2 * 16, (LANE & ~2) * 16, LANE * 0):
        assert wavefronts_of(_row(shared), _width(16), LOAD)[1].tolist() == [2]
        assert wavefronts_of(_row(shared), _width(16), STORE)[1].tolist() == [4]
    assert wavefronts_of(_row(LANE // 2 * 8), _width(8), LOAD)[0].tolist() == [1]
    assert wavefronts_of(_row(LANE // 4 * 16), _width(16), LOAD)[0].tolist() == [2]
    assert wavefronts_of(_row(LANE % 8 * 16), _width(16), LOAD)[0].tolist() == [4]


def test_only_wide_loads_whose_parts_go_together_rest_on_what_was_not_measured() -> None:
    assert not_measured(_row(LANE * 8), _width(8), LOAD).tolist() == [False]
    assert not_measured(_row(LANE * 0), _width(4), LOAD).tolist() == [False]
    assert not_measured(_row(LANE * 16), _width(16), STORE).tolist() == [False]
    assert not_measured(_row(LANE // 2 * 8), _width(8), LOAD).tolist() == [True]
    assert not_measured(_row(LANE * 16), _width(16), LOAD).tolist() == [True]
