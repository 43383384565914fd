"""What tests of the command line share: one project that was walked once."""

from __future__ import annotations

import pytest

from tests.helpers.command_line import QUICK, Walked, ledger
from tests.helpers.projects import SAXPY, make_project


@pytest.fixture(scope="session")
def walked(own_folders: None, tmp_path_factory: pytest.TempPathFactory) -> Walked:
    """Run a candidate with `--trust --json`; the program runs the baseline first by itself."""
    folder = tmp_path_factory.mktemp("walked project")
    make_project(folder, toml=QUICK, pipeline=True)
    candidate = folder / "candidate.cu"
    candidate.write_text(SAXPY.replace("a * x[i] + y[i]", "fmaf(a, x[i], y[i])"), encoding="utf-8")
    done = ledger("run", folder, "--trust", "--source", candidate, "--name", "fused", "--hypothesis", "one instruction", "--json")
    return Walked(folder, folder / ".ledger" / "session.db", done)
