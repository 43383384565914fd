"""SYNTHETIC passes: what a compile, verify, time and trace pass look like, with made-up numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from workbench.model.device import Environment
from workbench.model.failure import Failure
from workbench.model.run import (
    CaseResult,
    Clock,
    CompileData,
    GateResult,
    Group,
    PassRecord,
    PipelineData,
    PipelineRepeat,
    TimingData,
    VerifyData,
    WorstElement,
)
from workbench.model.version import Version
from workbench.texts import message

STARTED = "2026-11-29T10:00:00+00:00"
GROUPS = 5
TITLES = {
    "cpu": "CPU pre-processing",
    "h2d": "Host to device copy",
    "kernel": "Target kernel",
    "other": "Other GPU kernels",
    "sync": "Synchronisation",
    "d2h": "Device to host copy",
}


def compile_pass(version: Version) -> PassRecord:
    """Return a compile pass."""
    data = CompileData("NVRTC 13.0", 0.41, symbol=version.code.entry, binary_hash=version.hash[::-1], registers=40, spill_bytes=0)
    return PassRecord("compile", "finished", STARTED, 0.42, compile=data)


def _gates() -> tuple[GateResult, ...]:
    rows: tuple[tuple[str, str, str, str, dict[str, float]], ...] = (
        ("numeric", "Numeric answer", "passed", "All {cases} cases are within the tolerance.", {"cases": 36, "worst": 8.1e-6}),
        ("shapes", "Boundary shapes", "passed", "{cases} sizes around the block, prime and one, all right.", {"cases": 12}),
        ("values", "Value ranges", "passed", "Zeros, ones, small, large and denormal inputs, all right.", {}),
        ("bounds", "Writes outside a buffer", "passed", "No guard area was written to.", {"hits": 0}),
        ("unwritten", "Every element written", "passed", "No element kept both poisons.", {"elements": 0}),
        ("inputs", "Inputs unchanged", "passed", "The inputs have the same checksum before and after.", {}),
        ("controls", "Trivial answers fail", "passed", "Zeros, a constant and a copied input were all refused.", {"controls": 4}),
        ("reads", "Reads outside a buffer", "not run", "Not run: on a GPU this needs the sanitizer gate.", {}),
    )
    return tuple(
        GateResult(
            gate,
            message(title),
            "not run" if status == "not run" else "passed",
            message(sentence, **{key: int(value) for key, value in facts.items() if key == "cases"}),
            facts,
        )
        for gate, title, status, sentence, facts in rows
    )


def verify_pass(seed: int) -> PassRecord:
    """Return a verify pass of 36 cases, all right, the worst error 8.1e-6."""
    rng = np.random.default_rng(seed)
    errors = np.append(10 ** rng.uniform(-7, -5.4, 35), 8.1e-6)
    cases = tuple(
        CaseResult(
            {"width": 1 + 53 * index, "height": 1 + 31 * index, "batch": 1},
            ("integers", "zeros", "extremes")[index % 3],
            seed * 100 + index,
            True,
            WorstElement("dst", (0, index, index), 1.0 + float(error), 1.0, float(error), 1e-4, float(error)),
            elements=(1 + 53 * index) * (1 + 31 * index),
        )
        for index, error in enumerate(errors)
    )
    gates = _gates()
    data = VerifyData(cases, gates, cases[-1].worst, "reference.py:preprocess in float64")
    return PassRecord("verify", "finished", STARTED, 3.1, verify=data, gates=gates)


def wrong_verify_pass() -> PassRecord:
    """Return a verify pass that found a wrong answer."""
    worst = WorstElement("dst", (0, 7, 12), 1.0132, 1.0, 0.0132, 1e-4, 0.0132)
    gate = GateResult(
        "numeric", message("Numeric answer"), "failed",
        message("dst[0, 7, 12] is 1.0132 where the reference has 1.0000; 132 times the tolerance."), {"worst": 0.0132},
    )  # fmt: skip
    case = CaseResult({"width": 17, "height": 9, "batch": 1}, "integers", 41, False, worst, 153, 153)
    failure = Failure(
        "WrongAnswer", message("The answer differs from the reference at dst[0, 7, 12] (error {error}).", error="1.3e-2")
    )
    data = VerifyData((case,), (gate,), worst, "reference.py:preprocess in float64")
    return PassRecord("verify", "failed", STARTED, 0.8, failure, verify=data, gates=(gate,))


def time_pass(
    hashes: tuple[str, str],
    seconds: tuple[float, float],
    sizes: Mapping[str, int],
    seed: int,
    environment: Environment,
    *,
    rounds: int = 20,
) -> PassRecord:
    """Return timed rounds of `hashes[1]` against `hashes[0]` scattered by 0.3 % (2 % on the emulator)."""
    gpu = environment.device.books_gains
    rng = np.random.default_rng(seed)
    spread = 0.003 if gpu else 0.02

    def side(center: float) -> tuple[float, ...]:
        return tuple(float(value) for value in center * (1 + spread * rng.standard_normal(rounds)))

    groups = tuple(Group(side(seconds[0]), side(seconds[1]), (1980,) * rounds if gpu else ()) for _ in range(GROUPS))
    clock = (
        Clock("CUDA events behind a blocking kernel", 2.2e-6, 1e-7, "measured", 3.2e-8) if gpu else Clock("host clock", tick=1e-9)
    )
    data = TimingData(
        *hashes, groups, "cold" if gpu else "cpu", clock, 10, sizes, "fresh each round, integers(0, 256)",
        checked_rounds=rounds * GROUPS, bytes=sizes["width"] * sizes["height"] * sizes["batch"] * 5,
    )  # fmt: skip
    gate = GateResult(
        "rounds", message("Timed rounds re-checked"), "passed",
        message("{rounds} timed rounds gave the proven answer.", rounds=rounds * GROUPS), {"rounds": rounds * GROUPS},
    )  # fmt: skip
    return PassRecord("time", "finished", STARTED, 41.0, time=data, gates=(gate,), environment=environment)


def trace_pass(
    hashes: tuple[str, str],
    stages: tuple[Mapping[str, float], Mapping[str, float]],
    walls: tuple[float, float],
    seed: int,
    *,
    repeats: int = 20,
) -> PassRecord:
    """Return interleaved repeats of the pipeline; the traced ones carry the stages, exactly as given."""
    rng = np.random.default_rng(seed)
    parts: list[PipelineRepeat] = []
    for _ in range(repeats):
        parts += [PipelineRepeat("a", False, walls[0] * (1 + 0.002 * float(rng.standard_normal())))]
        parts += [PipelineRepeat("b", False, walls[1] * (1 + 0.002 * float(rng.standard_normal())))]
    for side, wall, table in (("a", walls[0], stages[0]), ("b", walls[1], stages[1])):
        parts += [PipelineRepeat("a" if side == "a" else "b", True, wall, dict(table), 1)] * 3
    data = PipelineData(
        *hashes, tuple(parts), TITLES, {name: name for name in TITLES}, {"width": 1920, "height": 1080, "batch": 8}, True
    )
    return PassRecord("trace", "finished", STARTED, 12.0, trace=data)
