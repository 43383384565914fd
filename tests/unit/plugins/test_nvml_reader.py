"""GPU status against a library that refuses any field, answers nonsense, or is not there at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plugins.nvml.reader import NvmlReader, open_reader, own_pids

DATA = Path(__file__).resolve().parents[2] / "data" / "nvml"


class NVMLError_NotSupported(Exception):
    """As nvidia-ml-py names it."""


class FakeNvml:
    """A library with one GPU; `answers` replaces a function's answer, an exception is raised."""

    NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_TEMPERATURE_GPU = 1, 2, 0

    def __init__(self, **answers: Any) -> None:
        self.called: list[str] = []
        self.answers: dict[str, Any] = {
            "nvmlInit": None,
            "nvmlDeviceGetCount": 1,
            "nvmlSystemGetDriverVersion": b"580.159.04",
            "nvmlDeviceGetHandleByIndex": "handle",
            "nvmlDeviceGetName": "NVIDIA H200",
            "nvmlDeviceGetUUID": "GPU-1",
            "nvmlDeviceGetClockInfo": 1980,
            "nvmlDeviceGetPowerUsage": 78947,
            "nvmlDeviceGetEnforcedPowerLimit": 700000,
            "nvmlDeviceGetTemperature": 34,
            "nvmlDeviceGetMemoryInfo": SimpleNamespace(used=1, total=2),
            "nvmlDeviceGetUtilizationRates": SimpleNamespace(gpu=7),
            "nvmlDeviceGetFanSpeed": 30,
            "nvmlDeviceGetCurrentClocksEventReasons": 0x4 | 0x40,
            "nvmlDeviceGetPersistenceMode": 1,
            "nvmlDeviceGetMigMode": (0, 0),
            "nvmlDeviceGetComputeRunningProcesses": [SimpleNamespace(pid=1), SimpleNamespace(pid=2)],
            "nvmlDeviceGetGraphicsRunningProcesses": [SimpleNamespace(pid=2), SimpleNamespace(pid=3)],
        } | answers

    def __getattr__(self, name: str) -> Any:
        if name not in self.answers:
            raise AttributeError(name)

        def function(*_: Any) -> Any:
            self.called.append(name)
            answer = self.answers[name]
            if isinstance(answer, Exception):
                raise answer
            return answer

        return function


def test_every_field_of_a_willing_library_is_read() -> None:
    (status,) = NvmlReader(FakeNvml(), own=lambda: {2}).read()
    assert status.missing == {}
    assert (status.name, status.uuid, status.driver) == ("NVIDIA H200", "GPU-1", "580.159.04")
    assert (status.power_watt, status.power_limit_watt) == (78.947, 700.0)
    assert (status.sm_clock_mhz, status.temperature_celsius, status.utilization_percent, status.fan_percent) == (1980, 34, 7, 30)
    assert status.limit_reasons == ("software power cap", "hardware thermal slowdown")
    assert (status.persistence, status.mig) == (True, False)
    assert status.other_processes == 2


FIELDS = {
    "nvmlDeviceGetClockInfo": "sm_clock_mhz",
    "nvmlDeviceGetPowerUsage": "power_watt",
    "nvmlDeviceGetEnforcedPowerLimit": "power_limit_watt",
    "nvmlDeviceGetTemperature": "temperature_celsius",
    "nvmlDeviceGetMemoryInfo": "memory_used_bytes",
    "nvmlDeviceGetUtilizationRates": "utilization_percent",
    "nvmlDeviceGetFanSpeed": "fan_percent",
    "nvmlDeviceGetCurrentClocksEventReasons": "limit_reasons",
    "nvmlDeviceGetPersistenceMode": "persistence",
    "nvmlDeviceGetMigMode": "mig",
    "nvmlDeviceGetComputeRunningProcesses": "other_processes",
}


@pytest.mark.parametrize(("function", "field"), FIELDS.items())
@pytest.mark.parametrize("odd", [NVMLError_NotSupported("Not Supported"), "N/A", "ERR!", None])
def test_a_refused_or_odd_field_is_missing_with_its_reason_and_the_others_stay(function: str, field: str, odd: Any) -> None:
    (status,) = NvmlReader(FakeNvml(**{function: odd}), own=set).read()
    assert getattr(status, field) is None
    assert status.missing[field]
    assert status.name == "NVIDIA H200"
    kept = [other for other in FIELDS.values() if other != field and getattr(status, other) is None]
    assert kept == []


def test_the_librarys_own_reason_is_kept() -> None:
    (status,) = NvmlReader(FakeNvml(nvmlDeviceGetFanSpeed=NVMLError_NotSupported("Not Supported")), own=set).read()
    assert status.missing == {"fan_percent": "NVMLError_NotSupported: Not Supported"}


