"""Where the program keeps its own things on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

APP = "kernel-ledger"


def _folder(variable: str, default: str) -> Path:
    return Path(os.environ.get(variable) or default)


def cache_folder() -> Path:
    """Compiled kernels and other things that can be made again (KERNEL_LEDGER_CACHE moves it)."""
    return _folder("KERNEL_LEDGER_CACHE", platformdirs.user_cache_dir(APP))


def config_folder() -> Path:
    """Settings and the list of trusted projects (KERNEL_LEDGER_CONFIG moves it)."""
    return _folder("KERNEL_LEDGER_CONFIG", platformdirs.user_config_dir(APP))


def data_folder() -> Path:
    """The user's own plugins and recent sessions (KERNEL_LEDGER_DATA moves it)."""
    return _folder("KERNEL_LEDGER_DATA", platformdirs.user_data_dir(APP))


def default_session(project_folder: Path) -> Path:
    """The session of a project when none is named."""
    return project_folder / ".ledger" / "session.db"
