"""The prompt says what is known, says of the rest that it is not measured, and names no path of this machine."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from workbench.model.device import DeviceInfo, Environment
from workbench.model.failure import Failure, SourceLine
from workbench.model.launch import Launch
from workbench.model.ledger import MISSING, Estimate, LedgerLine
from workbench.model.project import Argument, Kernel, Project, SizeRange, Tolerance
from workbench.model.run import Clock, CompileData, Group, PassRecord, Run, TimingData
from workbench.model.source import SourceText
from workbench.model.version import Author, Code, Version, make_version
from workbench.suggest.prompt import build_prompt
from workbench.suggest.scrub import without_paths
from workbench.texts import message

SOURCE = "__global__ void scale(float* y, int n) {\r\n    // $5 and {braces} stay\r\n}\r\n"
LAUNCH = Launch(("ceil(n / 256)",), (256,))
GPU = DeviceInfo(
    "cuda:0", "NVIDIA H200", "cuda", properties={"compute_capability": "9.0", "l2_bytes": 50 * 2**20, "sm_count": 132}
)
EMULATOR = DeviceInfo("emulator", "CPU emulator", "emulator")


def project(folder: Path = Path("/home/somebody/secret-client/bench")) -> Project:
    return Project(
        "scale",
        folder,
        Kernel("cuda", "kernels/scale.cu", "scale", LAUNCH, targets=("sm_80", "sm_90")),
        (Argument("y", "float32", "inout", ("n",)), Argument("n", "int32", value="n")),
        {"n": SizeRange(1000, 1, 5000)},
        "at least 3x faster",
        tolerance=Tolerance(1e-4, 1e-6),
    )


def version() -> Version:
    options = ("-std=c++17", "-I/home/somebody/secret-client/bench/include", "-I/opt/other/include")
    return make_version(
        "baseline", Code(SourceText(SOURCE), "cuda", "scale", LAUNCH, options=options), None, Author("person"), "now"
    )


def run(*records: PassRecord, device: DeviceInfo = GPU) -> Run:
    return Run(1, version().hash, device.id, "now", Environment(device, "cpu", "Linux"), 1, records)


def timed(regime: str = "cold") -> PassRecord:
    groups = (Group((3e-3, 3e-3, 3e-3, 3e-3), (1e-3, 1e-3, 1e-3, 1e-3)),)
    data = TimingData(
        "a", "b", groups, "cpu" if regime == "cpu" else "cold", Clock("events"), 10, {"n": 1000}, "fresh", bytes=3000000
    )
    return PassRecord("time", "finished", "now", 1.0, time=data)


def line_of(prompt: str, name: str) -> str:
    return next(line for line in prompt.splitlines() if line.startswith(f"- {name}: ")).split(": ", 1)[1]


def test_the_four_blocks_source_and_answer_format_are_there_in_order() -> None:
    prompt = build_prompt(project(), version(), GPU, None, ())
    heads = re.findall(r"^## (.*)$", prompt, re.MULTILINE)
    assert [head.split(". ")[-1] for head in heads[:4]] == ["Hardware", "Goal", "Constraints", "Evaluation"]
    assert heads[-1] == "How to answer"
    assert "// $5 and {braces} stay\n" in prompt
    assert "Hypothesis:" in prompt
    assert "Metric:" in prompt
    assert "<<<<<<< SEARCH" in prompt


def test_what_is_not_known_is_said_to_be_not_measured() -> None:
    prompt = build_prompt(project(), version(), GPU, None, ())
    for name in ("memory bandwidth", "compiler", "kernel time now", "L2 hit rate", "DRAM throughput", "registers per thread"):
        assert line_of(prompt, name) == "not measured"
    assert line_of(prompt, "L2 cache") == "50.0 MiB"
    assert line_of(prompt, "multiprocessors") == "132"
    assert "None yet." in prompt
    assert "None\n" not in prompt.replace("None yet.\n", "")


def test_what_was_measured_is_told_with_its_goal_as_a_number() -> None:
    compiled = PassRecord("compile", "finished", "now", 1.0, compile=CompileData("NVRTC 13.0", 0.4, registers=40, spill_bytes=0))
    prompt = build_prompt(project(), version(), GPU, run(compiled, timed()), ())
    assert line_of(prompt, "kernel time to reach").startswith("at most 1.000 ms")
    assert line_of(prompt, "kernel time now").startswith("1.000 ms (median of 4 rounds, cold L2 cache")
    assert line_of(prompt, "speed against the baseline") == "3.00×"
    assert line_of(prompt, "least traffic / time") == "3.00 GB/s"
    assert line_of(prompt, "registers per thread") == "40"
    assert line_of(prompt, "register spills") == "0 B"
    assert line_of(prompt, "compiler") == "NVRTC 13.0"


def test_cpu_time_of_the_emulator_is_never_told_as_a_speed() -> None:
    prompt = build_prompt(project(), version(), EMULATOR, run(timed("cpu"), device=EMULATOR), ())
    assert line_of(prompt, "speed against the baseline") == "not measured"
    assert line_of(prompt, "least traffic / time") == "not measured"
    assert "no GPU time" in line_of(prompt, "kernel time now")
    assert line_of(prompt, "time").startswith("not judged on this device")


def test_constraints_name_interface_tolerance_sizes_targets_and_launch() -> None:
    prompt = build_prompt(project(), version(), GPU, None, ())
    assert "float32 y[n] (inout), int32 n" in line_of(prompt, "interface")
    assert "0.0001 (|r| + S) + 1e-06" in line_of(prompt, "tolerance")
    assert "n 1 to 5000" in line_of(prompt, "sizes")
    assert line_of(prompt, "target architectures") == "sm_80, sm_90"
    assert line_of(prompt, "launch now") == "block=256 grid=ceil(n/256) shared_bytes=0"
    assert "// ledger: block=" in prompt
    integers = msgspec.structs.replace(project(), arguments=(Argument("y", "int32", "output", ("n",)),))
    assert "exact" in line_of(build_prompt(integers, version(), GPU, None, ()), "tolerance")


def test_a_failure_goes_back_with_its_lines_and_without_paths() -> None:
    failure = Failure(
        "CompileFailed",
        message("The kernel does not compile: {text}", text="/home/somebody/secret-client/bench/kernels/scale.cu(3): error"),
        (SourceLine(3, '/tmp/ledger-x1/scale.cu(3): error: identifier "k" is undefined'),),
    )
    prompt = build_prompt(project(), version(), GPU, run(PassRecord("compile", "failed", "now", 1.0, failure)), ())
    assert "CompileFailed" in prompt
    assert 'identifier "k" is undefined' in line_of(prompt, "line 3 (error)")
    for word in ("somebody", "secret-client", "/tmp", "/opt", "/home"):
        assert word not in prompt
    assert line_of(prompt, "compiler options") == "-std=c++17 -Iinclude -Iinclude"


def test_earlier_tries_are_told_with_what_became_of_them() -> None:
    line = LedgerLine(
        "h", "vector loads", "p", "model", "fewer loads", "FASTER", MISSING, Estimate(1.61, evidence="measured"), MISSING,
        MISSING, MISSING, None, (), 1, "cuda:0", message("Faster than the baseline."),
    )  # fmt: skip
    prompt = build_prompt(project(), version(), GPU, None, (msgspec.structs.replace(line, parent=None, name="base"), line))
    assert "- vector loads: FASTER, 1.61× the baseline. Faster than the baseline. Hypothesis: fewer loads" in prompt
    assert "- base:" not in prompt


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("-I/usr/local/cuda/include", "-Iinclude"),
        ("ceil(width / 16) a/b 1/2", "ceil(width / 16) a/b 1/2"),
        ("C:\\Users\\me\\k.cu(3): error", "k.cu(3): error"),
        ("see ~/work/k.cu:12: x", "see k.cu:12: x"),
        ('"/home/me/a b/c"', '"a b/c"'),
        ("/work/p/kernels/k.cu in /work/p", "kernels/k.cu in ."),
    ],
)
def test_paths_are_shortened_and_divisions_are_not(text: str, clean: str) -> None:
    assert without_paths(text, Path("/work/p")) == clean
