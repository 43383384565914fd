"""SYNTHETIC sessions for tests and screenshots: every number is made up around the running example, nothing was measured.

`emulator_session(folder)` and `gpu_session(folder)` write a session file into `folder` and return the open store;
`sample_project()`, `sample_versions()`, `gpu_runs()` ... give the same values without a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from sessions import Store, create
from tests.helpers import sample_sources
from tests.helpers.sample_access import access_pass
from tests.helpers.sample_passes import compile_pass, time_pass, trace_pass, verify_pass, wrong_verify_pass
from workbench.model.device import DeviceInfo, Environment, GpuStatus
from workbench.model.events import KINDS, Trace
from workbench.model.launch import Launch, launch_in_source
from workbench.model.project import Argument, Kernel, Pipeline, Project, SizeRange, ValueSpec
from workbench.model.run import PassRecord, Run
from workbench.model.source import SourceText
from workbench.model.suggestion import Suggestion
from workbench.model.version import Author, Code, Version, make_version
from workbench.texts import message

LAUNCH = Launch(("ceil(width / 16)", "ceil(height / 16)", "batch"), (16, 16, 1))
DAY = "2026-11-29"

BEFORE = {"kernel": 0.108, "cpu": 0.038, "h2d": 0.042, "other": 0.118, "sync": 0.026, "d2h": 0.020}
VECTOR = {"kernel": 0.067, "cpu": 0.038, "h2d": 0.042, "other": 0.118, "sync": 0.026, "d2h": 0.020}
TILE = {"kernel": 0.0164, "cpu": 0.038, "h2d": 0.046, "other": 0.118, "sync": 0.025, "d2h": 0.022}
WALLS = {"baseline": 0.352, "vector loads": 0.312, "tile prefetch": 0.281}
"""The running example of requirements.md, seconds."""


def sample_project() -> Project:
    """Return the project of the running example; its folder is empty, as in a session."""
    return Project(
        "image-preprocess",
        Path(),
        Kernel("cuda", "kernels/baseline.cu", "preprocess", LAUNCH, bytes="batch * width * height * 5"),
        (
            Argument("src", "uint8", "input", ("batch", "height", "width"), None, ValueSpec("integers", 0, 256)),
            Argument("dst", "float32", "output", ("batch", "height", "width")),
            Argument("width", "int32", value="width"),
            Argument("height", "int32", value="height"),
        ),
        {"width": SizeRange(1920, 1, 4096), "height": SizeRange(1080, 1, 4096), "batch": SizeRange(8, 1, 32)},
        "kernel at least 3x faster, same interface",
        "reference.py:preprocess",
        pipeline=Pipeline("pipeline.py:run"),
    )


def _version(name: str, text: str, parent: str | None, author: Author, hypothesis: str) -> Version:
    code = Code(SourceText(text), "cuda", "preprocess", launch_in_source(text, LAUNCH), options=("-std=c++17",))
    return make_version(name, code, parent, author, f"{DAY}T09:00:00+00:00", hypothesis=hypothesis)


def sample_versions() -> tuple[Version, Version, Version, Version]:
    """Return baseline, vector loads, tile prefetch, and a wrong one."""
    baseline = _version("baseline", sample_sources.BASELINE, None, Author("person"), "")
    vector = _version(
        "vector loads", sample_sources.VECTOR, baseline.hash, Author("shipped"),
        "Four pixels a thread share their loads: global loads fall by half.",
    )  # fmt: skip
    tile = _version(
        "tile prefetch", sample_sources.TILE, vector.hash, Author("model", "synthetic-model"),
        "Every pixel is loaded once per block into shared memory instead of nine times.",
    )  # fmt: skip
    wrong = _version("fast math", sample_sources.FAST_MATH, baseline.hash, Author("clipboard"), "Products instead of divisions.")
    return baseline, vector, tile, wrong


def gpu_environment() -> Environment:
    """Return a made-up GPU machine."""
    info = DeviceInfo(
        "cuda:0", "NVIDIA H200", "cuda", uuid="GPU-00000000-0000-0000-0000-000000000000",
        properties={"compute_capability": "9.0", "l2_bytes": 60 * 2**20, "sm_count": 132, "driver": "580.159"},
    )  # fmt: skip
    status = GpuStatus(
        "NVIDIA H200", info.uuid or "", 1980, 3201, 412.0, 700.0, 54, limit_reasons=(), driver="580.159", other_processes=0
    )
    software = {"CUDA": "13.0", "compiler": "NVRTC 13.0", "driver": "580.159"}
    return Environment(info, "synthetic processor, 16 cores", "Linux 6.1", software, status, status, 0.4)


def emulator_environment() -> Environment:
    """Return a made-up laptop without a GPU."""
    info = DeviceInfo("emulator", "CPU emulator", "emulator", properties={"cores": 2})
    software = {"compiler": "g++ 12.2.0", "Python": "3.11.7"}
    noisy = message("Another program used the processor while timing: the load average was {load}.", load="1.8")
    return Environment(info, "synthetic processor, 2 cores", "Linux 6.1", software, load_average=1.8, notes=(noisy,))


def _run(
    number: int, version: Version, environment: Environment, passes: Sequence[PassRecord], confirms: int | None = None
) -> Run:
    started = f"{DAY}T10:{number:02d}:00+00:00"
    return Run(number, version.hash, environment.device.id, started, environment, 7000 + number, tuple(passes), True, confirms)


def gpu_runs(*, confirmed: bool = True) -> tuple[Run, ...]:
    """Return the runs of the GPU session: three right versions (the last confirmed in a second run), one wrong."""
    baseline, vector, tile, wrong = sample_versions()
    place = gpu_environment()
    sizes = {"width": 1920, "height": 1080, "batch": 8}

    def passes(version: Version, seconds: float, stages: Mapping[str, float], seed: int) -> list[PassRecord]:
        pair = (baseline.hash, version.hash)
        timed = time_pass(pair, (0.108, seconds), sizes, seed, place)
        traced = trace_pass(pair, (BEFORE, stages), (WALLS["baseline"], WALLS[version.name]), seed)
        return [compile_pass(version), verify_pass(seed), timed, traced]

    runs = [
        _run(1, baseline, place, passes(baseline, 0.108, BEFORE, 1)),
        _run(2, vector, place, passes(vector, 0.067, VECTOR, 2)),
        _run(3, wrong, place, [compile_pass(wrong), wrong_verify_pass(), not_run("time"), not_run("trace")]),
        _run(4, tile, place, passes(tile, 0.0164, TILE, 4)),
    ]
    if confirmed:
        runs.append(_run(5, tile, place, passes(tile, 0.0164, TILE, 5), confirms=4))
    return tuple(runs)


def emulator_runs() -> tuple[Run, ...]:
    """Return the runs of the emulator session: the same versions, CPU time only."""
    baseline, vector, tile, wrong = sample_versions()
    place = emulator_environment()
    sizes = {"width": 640, "height": 360, "batch": 1}
    small = {name: seconds / 8 for name, seconds in BEFORE.items()}
    runs = []
    for number, (version, seconds) in enumerate(((baseline, 0.041), (vector, 0.029), (tile, 0.096)), 1):
        pair = (baseline.hash, version.hash)
        timed = time_pass(pair, (0.041, seconds), sizes, number, place, rounds=4)
        traced = trace_pass(
            pair, (small, small | {"kernel": seconds / 3}), (0.046, 0.046 + (seconds - 0.041) / 3), number, repeats=4
        )
        extra = [access_pass()] if version is tile else []
        runs.append(_run(number, version, place, [compile_pass(version), verify_pass(number), timed, traced, *extra]))
    runs.append(_run(4, wrong, place, [compile_pass(wrong), wrong_verify_pass(), not_run("time"), not_run("trace")]))
    return tuple(runs)


def not_run(name: str) -> PassRecord:
    """Return a pass that was not run because the answer was wrong."""
    reason = message("Not run: the answer was wrong, and a wrong answer is never timed.")
    return msgspec.structs.replace(PassRecord("time", "not run", f"{DAY}T10:00:30+00:00", 0.0, reason=reason), name=name)


def sample_suggestions() -> tuple[Suggestion, ...]:
    """Return two suggestions, one accepted and one in review."""
    baseline, vector, tile, _wrong = sample_versions()
    accepted = Suggestion(
        vector.hash, Author("model", "synthetic-model"), "SYNTHETIC PROMPT", "SYNTHETIC ANSWER", f"{DAY}T09:30:00+00:00",
        tile.hypothesis, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1200, 480, 0.004, "accepted", (1, 2, 3), tile.hash,
    )  # fmt: skip
    waiting = Suggestion(baseline.hash, Author("clipboard"), "SYNTHETIC PROMPT", "SYNTHETIC ANSWER", f"{DAY}T11:00:00+00:00")
    return accepted, waiting


def sample_trace(stages: Mapping[str, float]) -> Trace:
    """Return a made-up repeat: one bar for each stage, one after the other, on a CPU and a GPU lane."""
    order = [name for name in ("cpu", "h2d", "other", "kernel", "sync", "d2h") if name in stages]
    durations = np.array([round(stages[name] * 1e9) for name in order], np.int64)
    start = np.concatenate([[0], np.cumsum(durations)[:-1]]).astype(np.int64)
    kind = np.array([KINDS.index(name) for name in order], np.uint8)
    lane = np.array([0 if name in ("cpu", "sync") else 1 for name in order], np.uint16)
    return Trace(
        start,
        durations,
        kind,
        lane,
        np.arange(len(order), dtype=np.uint32),
        tuple(order),
        ("host", "stream 1"),
        int(durations.sum()),
    )


def fill(store: Store, runs: Sequence[Run]) -> Store:
    """Write project, versions, suggestions, runs and traces into an empty session."""
    store.set_project(sample_project())
    for version in sample_versions():
        store.add_version(version)
    for run in runs:
        number = store.start_run(run.version, run.device, run.environment, run.seed, run.confirms)
        for record in run.passes:
            store.add_pass(number, record)
        if run.last("trace") is not None:
            store.add_trace(number, "a", sample_trace(BEFORE))
            store.add_trace(number, "b", sample_trace(TILE))
        store.finish_run(number)
    for suggestion in sample_suggestions():
        store.add_suggestion(suggestion)
    return store


def gpu_session(folder: Path) -> Store:
    """Write `gpu.db` into `folder` and return it open."""
    return fill(create(folder / "gpu.db"), gpu_runs())


def emulator_session(folder: Path) -> Store:
    """Write `emulator.db` into `folder` and return it open."""
    return fill(create(folder / "emulator.db"), emulator_runs())
