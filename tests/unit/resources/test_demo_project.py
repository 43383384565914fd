"""The shipped project: it reads, its reference says what its text says, and its answers apply one after the other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import resources
from workbench.analysis.apply_edit import apply_hunks, plan
from workbench.model.project import Project
from workbench.model.project_file import code_of, read_project
from workbench.model.source import SourceText
from workbench.suggest.read_reply import read_reply
from workbench.worker.project_python import call_by_name, load_function

FOLDER = resources.path("demos/image-preprocess")
ANSWERS = ("answers/1-vector-loads.md", "answers/2-shared-memory-tile.md")


@pytest.fixture
def project() -> Project:
    return read_project(FOLDER)


def test_the_demo_moves_fifteen_bytes_for_each_pixel(project: Project) -> None:
    assert project.default_sizes("cuda") == {"width": 1920, "height": 1080, "batch": 16}
    assert project.default_sizes("emulator") == {"width": 480, "height": 270, "batch": 1}
    assert project.kernel.bytes == "batch * width * height * 15"
    assert project.runs_python


def test_both_answers_apply_exactly_and_bring_their_own_launch(project: Project) -> None:
    text = (FOLDER / project.kernel.source).read_text(encoding="utf-8")
    launches = []
    for name in ANSWERS:
        reply = read_reply((FOLDER / name).read_text(encoding="utf-8"))
        proposed = plan(text, reply, project.kernel.source)
        assert proposed.outcome == "applied", [str(notice) for notice in proposed.notices]
        assert reply.hypothesis
        assert reply.metric.endswith(".sum")
        text = apply_hunks(text, proposed, [hunk.number for hunk in proposed.hunks])
        launches.append(code_of(project, SourceText(text)).launch.resolve({"width": 129, "height": 33, "batch": 2}))
    assert [launch.grid for launch in launches] == [(2, 5, 2), (5, 2, 2)]
    assert [launch.block for launch in launches] == [(32, 8, 1), (32, 8, 1)]


def test_the_reference_of_a_grey_image_has_luma_and_no_chroma() -> None:
    reference = load_function(FOLDER, "reference.py:preprocess")
    src = np.full((1, 3, 5, 3), 255, dtype=np.uint8)
    dst = call_by_name(reference, {"src": src, "width": 5, "height": 3})["dst"]
    assert dst.shape == (1, 3, 3, 5)
    assert np.allclose(dst[0, 0], (1.0 - 0.218) / 0.215, rtol=1e-6)
    assert np.allclose(dst[0, 1], 0.008 / 0.046, rtol=1e-6)
    assert np.allclose(dst[0, 2], -0.011 / 0.061, rtol=1e-6)


def test_the_reference_repeats_the_edge_and_keeps_each_image_to_itself() -> None:
    reference = load_function(FOLDER, "reference.py:preprocess")
    src = np.zeros((2, 1, 3, 3), dtype=np.uint8)
    src[0, 0, 0, 1] = 255
    dst = call_by_name(reference, {"src": src})["dst"]
    luma = dst[:, 0, 0] * np.float64(np.float32(0.215)) + np.float64(np.float32(0.218))
    assert np.allclose(luma[0], [0.7152 * 0.75, 0.7152 * 0.25, 0.0])
    assert np.allclose(luma[1], 0.0)


def test_every_file_the_readme_names_is_there() -> None:
    for name in ("ledger.toml", "reference.py", "pipeline.py", "kernels/resize.cu", "kernels/patches.cu", *ANSWERS):
        assert Path(FOLDER, name).is_file(), name
