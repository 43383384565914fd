"""What compute-sanitizer said of the planted faults on an H200, and the reasons where it says something else."""

from __future__ import annotations

import msgspec
import pytest

from tests.helpers.fault_kernels import FaultKernel, every_kernel
from tests.helpers.fault_table import Said, disagrees, long_form, read_reasons, read_truth

PAIRS = every_kernel()


def test_every_planted_fault_was_measured_or_says_why_not() -> None:
    truth, reasons = read_truth(), read_reasons()
    unmeasured = {pair.name for pair in PAIRS if truth.of(pair) is None}
    assert unmeasured == {"bounds_local_index"}
    assert unmeasured <= set(reasons)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_reason_stands_where_compute_sanitizer_differs_and_nowhere_else(pair: FaultKernel) -> None:
    measured = read_truth().of(pair)
    assert (pair.name in read_reasons()) == (measured is None or disagrees(pair, measured))


def test_compute_sanitizer_is_silent_on_every_twin() -> None:
    told = {name for name, one in read_truth().kernels.items() if any(said.found for said in one.clean.values())}
    assert told == set()


def test_severities_are_those_of_racechecks_summary() -> None:
    counted = "RACECHECK SUMMARY: 50 hazards displayed ({} errors, 501 warnings)"
    said = Said(True, (3,), (counted.format(0),), 0)
    assert said.severity == "warning"
    assert msgspec.structs.replace(said, summary=(counted.format(257),)).severity == "error"
    assert msgspec.structs.replace(said, summary=("ERROR SUMMARY: 4 errors",)).severity == "error"
    assert msgspec.structs.replace(said, found=False).severity == ""


def test_a_fault_that_changed_since_is_not_called_measured() -> None:
    pair = PAIRS[0]
    changed = msgspec.structs.replace(read_truth().kernels[pair.name], source="0" * 16)
    truth = msgspec.structs.replace(read_truth(), kernels={pair.name: changed})
    assert truth.of(pair) is None
    assert any(row.count("not measured") == 4 and "bounds_local_index" in row for row in long_form().splitlines())
