"""The demo's tiled kernel on one 1920 x 1080 image on the emulator, beside the baseline and NumPy, on two cores."""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import resources
from plugins.emulator.in_worker import open_device
from tests.speed.figures import Figure, hand_over, repeated, scratch
from workbench.analysis.apply_edit import apply_hunks, plan
from workbench.model.launch import Launch
from workbench.model.project import Project
from workbench.model.project_file import code_of, read_project
from workbench.model.source import SourceText, read_source
from workbench.plugin_api import Argument, Code, ResolvedLaunch
from workbench.suggest.read_reply import read_reply

LIMIT = 60.0
BARRIERS_LIMIT = 3.0
BARRIERS = """__global__ void meet(float* values) {
    __shared__ float kept[1024];
    int t = threadIdx.x;
    kept[t] = values[t];
    for (int i = 0; i < 100; i++) {
        __syncthreads();
        kept[t] = 0.5f * (kept[t] + i);
    }
    values[t] = kept[t];
}
"""
REPEATS = 15
SIZES = {"width": 1920, "height": 1080, "batch": 1}
ANSWERS = ("1-vector-loads.md", "2-shared-memory-tile.md")


def _sources(project: Project) -> tuple[SourceText, SourceText]:
    """Return the baseline and what both shipped answers make of it."""
    baseline = tiled = read_source(project.folder / project.kernel.source)
    for answer in ANSWERS:
        reply = read_reply((project.folder / "answers" / answer).read_text(encoding="utf-8"))
        edit = plan(tiled.text, reply, project.kernel.source)
        tiled = tiled.with_text(apply_hunks(tiled.text, edit, edit.acceptable))
    return baseline, tiled


def _launcher(
    project: Project, source: SourceText, image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
) -> Callable[[], float]:
    """Compile a source and return a function that launches it once and returns the milliseconds of the launch."""
    device, code = open_device("emulator"), code_of(project, source)
    kernel = device.load(device.compile(code, scratch() / "compiled", name=project.kernel.source), code.constants)
    source_buffer = device.allocate(image.nbytes)
    target = device.allocate(image.nbytes * 4)
    device.write(source_buffer, image)
    arguments: list[Argument] = [source_buffer, target, np.int32(SIZES["width"]), np.int32(SIZES["height"])]
    launch = code.launch.resolve(SIZES)

    def once() -> float:
        started = time.perf_counter()
        device.launch(kernel, launch, arguments)
        return (time.perf_counter() - started) * 1e3

    return once


def _barriers() -> Callable[[], float]:
    """Compile a block of 1024 threads that meet at 100 barriers and return a function that launches it, in milliseconds."""
    device = open_device("emulator")
    code = Code(SourceText(BARRIERS), "cuda", "meet", Launch((1,), (1024,)))
    kernel = device.load(device.compile(code, scratch() / "compiled", name="barriers.cu"), {})
    buffer = device.allocate(4096)
    device.write(buffer, np.ones(1024, np.float32))

    def once() -> float:
        started = time.perf_counter()
        device.launch(kernel, ResolvedLaunch((1, 1, 1), (1024, 1, 1), 0), [buffer])
        return (time.perf_counter() - started) * 1e3

    return once


def _reference(folder: Path, image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Callable[[], float]:
    spec = importlib.util.spec_from_file_location("demo_reference", folder / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def once() -> float:
        started = time.perf_counter()
        module.preprocess(src=image)
        return (time.perf_counter() - started) * 1e3

    return once


def main() -> None:
    """Measure all three in this process, held to two cores."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    project = read_project(resources.path("demos/image-preprocess"))
    baseline, tiled = _sources(project)
    image = np.random.default_rng(7).integers(0, 256, (1, SIZES["height"], SIZES["width"], 3), dtype=np.uint8)
    launch, worked = _launcher(project, tiled, image), list[float]()

    def once() -> float:
        before = time.process_time()
        wall = launch()
        worked.append((time.process_time() - before) * 1e3)
        return wall

    ours = repeated(REPEATS, once)
    hand_over([
        Figure("emulator: tiled kernel, one 1920x1080 image", ours, "ms", LIMIT, "two cores"),
        Figure("  of it: processor time of both cores together", tuple(worked[1:]), "ms"),
        Figure("emulator: a block of 1024 threads meets at 100 barriers", repeated(50, _barriers()), "ms", BARRIERS_LIMIT),
        Figure("  peer: the baseline kernel, the same way", repeated(5, _launcher(project, baseline, image)), "ms"),
        Figure("  peer: the reference in NumPy, float64", repeated(3, _reference(project.folder, image)), "ms"),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
