"""Run a version: compile, verify, time, trace, each kept in the session as it ends; a winner is confirmed in fresh processes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from workbench.analysis.ledger import build_ledger
from workbench.analysis.standing import deciding_run, standing
from workbench.commands.compile_pass import compile_version
from workbench.commands.context import Context, Progress, SessionStore
from workbench.commands.environment import read_environment
from workbench.commands.sanitize_pass import sanitize_version
from workbench.commands.time_pass import time_version
from workbench.commands.trace_pass import trace_version
from workbench.commands.verify_pass import verify_version
from workbench.commands.work import Work, free_name, not_run, now
from workbench.errors import WrongInput
from workbench.model.device import DeviceInfo
from workbench.model.failure import Failure
from workbench.model.project import Project
from workbench.model.project_file import code_of
from workbench.model.run import PassName, PassRecord, Run
from workbench.model.source import SourceText, read_source
from workbench.model.version import Author, Version, make_version
from workbench.texts import Message, message

ALL_PASSES: tuple[PassName, ...] = ("compile", "verify", "sanitize", "time", "trace")
BASELINE = "baseline"


def nothing() -> None:
    """Do nothing."""


def _person() -> Author:
    return Author("person")


@dataclass(frozen=True)
class RunRequest:
    """What to run. `source` None is the project's own file; `version` names one that the session already has."""

    project: Project
    device: str | None = None
    source: SourceText | None = None
    version: Version | None = None
    name: str | None = None
    parent: str | None = None
    author: Author = field(default_factory=_person)
    hypothesis: str = ""
    rounds: int | None = None
    seed: int | None = None
    passes: Sequence[PassName] = ALL_PASSES
    keep_warm: bool = True
    """Start a spare worker for the next run; a program that ends after this one needs none."""


async def run_candidate(
    context: Context, store: SessionStore, request: RunRequest, progress: Progress, kept: Callable[[], None] = nothing
) -> Run:
    """Run and return what was learned.

    The baseline is run first when it has no time on this device yet (A1). `kept` is called after each pass that is kept.
    Raises NotTrusted, WrongInput, Unavailable.
    """
    context.check_trust(request.project)
    device = context.plugins.find_device(request.device)
    store.set_project(request.project)
    baseline = baseline_of(store, request.project)
    if request.parent is not None:
        store.find_version(request.parent)
    version = request.version or version_of(store, request, baseline)
    if version.hash != baseline.hash and not _is_timed(store, baseline, device) and "time" in request.passes:
        await _run(context, store, replace(request, passes=ALL_PASSES), baseline, device=device, progress=progress, kept=kept)
    run = await _run(context, store, request, version, device=device, progress=progress, kept=kept)
    if _needs_confirmation(store, request.project, version, device):
        again = replace(request, seed=None, passes=("compile", "verify", "time"))
        await _run(context, store, again, version, device=device, progress=progress, kept=kept, confirms=run.id)
    if request.keep_warm:
        context.pool.warm(device)
    return run


def baseline_of(store: SessionStore, project: Project) -> Version:
    """Return the session's baseline; the project's own source becomes it in a new session."""
    for version in store.versions():
        if version.parent is None:
            return version
    source = read_source(project.folder / project.kernel.source)
    return store.add_version(make_version(BASELINE, code_of(project, source), None, Author("person"), now()))


def version_of(store: SessionStore, request: RunRequest, baseline: Version) -> Version:
    """Return the version of the request's source, kept in the session under its name."""
    source = request.source or read_source(request.project.folder / request.project.kernel.source)
    code = code_of(request.project, source)
    kept = {version.hash: version for version in store.versions()}
    if code.hash in kept:
        return kept[code.hash]
    parent = store.find_version(request.parent).hash if request.parent else baseline.hash
    taken = {version.name for version in kept.values()}
    name = request.name or free_name("candidate", taken, first=len(taken))
    return store.add_version(make_version(name, code, parent, request.author, now(), hypothesis=request.hypothesis))


def _is_timed(store: SessionStore, version: Version, device: DeviceInfo) -> bool:
    return any(
        run.device == device.id and (record := run.last("time")) is not None and record.time is not None
        for run in store.runs(version.hash)
    )


