"""Finding GPUs: every way in which there is none, and what is shipped about those that are known."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from plugins.cuda.constant import from_hardware_file
from plugins.cuda.find import CudaDevices, ask_probe
from plugins.cuda.probe import peak_bandwidth

GPU = {"name": "NVIDIA H200", "uuid": "GPU-1", "properties": {"compute_capability": "9.0", "sm_count": 132}}


def answer(**changes: Any) -> dict[str, Any]:
    return {"library": True, "code": 0, "driver": 13000, "cupy": True, "devices": [GPU], **changes}


def test_a_gpu_with_driver_and_cupy_is_available() -> None:
    (device,) = CudaDevices(lambda: answer()).list_devices()
    assert (device.id, device.title, device.available, device.reason) == ("cuda:0", "NVIDIA H200", True, None)
    assert device.uuid == "GPU-1"


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"library": False}, "No NVIDIA driver"),
        (answer(code=100, devices=[]), "code 100"),
        (answer(devices=[]), "offers no GPU"),
        (answer(cupy=False), "kernel-ledger[gpu-cuda13]"),
        (answer(cupy=False, driver=12040), "kernel-ledger[gpu-cuda12]"),
        (answer(driver=11080), "CUDA 11.8"),
        ({"error": "time-out"}, "time-out"),
    ],
)
def test_a_missing_part_is_one_sentence_that_says_what_to_do(told: dict[str, Any], words: str) -> None:
    (device,) = CudaDevices(lambda: told).list_devices()
    assert device.id == "cuda:0"
    assert not device.available
    assert words in str(device.reason)


def test_the_child_is_asked_once_in_a_process() -> None:
    calls: list[int] = []

    def probe() -> dict[str, Any]:
        calls.append(1)
        return answer()

    devices = CudaDevices(probe)
    assert devices.list_devices() is devices.list_devices()
    assert len(calls) == 1


def test_the_real_child_answers_on_any_machine() -> None:
    told = ask_probe()
    assert isinstance(told.get("library"), bool), told


def test_loading_the_plugin_and_listing_loads_no_device_library() -> None:
    program = (
        "import sys, plugins.cuda; plugins.cuda.CudaDevices().list_devices();"
        "print(sorted({'cupy', 'cuda', 'cupti', 'pynvml', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_the_hardware_file_gives_a_constant_and_an_unknown_gpu_has_none() -> None:
    known, unknown = from_hardware_file("NVIDIA H200"), from_hardware_file("NVIDIA Unheard Of")
    assert (known.constant_source, unknown.constant_source) == ("hardware file", "none")
    assert 2.14e-6 <= known.constant <= 2.34e-6
    assert unknown.constant == 0.0


def test_peak_bandwidth_is_twice_clock_times_width_and_missing_where_the_driver_is_silent() -> None:
    assert peak_bandwidth(3_201_000, 6144) == 4_916_736_000_000
    assert peak_bandwidth(0, 6144) == 0
