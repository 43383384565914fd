"""`plugin.toml` is the whole contract of a plugin: each one is complete and names modules that are there."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.rules.sources import ROOT
from workbench.plugin_api import API_VERSION

PROVIDES = {
    "device", "tracer", "trace_reader", "profiler", "advisor", "gate", "gpu_status", "wrap_worker", "exporter",
}  # fmt: skip
FOLDERS = sorted(path for path in (ROOT / "plugins").iterdir() if path.is_dir() and path.name != "__pycache__")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.name))
def test_a_plugin_says_what_it_is(folder: Path) -> None:
    told = tomllib.loads((folder / "plugin.toml").read_text(encoding="utf-8"))
    assert told.keys() <= {"id", "title", "api", "provides", "worker", "window"}
    assert told["id"] == folder.name
    assert told["title"].strip()
    assert told["api"] == API_VERSION
    assert told["provides"]
    assert set(told["provides"]) <= PROVIDES
    assert (folder / "__init__.py").is_file()
    for place, module in (("worker", "in_worker"), ("window", "in_window")):
        assert told.get(place, module) == module
        assert (folder / f"{module}.py").is_file() == (place in told)
