"""Spans of a pipeline's device work on the host's axis, on a real GPU."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.gpu.conftest import MakeKernel
from workbench.model.launch import ResolvedLaunch

if TYPE_CHECKING:
    from plugins.cuda.in_worker import CudaDevice

pytestmark = pytest.mark.gpu

SPIN = 'extern "C" __global__ void spin_for(long long cycles) { long long t = clock64(); while (clock64() - t < cycles) { } }'
ONE = ResolvedLaunch((1, 1, 1), (1, 1, 1))


@pytest.mark.parametrize("pinned", [False, True])
def test_spans_of_one_stream_follow_each_other_within_the_host_bracket(
    device: CudaDevice, make: MakeKernel, pinned: bool
) -> None:
    spin, tracer = make(SPIN, "spin_for"), device.tracer()
    n = 8 * 2**20
    source, back = tracer.host_array((n,), "float32", pinned=pinned), tracer.host_array((n,), "float32", pinned=pinned)
    source[:] = np.arange(n)
    tracer.begin()
    before = time.perf_counter()
    buffer = tracer.allocate(source.nbytes)
    tickets = [
        tracer.upload(buffer, source, 0, True),
        tracer.launch(spin, ONE, [np.int64(2_000_000)], 0, True),
        tracer.download(back, buffer, 0, True),
    ]
    tracer.synchronize()
    after = time.perf_counter()
    np.testing.assert_array_equal(back, source)
    spans = [tracer.resolve(ticket) for ticket in tickets]
    print(f"\npinned={pinned}", [f"{(end - start) * 1e3:.3f} ms" for start, end in spans])
    edges = [before - 50e-6, *(edge for span in spans for edge in span), after + 50e-6]
    assert edges == sorted(edges)
    assert spans[1][1] - spans[1][0] > 0.9e-3
    tracer.free(buffer)


def test_two_streams_overlap(device: CudaDevice, make: MakeKernel) -> None:
    spin, tracer = make(SPIN, "spin_for"), device.tracer()
    tracer.begin()
    tickets = [tracer.launch(spin, ONE, [np.int64(4_000_000)], stream, True) for stream in (1, 2)]
    tracer.synchronize()
    first, second = (tracer.resolve(ticket) for ticket in tickets)
    assert second[0] < first[1]


def test_untraced_work_has_no_span(device: CudaDevice, make: MakeKernel) -> None:
    spin, tracer = make(SPIN, "spin_for"), device.tracer()
    tracer.begin()
    ticket = tracer.launch(spin, ONE, [np.int64(1000)], 0, False)
    tracer.synchronize(0)
    with pytest.raises(ValueError, match="belongs to no traced work"):
        tracer.resolve(ticket)


def test_a_new_repeat_starts_at_its_own_zero(device: CudaDevice, make: MakeKernel) -> None:
    spin, tracer = make(SPIN, "spin_for"), device.tracer()
    for _ in range(3):
        tracer.begin()
        before = time.perf_counter()
        ticket = tracer.launch(spin, ONE, [np.int64(1000)], 0, True)
        tracer.synchronize()
        start, end = tracer.resolve(ticket)
        assert before - 50e-6 <= start < end <= time.perf_counter() + 50e-6
