"""Every kernel and probe of tests/data/access against what Nsight Compute counted on an H200."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from plugins.emulator.access.metrics import NONE, sectors_of, wavefronts_of
from tests.helpers.access_bench import analyse_launch
from tests.helpers.access_launches import FOLDER, KernelLaunch, probe_launches, probe_maps, read_launches
from tests.helpers.access_table import PAGE, rows
from tests.helpers.access_truth import compare, place_of, truth

MAP_READ = (1, 4)
"""Requests and sectors of a probe's read of its own map."""
THROUGH_THE_COMPILER = [one for one in probe_launches() if one.pattern == "scattered 0" and one.entry.endswith("_16")]
"""Probes that go through the emulator in `make test`; the others do in `make full`."""
ALIKE = ("copy_misaligned", "copy_stride32", "transpose_naive", "transpose_shared", "vector_copy", "packed_gray", "gather")
"""Kernels left to `make full`: others of the same form are held in `make test`."""
LAUNCHES = [pytest.param(one, marks=pytest.mark.full if one.name in ALIKE else (), id=one.name) for one in read_launches()]


def test_the_sources_are_those_that_were_measured() -> None:
    digests = {name: hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() for name in truth().files}
    assert digests == truth().files
    assert [one.name for one in read_launches()] == list(truth().kernels)


def test_the_ten_given_kernels_were_measured_alike_before() -> None:
    given = json.loads((FOLDER / "plain_h200.json").read_text(encoding="utf-8"))["kernels"]
    assert len(given) == 10
    for kernel, counters in given.items():
        assert dict(zip(truth().metrics, truth().kernels[kernel].cupy, strict=True)) == counters


@pytest.mark.parametrize("one", LAUNCHES)
def test_kernels_agree_with_the_counters_or_say_why_a_line_is_only_source_level(one: KernelLaunch) -> None:
    compared = compare(one)
    assert compared
    for row in compared:
        assert row.holds, row
        assert all(line.reason is not None for line in row.loose), row
    page = PAGE.read_text(encoding="utf-8")
    assert [text for text in rows(compared) if text not in page] == []


@pytest.mark.parametrize("entry", truth().probes)
def test_the_rules_of_sectors_and_wavefronts_give_what_the_hardware_counts(entry: str) -> None:
    space, kind, element = entry.split("_")
    width = 4 if kind == "read" else int(element)  # of what a probe reads it uses 4 bytes, and the compiler loads no more
    maps = probe_maps()
    address = np.stack([np.where(maps[name] < 0, NONE, maps[name].astype(np.int64) * int(element)) for name in maps])
    widths = np.full(len(address), width, np.int64)
    if space == "global":
        found = np.stack([np.ones(len(address), np.int64), sectors_of(address, widths)[1].sum(axis=1)], axis=1)
        found += np.array(MAP_READ) * (kind == "read")
    else:
        fronts, ideal = wavefronts_of(address, widths, np.full(len(address), kind == "read"))
        found = np.stack([fronts, fronts - ideal], axis=1)
    columns = _columns(entry)
    assert found.tolist() == [[truth().probes[entry][name][column] for column in columns] for name in maps]


def _columns(entry: str) -> list[int]:
    """Return which counters a probe is about."""
    space, kind, _ = entry.split("_")
    wanted = (space, {"read": "ld", "write": "st"}[kind])
    return [index for index, metric in enumerate(truth().metrics) if place_of(metric) == wanted]


def _through_the_compiler(one: KernelLaunch) -> None:
    totals = analyse_launch(one).totals
    for column in _columns(one.entry):
        metric = truth().metrics[column]
        assert totals[metric] == truth().probes[one.entry][one.pattern][column], metric


@pytest.mark.parametrize("one", THROUGH_THE_COMPILER, ids=lambda one: one.name)
def test_single_requests_are_told_from_their_source(one: KernelLaunch) -> None:
    _through_the_compiler(one)


@pytest.mark.full
@pytest.mark.parametrize("one", probe_launches(), ids=lambda one: one.name)
def test_every_single_request_is_told_from_its_source(one: KernelLaunch) -> None:
    _through_the_compiler(one)
