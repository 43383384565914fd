"""Small real projects for tests: written to disk as a user would, run by the real worker on the emulator."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from workbench.commands.context import Context, SessionStore
from workbench.commands.run_candidate import RunRequest, run_candidate
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


class Bench:
    """A trusted project with its session and the engine's context, for tests that run kernels."""

    def __init__(self, context: Context, store: SessionStore, project: Project) -> None:
        self.context = context
        self.store = store
        self.project = project
        self.steps: list[str] = []

    def progress(self, step: Message, done: int, total: int) -> None:
        """Keep each step's sentence."""
        self.steps.append(str(step))

    async def run(self, source: str | None = None, *passes: PassName, name: str | None = None, seed: int = 7) -> Run:
        """Run a source (the project's own by default) through the named passes (all by default) on the emulator."""
        text = SourceText(source) if source is not None else None
        request = RunRequest(
            self.project, "emulator", text, name=name, seed=seed, passes=passes or ("compile", "verify", "time", "trace")
        )
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
