"""A wrong element may be NaN or infinite; the session keeps it, and with it the pass."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import pytest

from sessions import create
from tests.helpers.sample_passes import wrong_verify_pass
from tests.helpers.sample_session import gpu_environment, sample_versions
from workbench.model.run import PassRecord, WorstElement


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_pass_whose_worst_element_is_not_finite_comes_back_whole(tmp_path: Path, value: float) -> None:
    worst = WorstElement("dst", (1, 2), value, 1.0, math.inf, 0.0, math.inf)
    record = wrong_verify_pass()
    assert record.verify is not None
    cases = (msgspec.structs.replace(record.verify.cases[0], worst=worst),)
    record = msgspec.structs.replace(record, verify=msgspec.structs.replace(record.verify, cases=cases, worst=worst))
    read = kept(tmp_path, record)
    assert read.failure == record.failure
    assert read.verify is not None
    assert read.verify.worst is not None
    assert read.verify.worst.candidate == pytest.approx(value, nan_ok=True)
    assert read.verify.worst.error == math.inf
    assert read.verify.cases[0].worst is not None
    assert read.verify.gates == record.gates


def kept(folder: Path, record: PassRecord) -> PassRecord:
    """Write one pass into a new session and read it back."""
    store = create(folder / "s.db")
    version = store.add_version(sample_versions()[0])
    run = store.start_run(version.hash, "cuda:0", gpu_environment(), 1)
    store.add_pass(run, record)
    read = store.runs()[0].last("verify")
    store.close()
    assert read is not None
    return read
