"""What a project's own interpreter can import of this installation."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.worker.import_root import import_root


def test_the_compiler_wheel_is_there_where_it_is_installed_and_nothing_that_depends_on_the_interpreter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "wheels" / "ziglang"
    wheel.mkdir(parents=True)
    (wheel / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path / "wheels")
    importlib.invalidate_caches()
    root = import_root()
    assert {path.name for path in root.iterdir()} >= {"workbench", "plugins", "resources", "elftools"}
    assert not (root / "numpy").exists()
    asked = "import elftools, ziglang; print(ziglang.__file__)"
    done = subprocess.run([sys.executable, "-S", "-c", asked], cwd=root, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == str(root / "ziglang" / "__init__.py"), done.stderr
    assert (root / "ziglang").resolve() == wheel
