"""A folder through which a project's own interpreter can import our child code and nothing else of this installation."""

from __future__ import annotations

import contextlib
import hashlib
from importlib.util import find_spec
from pathlib import Path

from workbench.paths import cache_folder

_PACKAGES = ("workbench", "plugins", "resources", "pluggy", "platformdirs", "elftools", "ziglang")
"""Ours, the pure-Python libraries that `workbench.plugin_api` and the emulator need, and the C++ compiler of the `ziglang` wheel.

numpy and msgspec come from that interpreter.
"""


def import_root() -> Path:
    """Return a folder of links to exactly these packages, made once for each installation."""
    places: dict[str, Path] = {}
    for name in _PACKAGES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            places[name] = Path(spec.origin).parent
    key = hashlib.sha256("\0".join(map(str, places.values())).encode()).hexdigest()[:16]
    root = cache_folder() / "import-root" / key
    root.mkdir(parents=True, exist_ok=True)
    for name, place in places.items():
        with contextlib.suppress(FileExistsError):
            (root / name).symlink_to(place, target_is_directory=True)
    return root
