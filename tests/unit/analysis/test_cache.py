"""Expected cache behaviour: equal to a cache that is stepped through access by access."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.analysis.cache import Block, Integers, SectorStream, hits, predict, resident_blocks, stack_distance
from workbench.model.cache import CacheShape
from workbench.model.hardware import Hardware, Stated, hardware_files

SHAPE = CacheShape(line=128, sector=32, ways=2, sets=4)
H200 = hardware_files()["h200"]
NAMES = ("src", "dst")


def stepped(addresses: list[int], shape: CacheShape) -> list[bool]:
    """A cache as one would build it: per set the lines in order of use, each with the sectors it holds."""
    sets: list[OrderedDict[int, set[int]]] = [OrderedDict() for _ in range(shape.sets)]
    found = []
    for address in addresses:
        line, sector = address // shape.line, address // shape.sector
        lines = sets[line % shape.sets]
        held = lines.pop(line, set())
        found.append(sector in held)
        lines[line] = held | {sector}
        if len(lines) > shape.ways:
            lines.popitem(last=False)
    return found


def integers(values: list[int]) -> Integers:
    return np.asarray(values, np.int64)


@given(st.lists(st.integers(0, 80).map(lambda sector: sector * 32), max_size=120), st.integers(1, 4), st.sampled_from([1, 2, 4]))
def test_hits_are_those_of_a_cache_stepped_through(addresses: list[int], ways: int, sets: int) -> None:
    shape = CacheShape(128, 32, ways, sets)
    address = integers(addresses)
    assert hits(address, address // 128 % sets, shape).tolist() == stepped(addresses, shape)


@given(st.lists(st.integers(0, 12), max_size=60))
def test_stack_distance_counts_the_other_lines_in_between(lines: list[int]) -> None:
    expected = []
    for now, line in enumerate(lines):
        before = [index for index in range(now) if lines[index] == line]
        expected.append(len(set(lines[before[-1] + 1 : now])) if before else -1)
    assert stack_distance(integers(lines)).tolist() == expected


def stream(addresses: list[int], *, blocks: list[int] | None = None, write: bool = False) -> SectorStream:
    count = len(addresses)
    return SectorStream(
        integers(blocks or [0] * count), integers(addresses), np.full(count, write), integers([0] * count), integers([7] * count)
    )


def test_a_second_read_by_the_same_block_stays_in_the_first_level() -> None:
    prediction = predict(stream([0, 0, 32]), H200, Block(256, 0), NAMES)
    assert (prediction.total.requested, prediction.total.reads, prediction.total.hits) == (3, 2, 0)
    assert prediction.lines[7].hit_rate == 0.0


def test_a_second_read_by_another_multiprocessor_hits_in_the_second_level() -> None:
    prediction = predict(stream([0, 0], blocks=[0, 1]), H200, Block(256, 0), NAMES)
    assert (prediction.total.reads, prediction.total.hits) == (2, 1)
    assert prediction.arrays["src"].hit_rate == 0.5


def test_what_was_written_is_found_by_the_next_block() -> None:
    written = SectorStream(integers([0, 1]), integers([64, 64]), np.array([True, False]), integers([0, 1]), integers([1, 2]))
    prediction = predict(written, H200, Block(32, 0), NAMES)
    assert prediction.arrays["src"].writes == 1
    assert prediction.arrays["dst"].hit_rate == 1.0


def test_a_stride_of_all_sets_presses_on_one_of_them() -> None:
    shape = predict(stream([0]), H200, Block(32, 0), NAMES).second_level
    stride = shape.line * shape.sets
    pressed = predict(stream([stride * index for index in range(64)]), H200, Block(32, 0), NAMES)
    even = predict(stream([shape.line * index for index in range(shape.sets)]), H200, Block(32, 0), NAMES)
    assert pressed.set_pressure == pytest.approx(shape.sets)
    assert even.set_pressure == pytest.approx(1.0)


def test_reuse_distances_are_counted_by_powers_of_two() -> None:
    blocks = [0, 1, 2, 3, 4, 5]
    prediction = predict(stream([0, 0, 128, 256, 384, 0], blocks=blocks), H200, Block(32, 0), NAMES)
    assert prediction.reuse == (1, 0, 1)
    assert prediction.first_touches == 4


def test_shared_memory_and_threads_limit_the_blocks_that_are_resident() -> None:
    assert resident_blocks(H200, Block(1024, 0)) == 2
    assert resident_blocks(H200, Block(32, 0)) == 32
    assert resident_blocks(H200, Block(32, 100 * 1024)) == 2
    assert resident_blocks(H200, Block(32, 10**9)) == 1


def test_without_an_access_nothing_is_claimed() -> None:
    prediction = predict(stream([]), H200, Block(32, 0), NAMES)
    assert prediction.total.hit_rate is None
    assert prediction.set_pressure is None
    assert prediction.reuse == ()


def test_a_hardware_file_without_the_geometry_is_an_error() -> None:
    bare = Hardware("Bare", (), "sm_90", {"sm_count": Stated(1, "nowhere")})
    with pytest.raises(KeyError):
        predict(stream([0]), bare, Block(32, 0), NAMES)
