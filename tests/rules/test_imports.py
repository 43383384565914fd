"""Who may import whom: the contracts hold, each breaks on a planted fault, and what must stay away is really not loaded."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.rules.sources import ROOMS, ROOT, files, module_name

CONTRACTS = "importlinter.toml"
QT = ("PySide6", "shiboken6", "pyqtgraph", "qasync", "pypdfium2")
STORES = ("sqlite3", "sqlite_utils")
DEVICES = ("cupy", "cuda", "torch", "triton", "cupti")

PLANTED = [
    ("rooms: the method and the memory never see the window or Qt", "workbench/units.py", "import PySide6"),
    ("rooms: the method names no plugin and only the engine opens a session", "workbench/units.py", "import plugins.cuda"),
    ("only sessions writes SQL (the nsys reader may read a foreign file)", "ui/theme.py", "import sqlite3"),
    ("sessions knows values only", "sessions/__init__.py", "import workbench.proof"),
    ("method layers", "workbench/errors.py", "import workbench.model.run"),
    ("code of the child process is loaded by the child only", "workbench/worker/client.py", "import workbench.worker.__main__"),
    ("vendor libraries live in plugins", "workbench/units.py", "import cupy"),
    ("what a plugin loads in the window's process touches no device", "plugins/nvml/__init__.py", "import cupy"),
    ("plugins do not know each other", "plugins/nvml/__init__.py", "import plugins.cuda"),
    ("plugins see only the plugin API", "plugins/nvml/__init__.py", "import workbench.model.run"),
    ("the engine is handed out at three places", "workbench/commands/context.py", "import workbench.engine"),
    ("panels reach the method through commands and state", "ui/panels/log.py", "import sessions"),
    ("ui layers", "ui/theme.py", "import ui.main_window"),
    ("panels do not know each other", "ui/panels/log.py", "import ui.panels.editor"),
]
"""A contract, the file in which a fault is planted, and the fault."""


def _lint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command of import-linter there; the folder's own modules come first."""
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", program, "--no-cache", "--no-logo", CONTRACTS, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the program's modules, in which faults can be planted."""
    folder = tmp_path_factory.mktemp("planted")
    for path in files(*ROOMS):
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    shutil.copyfile(ROOT / CONTRACTS, folder / CONTRACTS)
    return folder


def test_every_contract_is_kept() -> None:
    done = _lint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_contract_has_a_planted_fault() -> None:
    told = tomllib.loads((ROOT / CONTRACTS).read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    assert [contract["name"] for contract in told] == [name for name, _, _ in PLANTED]


@pytest.mark.parametrize(("contract", "file", "fault"), PLANTED, ids=[name for name, _, _ in PLANTED])
def test_a_planted_fault_breaks_its_contract(copy: Path, contract: str, file: str, fault: str) -> None:
    path = copy / file
    before = path.read_text(encoding="utf-8")
    path.write_text(before + f"\n\ndef planted() -> None:\n    {fault}\n", encoding="utf-8")
    try:
        done = _lint(copy)
    finally:
        path.write_text(before, encoding="utf-8")
    assert done.returncode == 1, done.stdout + done.stderr
    assert any(line.startswith(contract) and "BROKEN" in line for line in done.stdout.splitlines()), done.stdout


@pytest.mark.parametrize("container", ["workbench", "ui"])
def test_every_module_stands_in_a_layer(container: str) -> None:
    told = tomllib.loads((ROOT / CONTRACTS).read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(contract for contract in told if contract.get("containers") == [container])
    known = {part.strip() for layer in layers["layers"] for part in layer.split("|")} | set(layers.get("exhaustive_ignores", ()))
    inside = {module_name(path).split(".")[1] for path in files(container) if "." in module_name(path)}
    assert inside - known == set()


def _loaded_after(program: str) -> set[str]:
    """Return the top-level names in `sys.modules` of a fresh Python after running `program`."""
    done = subprocess.run(
        [sys.executable, "-c", program + "\nimport sys\nprint(*sorted({name.split('.')[0] for name in sys.modules}))"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_the_method_loads_neither_qt_nor_sql_nor_a_vendor_library() -> None:
    modules = [module_name(path) for path in files("workbench") if path.name != "__main__.py"]
    loaded = _loaded_after("\n".join(f"import {module}" for module in modules))
    assert loaded & {*QT, *STORES, *DEVICES, "pynvml", "llm", "ui", "sessions", "plugins"} == set()


def test_plugins_loaded_the_windows_way_touch_no_device_library() -> None:
    modules = [module_name(path.parent / "__init__.py") for path in sorted((ROOT / "plugins").glob("*/plugin.toml"))]
    assert modules
    loaded = _loaded_after("\n".join(f"import {module}" for module in modules))
    assert loaded & {*QT, *DEVICES} == set()


def test_reading_a_session_loads_neither_qt_nor_a_vendor_library() -> None:
    modules = [module_name(path) for path in files("sessions") if path.name != "__main__.py"]
    loaded = _loaded_after("\n".join(f"import {module}" for module in modules))
    assert loaded & {*QT, *DEVICES, "pynvml", "llm", "ui", "plugins"} == set()
