"""The judge imports the proof in the user's Python, where only numpy and msgspec are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import workbench

ROOT = Path(workbench.__file__).parents[1]
SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
allowed = {"numpy", "msgspec", "workbench", "resources"} | set(sys.stdlib_module_names)

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in allowed and not name.startswith("_"):
            raise ImportError("not in a foreign interpreter: " + name)
        return None

sys.meta_path.insert(0, Refuse())
import pkgutil, importlib
import workbench.proof
names = [module.name for module in pkgutil.iter_modules(workbench.proof.__path__)]
for name in names:
    importlib.import_module("workbench.proof." + name)
loaded = {name for name in sys.modules if name.startswith("workbench.")}
print(len(names), *sorted(loaded & {"workbench.paths", "workbench.plugin_api", "workbench.hookspecs", "workbench.analysis"}))
"""


def test_the_proof_needs_numpy_and_msgspec_only() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(ROOT)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    count, *unwanted = done.stdout.split()
    assert int(count) >= 7
    assert unwanted == []
