"""Reads the GPUs' live status into the workspace while the window is open."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from workbench.commands.context import Context
from workbench.model.device import GpuStatus
from workbench.plugin_api import GpuStatusReader
from workbench.state.workspace import Workspace
from workbench.texts import Message, message

SECONDS = 1.0
_NO_READER = message("No plugin that reads a GPU is switched on.")


async def watch_gpu(context: Context, workspace: Workspace) -> None:
    """Read every second until cancelled; end at once, with the reason, where there is nothing to read.

    Readers are asked off the loop, and quietly while a job runs: some readings disturb a timing.
    """
    readers, reason = await asyncio.to_thread(_usable, context)
    workspace.gpu_missing.set(reason)
    while readers:
        quiet = any(job.status == "running" for job in workspace.jobs.value)
        workspace.gpu.set(await asyncio.to_thread(_read, readers, quiet))
        await asyncio.sleep(SECONDS)


def _usable(context: Context) -> tuple[list[GpuStatusReader], Message | None]:
    """Return the readers that can read; where none can, the first reason."""
    readers = [(reader, reader.unavailable()) for reader in context.plugins.gpu_status()]
    usable = [reader for reader, reason in readers if reason is None]
    if usable:
        return usable, None
    return [], next((reason for _, reason in readers if reason is not None), _NO_READER)


def _read(readers: Sequence[GpuStatusReader], quiet: bool) -> tuple[GpuStatus, ...]:
    return tuple(status for reader in readers for status in reader.read(quiet=quiet))