def _baseline_error(store: SessionStore, baseline: Version, device: DeviceInfo) -> float | None:
    for run in reversed(store.runs(baseline.hash)):
        record = run.last("verify")
        if run.device == device.id and record is not None and record.verify is not None:
            return record.verify.float64_error
    return None


def _baseline_fault(store: SessionStore, baseline: Version, device: DeviceInfo) -> Failure | None:
    """Return why the baseline's answers are not to be trusted on this device; None where nothing says so."""
    run = deciding_run(store.runs(baseline.hash), baseline.hash, device.id)
    record = run.last("verify") if run is not None and standing(run) in ("wrong", "failed") else None
    return record.failure if record is not None else None


def _needs_confirmation(store: SessionStore, project: Project, version: Version, device: DeviceInfo) -> bool:
    """Tell whether the version won and was not confirmed yet (winner's curse, method section 2)."""
    if not device.books_gains:
        return False
    ledger = build_ledger(project, store.versions(), store.latest_runs(), device.id)
    return any(line.version == version.hash and line.chip == "FASTER" and not line.confirmed for line in ledger.lines)


async def _run(
    context: Context,
    store: SessionStore,
    request: RunRequest,
    version: Version,
    *,
    device: DeviceInfo,
    progress: Progress,
    kept: Callable[[], None],
    confirms: int | None = None,
) -> Run:
    seed = secrets.randbits(62) if request.seed is None else request.seed
    settings = request.project.device_settings(device.kind)
    rounds = request.rounds or settings.rounds or request.project.timing.rounds
    baseline = next(item for item in store.versions() if item.parent is None)
    error = None if version.hash == baseline.hash else _baseline_error(store, baseline, device)
    fault = None if version.hash == baseline.hash else _baseline_fault(store, baseline, device)
    work = Work(context, request.project, device, version, baseline, seed, rounds, progress, {}, error, fault)
    if "verify" in request.passes:
        context.pool.foresee_judges(request.project.interpreter)
    async with context.pool.worker(device) as worker:
        run = store.start_run(version.hash, device.id, read_environment(context, worker.opened), seed, confirms)
        record = await compile_version(work, worker, version)
        store.add_pass(run, record)
        if record.failure is None and not work.is_baseline:
            _must_compile(await compile_version(work, worker, baseline), work)
    skip = _reason(record)
    untimed = None if work.is_baseline or _is_timed(store, baseline, device) else _no_baseline(baseline, device)
    for name in ("verify", "sanitize", "time", "trace"):
        record = await _pass(work, store, run, name, skip or _unwanted(name, request) or (untimed if name == "time" else None))
        store.add_pass(run, record)
        kept()
        skip = skip or _reason(record)
    store.finish_run(run)
    return next(item for item in store.runs(version.hash) if item.id == run)


def _must_compile(record: PassRecord, work: Work) -> None:
    if record.failure is not None:
        raise WrongInput(
            "The baseline {name} does not compile on {device}, so nothing can be compared with it: {reason}",
            name=work.baseline.name,
            device=work.device.id,
            reason=str(record.failure.message),
        )


def _no_baseline(baseline: Version, device: DeviceInfo) -> Message:
    return message(
        "The baseline {name} has no proven time on {device}, so there is nothing to compare with; see why its own run failed.",
        name=baseline.name,
        device=device.id,
    )


def _reason(record: PassRecord) -> Message | None:
    """Return why later passes are not run after this one."""
    if record.failure is not None:
        return message("The {step} pass before it ended without success: {kind}.", step=record.name, kind=record.failure.kind)
    return None


def _unwanted(name: PassName, request: RunRequest) -> Message | None:
    """Return why a pass is left out by the request or the project."""
    pipeline = request.project.pipeline
    if name not in request.passes:
        return message("It was not asked for.")
    if name == "trace" and pipeline is None:
        return message("The project names no application; add a [pipeline] to ledger.toml to measure one.")
    if name == "trace" and pipeline is not None and pipeline.python is None:
        return message("A command line as pipeline is not measured by this version; write pipeline.py.")
    return None


async def _pass(work: Work, store: SessionStore, run: int, name: PassName, skip: Message | None) -> PassRecord:
    if skip is not None:
        return not_run(name, skip)
    if name == "verify":
        return await verify_version(work)
    if name == "sanitize":
        return await sanitize_version(work)
    if name == "time":
        return await time_version(work)
    return await trace_version(work, store, run)
