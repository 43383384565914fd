"""Hardware files: complete, each value with its source, and less than what the device itself says."""

from __future__ import annotations

import msgspec
import pytest

from workbench.errors import WrongInput
from workbench.model.device import DeviceInfo
from workbench.model.hardware import (
    DEVICE_ITSELF,
    Hardware,
    hardware_file,
    hardware_files,
    hardware_for,
    hardware_named,
    with_device,
)

ASKED = ("v100", "a100", "h100", "h200", "rtx4090", "jetson-agx-orin")
NEEDED = (
    "sm_count", "memory_bandwidth", "l2_bytes", "l2_line_bytes", "l2_ways", "sector_bytes", "shared_banks", "bank_bytes",
    "shared_optin_bytes", "shared_per_sm_bytes", "l1_and_shared_bytes", "max_threads_per_sm", "max_blocks_per_sm",
)  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_every_gpu_has_what_the_analysis_needs_with_a_source(name: str) -> None:
    hardware = hardware_files()[name]
    assert not set(NEEDED) - set(hardware.values)
    assert all(stated.value > 0 and len(stated.source) > 10 for stated in hardware.values.values())


@pytest.mark.parametrize("name", ASKED)
def test_the_second_level_cache_divides_into_whole_sets(name: str) -> None:
    values = hardware_files()[name].values
    assert values["l2_bytes"].value % (values["l2_line_bytes"].value * values["l2_ways"].value) == 0


def test_a_card_is_found_by_what_the_driver_calls_it() -> None:
    found = hardware_named("NVIDIA H200")
    assert found is not None
    assert found.architecture == "sm_90"
    assert hardware_named("NVIDIA H2000") is None


def test_a_file_is_found_by_its_name_in_any_case_and_an_unknown_one_names_those_there_are() -> None:
    assert hardware_file("A100") is hardware_files()["a100"]
    with pytest.raises(WrongInput, match=r"no hardware file gtx970; choose one of a100, h100, h200, .*, v100\."):
        hardware_file("gtx970")


def test_an_architecture_finds_its_widest_card_and_an_unknown_one_none() -> None:
    found = hardware_for("sm_90")
    assert found is not None
    assert found.title.startswith("NVIDIA H200")
    assert hardware_for("sm_10") is None


def test_what_a_device_says_of_itself_wins_over_its_file() -> None:
    device = DeviceInfo("cuda:0", "NVIDIA H200", "cuda", properties={"sm_count": 66, "driver": "580", "unheard_of": 3})
    merged = with_device(hardware_files()["h200"], device)
    assert merged.values["sm_count"].value == 66
    assert merged.values["sm_count"].source == DEVICE_ITSELF
    assert merged.values["l2_bytes"].source != DEVICE_ITSELF
    assert "unheard_of" not in merged.values


def test_a_file_with_a_value_that_has_no_source_is_refused() -> None:
    text = 'title = "X"\nnames = []\narchitecture = "sm_90"\n[values]\nsm_count = { value = 1 }\n'
    with pytest.raises(msgspec.ValidationError, match="source"):
        msgspec.toml.decode(text, type=Hardware)
