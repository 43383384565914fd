"""Analyse how a version touches memory."""

from __future__ import annotations

import secrets

from workbench.commands.access_pass import access_version
from workbench.commands.compile_pass import compile_version
from workbench.commands.context import Context, Progress, SessionStore
from workbench.commands.environment import read_environment
from workbench.commands.run_candidate import RunRequest, baseline_of, version_of
from workbench.commands.work import Work
from workbench.errors import Unavailable
from workbench.model.device import DeviceInfo
from workbench.model.run import PassRecord
from workbench.model.version import Version
from workbench.texts import Message


async def analyse_access(
    context: Context, store: SessionStore, request: RunRequest, progress: Progress, *, hardware: str | None = None
) -> tuple[Version, PassRecord]:
    """Compile, trace and keep the result with the version's newest run on the device; a version never run gets a run of its own.

    Of the request only project, device, source, version, name, parent, author, hypothesis and seed count; without a device it is
    the emulator. `hardware` names the file whose caches are predicted; None follows the version's architecture. Returns the
    version and the record: a compilation's that failed, else the access pass. Raises NotTrusted, WrongInput, Unavailable.
    """
    context.check_trust(request.project)
    device = _device(context, request.device)
    store.set_project(request.project)
    baseline = baseline_of(store, request.project)
    version = request.version or version_of(store, request, baseline)
    seed = secrets.randbits(62) if request.seed is None else request.seed
    work = Work(context, request.project, device, version, baseline, seed, 0, progress, {})
    own = [run for run in store.runs(version.hash) if run.device == device.id]
    async with context.pool.worker(device) as worker:
        compiled = await compile_version(work, worker, version)
        fresh = None if own else store.start_run(version.hash, device.id, read_environment(context, worker.opened), seed)
    if fresh is not None:
        store.add_pass(fresh, compiled)
    record = compiled if compiled.failure is not None else await access_version(work, hardware)
    if record.access is not None:
        store.add_pass(own[-1].id if fresh is None else fresh, record)
    if fresh is not None:
        store.finish_run(fresh)
    return version, record


def why_not_analysed(found: tuple[Version, PassRecord]) -> Message | None:
    """Return why an analysis gave no report, None when it gave one."""
    record = found[1]
    return record.failure.message if record.failure is not None else record.reason


def _device(context: Context, asked: str | None) -> DeviceInfo:
    """Return the device: the one asked for, else the emulator, which is where the analysis is. Raises Unavailable."""
    if asked is not None:
        return context.plugins.find_device(asked)
    emulators = [device for device in context.plugins.devices() if device.kind == "emulator"]
    if not emulators:
        raise Unavailable("The access analysis needs the emulator, and its plugin is switched off; switch it on in the settings.")
    return context.plugins.find_device(emulators[0].id)
