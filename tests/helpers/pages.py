"""Session views and traces for tests of single pages, made of the synthetic sessions without a file."""

from __future__ import annotations

from typing import Literal

import msgspec

from tests.helpers import sample_session
from workbench.analysis.apply_edit import plan
from workbench.analysis.ledger import build_ledger
from workbench.model.edit import EditPlan
from workbench.model.events import Trace
from workbench.model.suggestion import Suggestion
from workbench.state.workspace import SessionView
from workbench.suggest.read_reply import read_reply

Kind = Literal["gpu", "emulator"]
ANSWER = """The tile is loaded once.

```diff
--- a/kernels/baseline.cu
+++ b/kernels/baseline.cu
@@ -1,2 +1,3 @@
+// ledger: block=32,8,1 grid=ceil(width/32),ceil(height/8),batch
 // Normalise and smooth: out = (3x3 mean of src - mean) / deviation
@@ -5,2 +6,2 @@
-    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);   // four pixels a thread
+    const int x = blockIdx.x * 32 + threadIdx.x;
     const int y = blockIdx.y * blockDim.y + threadIdx.y;
@@ -90,2 +91,2 @@
-    this line is nowhere in the source and like nothing in it
+    nor is this one
```
"""
"""Edits the version "vector loads": two hunks that fit and one that has no place."""


def sample_page_view(kind: Kind) -> SessionView:
    """Return a session as the window holds it: SYNTHETIC numbers."""
    runs = sample_session.gpu_runs() if kind == "gpu" else sample_session.emulator_runs()
    device = "cuda:0" if kind == "gpu" else "emulator"
    versions, project = sample_session.sample_versions(), sample_session.sample_project()
    ledger = build_ledger(project, versions, runs, device)
    kept = [msgspec.structs.replace(one, id=number) for number, one in enumerate(sample_session.sample_suggestions(), 1)]
    return SessionView("synthetic.db", project, versions, runs, (*kept, suggestion()), ledger, {device: ledger})


def suggestion() -> Suggestion:
    """Return a suggestion in review with the id 3."""
    base = sample_session.sample_versions()[1]
    first = sample_session.sample_suggestions()[0]
    return msgspec.structs.replace(
        first, base=base.hash, answer=ANSWER, decision="in review", accepted_hunks=(), result=None, id=3
    )


def sample_plan() -> EditPlan:
    """Return what the suggestion would do."""
    return plan(sample_session.sample_versions()[1].code.source.text, read_reply(ANSWER), "kernels/baseline.cu")


def sample_traces(kind: Kind) -> dict[tuple[int, str], Trace]:
    """Return the traces of every run that has a trace pass."""
    runs = sample_session.gpu_runs() if kind == "gpu" else sample_session.emulator_runs()
    traced = [run.id for run in runs if (record := run.last("trace")) is not None and record.trace is not None]
    before, after = sample_session.sample_trace(sample_session.BEFORE), sample_session.sample_trace(sample_session.TILE)
    return {(run, side): before if side == "a" else after for run in traced for side in ("a", "b")}
