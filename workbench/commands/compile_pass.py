"""The compile pass: a version becomes a binary on a device."""

from __future__ import annotations

import time

from workbench.commands.work import Work, compile_folder, now
from workbench.model.run import PassRecord
from workbench.model.version import Version
from workbench.texts import message
from workbench.worker.client import CallFailed
from workbench.worker.pool import Worker
from workbench.worker.protocol import Binary, Compile


def _file_name(work: Work, version: Version) -> str:
    """Return what messages call the source: the project's file for the baseline, the version's name for any other."""
    return work.project.kernel.source if version.parent is None else version.name


async def compile_version(work: Work, worker: Worker, version: Version) -> PassRecord:
    """Compile a version and remember its binary in `work.binaries`; a compile error is a failed record."""
    started, clock = now(), time.perf_counter()
    work.progress(message("Compiling {name}", name=version.name), 0, 0)
    request = Compile(version.code, str(compile_folder()), _file_name(work, version))
    try:
        binary = await worker.child.call(request, Binary, limit=work.project.limits.compile, step="compile")
    except CallFailed as error:
        return PassRecord("compile", "failed", started, time.perf_counter() - clock, failure=error.failure)
    work.binaries[version.hash] = binary
    return PassRecord("compile", "finished", started, time.perf_counter() - clock, compile=binary.data)
