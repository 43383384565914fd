"""The shipped kernels on the emulator: baseline and both answers are right at every shape that usually breaks such code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec
import numpy as np
import pytest

import resources
from plugins.emulator.in_worker import EmulatorDevice, open_device
from workbench.analysis.apply_edit import apply_hunks, plan
from workbench.model.project_file import code_of, read_project
from workbench.model.source import SourceText
from workbench.plugin_api import ArrayFacts, ResolvedLaunch
from workbench.suggest.read_reply import read_reply
from workbench.worker.project_python import call_by_name, load_function

FOLDER = resources.path("demos/image-preprocess")
ANSWERS = ("answers/1-vector-loads.md", "answers/2-shared-memory-tile.md")
SHAPES = ((1, 1, 1), (3, 2, 2), (5, 4, 1), (8, 3, 1), (11, 7, 2), (13, 1, 1), (31, 33, 1), (33, 31, 2), (127, 9, 1), (129, 33, 1))
"""width, height, batch"""


def sources() -> list[str]:
    """Return the baseline, and what the shipped answers make of it one after the other."""
    texts = [(FOLDER / "kernels/baseline.cu").read_text(encoding="utf-8")]
    for name in ANSWERS:
        proposed = plan(texts[-1], read_reply((FOLDER / name).read_text(encoding="utf-8")), "kernels/baseline.cu")
        texts.append(apply_hunks(texts[-1], proposed, [hunk.number for hunk in proposed.hunks]))
    return texts


@pytest.fixture(scope="module")
def device() -> Iterator[EmulatorDevice]:
    opened = cast(EmulatorDevice, open_device("emulator"))
    yield opened
    opened.close()


@pytest.mark.parametrize("number", [0, 1, 2], ids=["baseline", "vector loads", "shared-memory tile"])
def test_a_shipped_kernel_is_right_at_every_edge(device: EmulatorDevice, tmp_path: Path, number: int) -> None:
    code = code_of(read_project(FOLDER), SourceText(sources()[number]))
    kernel = device.load(device.compile(code, tmp_path, name="kernel.cu"), {})
    reference = load_function(FOLDER, "reference.py:preprocess")
    for width, height, batch in SHAPES:
        src = np.random.default_rng(width).integers(0, 256, (batch, height, width, 3), dtype=np.uint8)
        right = call_by_name(reference, {"src": src})["dst"]
        given, written = device.allocate(src.nbytes), device.allocate(right.size * 4)
        device.write(given, src)
        device.fill(written, 0xFF)
        launch = code.launch.resolve({"width": width, "height": height, "batch": batch})
        device.launch(kernel, launch, [given, written, np.int32(width), np.int32(height)])
        answer = device.read(written, "float32", right.shape)
        size = np.abs(right) + np.sqrt(np.mean(right**2))
        assert float(np.max(np.abs(answer - right) / size)) < 1e-5, (width, height, batch)
        assert device.check_guards([given, written]) == []
        device.free(given)
        device.free(written)


@pytest.mark.parametrize("number", [0, 1, 2], ids=["baseline", "vector loads", "shared-memory tile"])
def test_the_sanitizer_finds_nothing_in_a_shipped_kernel(device: EmulatorDevice, tmp_path: Path, number: int) -> None:
    code = code_of(read_project(FOLDER), SourceText(sources()[number]))
    kernel = device.load(device.compile(code, tmp_path, name="kernel.cu"), {})
    facts = (
        ArrayFacts("src", 1, True), ArrayFacts("dst", 4, False), ArrayFacts("width", 4, True), ArrayFacts("height", 4, True),
    )  # fmt: skip
    for width, height, batch in ((1, 1, 1), (33, 31, 2), (127, 9, 1)):
        pixels = width * height * batch * 3
        given, written = device.allocate(pixels), device.allocate(pixels * 4)
        device.fill(given, 7)
        launch = code.launch.resolve({"width": width, "height": height, "batch": batch})
        found = device.sanitize(kernel, launch, [given, written, np.int32(width), np.int32(height)], facts)
        assert [str(one.sentence) for one in found.findings] == [], (width, height, batch)
        device.free(given)
        device.free(written)


CHAIN = {
    "resize": (
        ("src", 1, True),
        ("dst", 1, False),
        ("src_width", 4, True),
        ("src_height", 4, True),
        ("width", 4, True),
        ("height", 4, True),
    ),
    "patches": (
        ("src", 4, True),
        ("dst", 4, False),
        ("width", 4, True),
        ("height", 4, True),
        ("columns", 4, True),
        ("rows", 4, True),
    ),
}
"""The other kernels of the demo's chain -> name, bytes and whether it is there before the launch, of each argument."""


@pytest.mark.parametrize("size", [(1, 1), (31, 33), (40, 17)], ids=str)
@pytest.mark.parametrize("name", CHAIN)
def test_the_sanitizer_finds_nothing_in_the_other_kernels_of_the_chain(
    device: EmulatorDevice, tmp_path: Path, name: str, size: tuple[int, int]
) -> None:
    text = (FOLDER / f"kernels/{name}.cu").read_text(encoding="utf-8")
    code = msgspec.structs.replace(code_of(read_project(FOLDER), SourceText(text)), entry=name)
    kernel = device.load(device.compile(code, tmp_path, name="kernel.cu"), {})
    width, height = size
    if name == "resize":
        made = (width, height)
        counts, scalars = (13 * 9 * 3 * 2, width * height * 3 * 2), (13, 9, width, height)
    else:
        made = (-(-width // 8), -(-height // 8))
        counts, scalars = (width * height * 2 * 4, made[0] * made[1] * 2 * 4), (width, height, *made)
    given, written = (device.allocate(count) for count in counts)
    device.fill(given, 7)
    launch = ResolvedLaunch((-(-made[0] // 16), -(-made[1] // 16), 2), (16, 16, 1), 0)
    facts = [ArrayFacts(*one) for one in CHAIN[name]]
    found = device.sanitize(kernel, launch, [given, written, *map(np.int32, scalars)], facts)
    assert [str(one.sentence) for one in found.findings] == []
    device.free(given)
    device.free(written)
