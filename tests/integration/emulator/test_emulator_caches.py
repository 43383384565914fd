"""Predicted caches held to what an H200's counters say (tests/data/access/caches.json), and the table of it in the docs."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.helpers.access_bench import analyse
from tests.helpers.access_launches import FOLDER, KernelLaunch
from tests.helpers.cache_predictions import DOCUMENT, HITS, READS, between, compared, measured, measured_launches, table
from workbench.plugin_api import SectorBatch

SHORT = ("copy_coalesced", "copy_misaligned", "copy_stride32", "transpose_padded", "conv3x3_tiled", "nested", "four_ways")
"""One launch of each kind of agreement and of disagreement; all of them are in `make full`."""


TWICE = """
extern "C" __global__ void k(const float* x, float* y) {
    y[threadIdx.x * 8] = x[threadIdx.x / 32 * 8] + x[threadIdx.x / 32 * 8 + 64];
}
"""


def test_the_warps_of_a_block_ask_side_by_side() -> None:
    batches: list[SectorBatch] = []
    analyse(TWICE, np.zeros(128, np.float32), np.zeros(512, np.float32), block=(64,), sectors=batches.append)
    batch = batches[0]
    read = batch.address[~batch.write]
    assert ((read - read.min()) // 32).tolist() == [0, 1, 8, 9]


def chosen() -> list[KernelLaunch]:
    return [one for one in measured_launches() if one.name in SHORT]


def document() -> str:
    return between(DOCUMENT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("one", chosen(), ids=lambda one: one.name)
def test_the_documents_row_is_what_is_predicted_now(one: KernelLaunch) -> None:
    assert compared(one).row in document()


def test_what_is_read_once_is_predicted_to_the_sector() -> None:
    streaming = [compared(one) for one in chosen() if not measured()[one.name][HITS]]
    assert [row.kernel for row in streaming] == ["copy_coalesced", "transpose_padded"]
    assert [(row.reads, row.hits) for row in streaming] == [(row.measured_reads, 0) for row in streaming]


def test_no_fewer_reads_are_predicted_than_reach_the_second_level_and_hit_rates_stay_near() -> None:
    for row in map(compared, chosen()):
        assert row.measured_reads <= row.reads < 1.75 * row.measured_reads, row
        assert abs(row.rate - row.measured_rate) < 0.16, row


def test_the_table_has_a_row_for_every_launch_that_was_measured() -> None:
    assert len(measured()) == 24
    for name, row in measured().items():
        line = next(line for line in document().splitlines() if line.startswith(f"| `{name}` |"))
        assert f"| {row[READS]:,} |" in line
        assert f"| {row[HITS] / row[READS]:.0%} |" in line


def test_the_counters_say_of_which_gpu_and_day_they_are() -> None:
    kept = json.loads((FOLDER / "caches.json").read_text(encoding="utf-8"))
    assert "H200" in kept["device"]
    assert kept["date"] == "2026-11-29"


@pytest.mark.full
def test_the_whole_table_and_its_typical_error_are_those_of_now() -> None:
    rows = [compared(one) for one in measured_launches()]
    assert document() == table(rows)
    apart = [abs(row.rate - row.measured_rate) for row in rows]
    assert sum(apart) / len(apart) < 0.04
    assert sum(value <= 0.05 for value in apart) >= 18
