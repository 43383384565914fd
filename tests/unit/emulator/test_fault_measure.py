"""The program that runs the planted faults on a GPU machine, as far as it goes without one."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from tests.helpers.fault_kernels import FOLDER, every_kernel

MEMCHECK = """========= COMPUTE-SANITIZER
========= Invalid __global__ read of size 4 bytes
=========     at k(float *, const float *, int)+0x120 in /tmp/x/bounds_next_element.cu:9
=========     by thread (3,0,0) in block (3,0,0)
=========         Host Frame: main [0x1] in host.cu:33
========= ERROR SUMMARY: 1 error
"""
RACECHECK = """========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at k(float *)+0x110 in a.cu:9
=========     and Read access at k(float *)+0x180 in a.cu:11 [508 hazards]
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""


@pytest.fixture(scope="module")
def measure() -> ModuleType:
    spec = importlib.util.spec_from_file_location("measure_faults", FOLDER / "measure.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_the_tools_say_is_read_with_the_lines_of_the_kernel_only(measure: ModuleType) -> None:
    found = measure.read_output(MEMCHECK, 9)
    assert (found["found"], found["right_line"], found["lines"]) == (True, True, [9])
    race = measure.read_output(RACECHECK, 12)
    assert (race["found"], race["right_line"], race["lines"]) == (True, False, [9, 11])
    for quiet in ("ERROR SUMMARY: 0 errors", "RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)"):
        assert not measure.read_output(f"========= {quiet}\n", 9)["found"]


def test_every_pair_becomes_a_program_that_keeps_the_kernels_lines(measure: ModuleType) -> None:
    for pair in every_kernel():
        program = measure.host_program(pair)
        assert f'#line 1 "{pair.name}.cu"\n{pair.source}' in program
        assert f"{pair.shared}>>>(" in program