def laptop_under_wsl2(old_driver: bool = False) -> FakeNvml:
    """A library that answers as nvidia-smi showed a laptop GPU under WSL2; an old driver refuses utilisation otherwise."""
    kept: dict[str, Any] = json.loads((DATA / "wsl2_laptop.json").read_text(encoding="utf-8"))
    if old_driver:
        kept["nvmlDeviceGetUtilizationRates"] = {"raises": "NVMLError_Unknown"}
    return FakeNvml(**{name: _answer(value) for name, value in kept.items()})


def _answer(value: Any) -> Any:
    if isinstance(value, dict):
        return type(value["raises"], (Exception,), {})() if "raises" in value else SimpleNamespace(**value)
    return value


@pytest.mark.parametrize("old_driver", [False, True])
def test_a_laptop_under_wsl2_shows_what_it_tells_and_why_the_rest_is_missing(old_driver: bool) -> None:
    (status,) = NvmlReader(laptop_under_wsl2(old_driver), own=set).read()
    assert (status.name, status.temperature_celsius) == ("NVIDIA GeForce RTX 3060 Laptop GPU", 59)
    assert (status.memory_used_bytes, status.memory_total_bytes) == (603 * 2**20, 7974 * 2**20)
    assert status.missing == {
        "utilization_percent": "NVMLError_Unknown" if old_driver else "NVMLError_NotSupported",
        "power_watt": "ValueError: the library answered None",
        "power_limit_watt": "ValueError: the library answered 'N/A'",
        "fan_percent": "ValueError: the library answered 'N/A'",
        "sm_clock_mhz": "ValueError: the library answered 'N/A'",
        "memory_clock_mhz": "ValueError: the library answered 'N/A'",
        "limit_reasons": "NVMLError_NotSupported",
        "other_processes": "NVMLError_Unknown",
        "driver": "ValueError: the library answered 'ERR!'",
    }
    assert all(getattr(status, field) is None for field in status.missing)


@pytest.mark.parametrize(
    ("function", "field"),
    [("nvmlDeviceGetName", "name"), ("nvmlDeviceGetUUID", "uuid"), ("nvmlSystemGetDriverVersion", "driver")],
)
@pytest.mark.parametrize("odd", ["ERR!", "N/A", "[N/A]", "Unknown Error", "", b"N/A", None, 7, RuntimeError("lost")])
def test_what_stands_for_no_answer_is_no_name(function: str, field: str, odd: Any) -> None:
    (status,) = NvmlReader(FakeNvml(**{function: odd}), own=set).read()
    assert not getattr(status, field)
    assert status.missing[field]
    assert status.temperature_celsius == 34


def test_one_odd_part_of_an_answer_spoils_only_its_field() -> None:
    memory = SimpleNamespace(used="N/A", total=2)
    (status,) = NvmlReader(FakeNvml(nvmlDeviceGetMemoryInfo=memory, nvmlDeviceGetMigMode=("N/A", 0)), own=set).read()
    assert (status.memory_used_bytes, status.memory_total_bytes) == (None, 2)
    assert set(status.missing) == {"memory_used_bytes", "mig"}


def test_quiet_leaves_out_what_disturbs_a_timing() -> None:
    library = FakeNvml()
    (status,) = NvmlReader(library, own=set).read(quiet=True)
    assert (status.utilization_percent, status.other_processes) == (None, None)
    assert not {"nvmlDeviceGetUtilizationRates", "nvmlDeviceGetComputeRunningProcesses"} & set(library.called)


def test_an_older_library_is_asked_by_its_older_name() -> None:
    library = FakeNvml(nvmlDeviceGetCurrentClocksThrottleReasons=0x8)
    del library.answers["nvmlDeviceGetCurrentClocksEventReasons"]
    (status,) = NvmlReader(library, own=set).read()
    assert status.limit_reasons == ("hardware slowdown",)


@pytest.mark.parametrize("broken", ["nvmlInit", "nvmlDeviceGetCount"])
def test_a_library_that_does_not_start_says_so_and_reads_nothing(broken: str) -> None:
    reader = NvmlReader(FakeNvml(**{broken: NVMLError_NotSupported("Driver Not Loaded")}), own=set)
    assert "Driver Not Loaded" in str(reader.unavailable())
    assert reader.read() == ()


def test_a_gpu_that_fell_off_the_bus_is_left_out() -> None:
    assert NvmlReader(FakeNvml(nvmlDeviceGetHandleByIndex=RuntimeError("lost")), own=set).read() == ()
    assert NvmlReader(FakeNvml(), own=set).unavailable() is None
    assert NvmlReader(FakeNvml(nvmlDeviceGetCount=0), own=set).unavailable() is not None


def test_the_real_library_reads_or_says_why_not() -> None:
    reader = open_reader()
    assert (reader.unavailable() is None) == bool(reader.read())


def test_this_process_is_its_own() -> None:
    assert os.getpid() in own_pids()
