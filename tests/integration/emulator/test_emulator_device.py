"""The device contract apart from kernels: memory, values, clock, tracer, and what is listed."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plugins.emulator as plugin
from plugins.emulator.in_worker import open_device
from tests.helpers.emulator_bench import compile_kernel, emulator
from workbench.plugin_api import Fault, Register, ResolvedLaunch, ValueSpec

ONE = ResolvedLaunch((1, 1, 1), (1, 1, 1))


def test_the_plugin_registers_one_device_that_is_there() -> None:
    register = Register("emulator")
    plugin.register(register)
    (device,) = register.devices[0].list_devices()
    assert (device.id, device.kind, device.available, device.books_gains) == ("emulator", "emulator", True, False)
    assert device.properties["shared_optin_bytes"] == 232448
    assert int(device.properties["cores"]) >= 1


def test_without_a_compiler_the_device_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    (device,) = plugin.EmulatorPlugin().list_devices()
    assert not device.available
    assert "install g++ or clang++" in str(device.reason)
    with pytest.raises(Fault) as caught:
        open_device("emulator")
    assert caught.value.failure.kind == "NotSupported"


def test_another_device_id_is_refused() -> None:
    with pytest.raises(Fault) as caught:
        open_device("emulator:1")
    assert "no emulator:1" in str(caught.value.failure.message)


def test_buffers_are_aligned_fresh_and_keep_what_is_written() -> None:
    device = emulator()
    buffers = [device.allocate(nbytes) for nbytes in (1, 255, 4096, 5000)]
    addresses = [buffer.address for buffer in buffers]  # type: ignore[attr-defined]  # the emulator's own buffers have one
    assert all(address % 256 == 0 for address in addresses)
    assert len(set(addresses)) == 4
    values = np.arange(1250, dtype=np.float32).reshape(25, 50)
    device.write(buffers[3], values)
    assert (device.read(buffers[3], "float32", (25, 50)) == values).all()
    device.fill(buffers[1], 0xA5)
    assert set(device.read(buffers[1], "uint8", (255,))) == {0xA5}
    other = device.allocate(5000)
    device.copy(other, buffers[3])
    assert (device.read(other, "float32", (25, 50)) == values).all()
    assert device.check_guards([*buffers, other]) == []
    for buffer in (*buffers, other):
        device.free(buffer)


@given(seed=st.integers(0, 2**63), dtype=st.sampled_from(["float32", "float16", "bfloat16", "float64", "int32", "uint8"]))
@settings(max_examples=25, deadline=None)
def test_the_same_seed_draws_the_same_values_and_another_seed_others(seed: int, dtype: str) -> None:
    device = emulator()
    spec = ValueSpec("integers", 0, 200) if dtype in ("int32", "uint8") else ValueSpec("normal")
    buffer = device.allocate(64 * 8)
    drawn = []
    for number in (seed, seed, seed + 1):
        device.fill(buffer, 0)
        device.draw(buffer, dtype, (8, 8), spec, number)
        drawn.append(device.read(buffer, dtype, (8, 8)).tobytes())
    device.free(buffer)
    assert drawn[0] == drawn[1] != drawn[2]


def test_time_is_cpu_time_and_says_so() -> None:
    device = emulator()
    kernel = compile_kernel(
        "__global__ void k(float* y) { float s = 0; for (int i = 0; i < 1000; ++i) s += y[i % 8]; y[0] = s; }"
    )
    buffer = device.allocate(64)
    device.fill(buffer, 0)
    device.settle(kernel, ONE, [buffer], 2)
    assert device.timed_launch(kernel, ONE, [buffer], "cold") > 0
    device.free(buffer)
    assert device.regime("cold", 10**9) == "cpu"
    assert (device.clock().name, device.clock().constant) == ("CPU wall clock", 0.0)
    assert device.sm_clock_mhz() is None
    assert re.search(r"g\+\+|clang|zig", device.environment()["compiler"])


def test_the_tracer_gives_spans_in_the_order_of_the_calls() -> None:
    device = emulator()
    kernel = compile_kernel("__global__ void k(float* y) { y[threadIdx.x] += 1.f; }")
    tracer = device.tracer()
    tracer.begin()
    host = tracer.host_array((8,), "float32", pinned=True)
    host[:] = 2
    buffer = tracer.allocate(32)
    tickets = [
        tracer.upload(buffer, host, 0, True),
        tracer.launch(kernel, ResolvedLaunch((1, 1, 1), (8, 1, 1)), [buffer], 0, True),
        tracer.download(host, buffer, 0, True),
    ]
    tracer.synchronize()
    spans = [tracer.resolve(ticket) for ticket in tickets]
    tracer.free(buffer)
    assert host.tolist() == [3.0] * 8
    assert all(start <= end for start, end in spans)
    assert spans[0][1] <= spans[1][0]
    assert spans[1][1] <= spans[2][0]
