"""Small real projects for tests: written to disk as a user would, run by the real worker on the emulator."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import resources
from workbench.commands.context import Context, SessionStore
from workbench.commands.run_candidate import ALL_PASSES, RunRequest, run_candidate
from workbench.engine import engine, open_session
from workbench.model.project import Project
from workbench.model.project_file import read_project
from workbench.model.run import PassName, Run
from workbench.model.source import SourceText
from workbench.texts import Message

SAXPY = """\
extern "C" __global__ void saxpy(const float* x, const float* y, float* out, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = a * x[i] + y[i];
    }
}
"""
TOML = """\
[project]
name = "saxpy"
[kernel]
language = "cuda"
source = "kernel.cu"
entry = "saxpy"
grid = ["ceil(n / 128)"]
block = [128]
bytes = "12 * n"
[sizes]
n = { default = 5000, min = 1, max = 20000 }
[[argument]]
name = "x"
dtype = "float32"
shape = ["n"]
[[argument]]
name = "y"
dtype = "float32"
shape = ["n"]
[[argument]]
name = "out"
role = "output"
dtype = "float32"
shape = ["n"]
[[argument]]
name = "a"
dtype = "float32"
value = 1.5
[[argument]]
name = "n"
dtype = "int32"
value = "n"
[reference]
python = "reference.py:saxpy"
[device.emulator]
rounds = 10
repeats = 2
"""
REFERENCE = """\
import numpy as np


def saxpy(x, y, a):
    return {"out": np.float64(np.float32(a)) * x.astype(np.float64) + y}
"""
PIPELINE = """\
import numpy as np


def run(p):
    n = p.sizes["n"]
    with p.stage("prepare"):
        x = np.arange(n, dtype=np.float32)
    dx, dy = p.upload(x), p.upload(x)
    out = p.allocate((n,), "float32")
    p.launch("saxpy", dx, dy, out, 1.5, n)
    p.synchronize()
    return {"out": p.download(out)}
"""


def make_project(
    folder: Path, source: str = SAXPY, toml: str = TOML, *, reference: str = REFERENCE, pipeline: bool = False
) -> Project:
    """Write a saxpy project (or one with another source or ledger.toml) and read it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kernel.cu").write_text(source, encoding="utf-8")
    (folder / "reference.py").write_text(reference, encoding="utf-8")
    if pipeline:
        (folder / "pipeline.py").write_text(PIPELINE, encoding="utf-8")
        toml += '[pipeline]\npython = "pipeline.py:run"\n'
    (folder / "ledger.toml").write_text(toml, encoding="utf-8")
    return read_project(folder)


SMALLER = (
    ("max = 2048", "max = 70"),
    ("max = 1152", "max = 40"),
    ("max = 16", "max = 2"),
    ("default = 1920", "default = 64"),
    ("default = 1080", "default = 36"),
    ("default = 16,", "default = 1,"),
    ("width = 480, height = 270", "width = 64, height = 36"),
    ("rounds = 20", "rounds = 4"),
    ("repeats = 3", "repeats = 1"),
    ("warmup = 10", "warmup = 2\ngroups = 2"),
)
"""What makes the shipped project quick: the same kernel and pipeline on images of 64 x 36 pixels."""


def copy_demo(folder: Path) -> Path:
    """Copy the shipped project image-preprocess with small sizes, and return its folder."""
    target = folder / "image-preprocess"
    shutil.copytree(resources.path("demos/image-preprocess"), target, ignore=shutil.ignore_patterns("*.db", "*.pdf"))
    file = target / "ledger.toml"
    text = file.read_text(encoding="utf-8")
    for usual, small in SMALLER:
        assert usual in text, f"ledger.toml of the demo no longer says {usual}"
        text = text.replace(usual, small)
    file.write_text(text, encoding="utf-8")
    return target


class Bench:
    """A trusted project with its session and the engine's context, for tests that run kernels."""

    def __init__(self, context: Context, store: SessionStore, project: Project) -> None:
        self.context = context
        self.store = store
        self.project = project
        self.steps: list[str] = []
        self._stepped = asyncio.Event()

    def progress(self, step: Message, done: int, total: int) -> None:
        """Keep each step's sentence."""
        self.steps.append(str(step))
        self._stepped.set()

    async def said(self, words: str) -> None:
        """Wait for a step that holds these words."""
        while not any(words in step for step in self.steps):
            self._stepped.clear()
            await self._stepped.wait()

    async def run(self, source: str | None = None, *passes: PassName, name: str | None = None, seed: int = 7) -> Run:
        """Run a source (the project's own by default) through the named passes (all by default) on the emulator."""
        text = SourceText(source) if source is not None else None
        request = RunRequest(self.project, "emulator", text, name=name, seed=seed, passes=passes or ALL_PASSES)
        return await run_candidate(self.context, self.store, request, self.progress)


@asynccontextmanager
async def bench(project: Project) -> AsyncIterator[Bench]:
    """Open an engine and a fresh session beside the project; all is closed and ended afterwards."""
    async with engine() as context:
        context.trust(project)
        store = open_session(project.folder / "session.db")
        try:
            yield Bench(context, store, project)
        finally:
            store.close()
