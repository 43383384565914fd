"""Builds everything once, hands it out, closes it in reverse."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from workbench.commands.context import Context, SessionStore
from workbench.settings import load_settings, save_settings
from workbench.texts import use_language


def open_session(path: Path, write: bool = True) -> SessionStore:
    """Open a session, or begin one where there is none. The one door to the memory."""
    import sessions.store as memory  # the method knows no SQL

    if write and not path.exists():
        return memory.create(path)
    return memory.open_session(path, write=write)


@contextlib.asynccontextmanager
async def engine() -> AsyncIterator[Context]:
    """Build the context; everything it started has ended when the block is left."""
    from workbench.plugin_manager import PluginManager  # late, as the pool: who only reads a session needs neither
    from workbench.worker.pool import Pool

    settings = load_settings()
    use_language(settings.language)
    plugins = PluginManager(settings.plugins)
    pool = Pool(plugins.plugin_of)
    try:
        yield Context(plugins, pool, settings, open_session, save_settings)
    finally:
        await pool.close()
