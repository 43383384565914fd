"""The ledger of a session on one device, built from its versions and runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from workbench.analysis import sentences
from workbench.analysis.amdahl import build_account
from workbench.analysis.standing import (
    ANSWER_GATES,
    deciding_run,
    failed_gates,
    gates_with_confirmed,
    kernel_failure,
    standing,
    timing_of,
)
from workbench.analysis.stats import median_time
from workbench.analysis.verdict import compare_versions
from workbench.model.device import DeviceInfo, Environment
from workbench.model.ledger import MISSING, Account, Chip, Comparison, Estimate, Ledger, LedgerLine
from workbench.model.project import Project
from workbench.model.run import PipelineData, Run, WorstElement
from workbench.model.version import Version
from workbench.texts import Message

STOP_BELOW = 0.03
"""As `Project.stop_below`, for a session whose project is not known."""


class _Scene(msgspec.Struct, frozen=True):
    """What every line needs: the runs of this device by version, and the measured baseline (None: there is none yet)."""

    device: str
    books_gains: bool
    names: Mapping[str, str]
    runs: Mapping[str, tuple[Run, ...]]
    baseline: str | None
    stop_below: float
    compared: dict[tuple[str, str], Comparison] = {}

    def among(self, *versions: str | None) -> list[Run]:
        """Return the runs of some versions, oldest first."""
        return [run for version in dict.fromkeys(versions) if version for run in self.runs.get(version, ())]

    def compare(self, a: str, b: str) -> Comparison:
        """Compare B with A on this device; a pair is compared once."""
        if (a, b) not in self.compared:
            self.compared[a, b] = self._compare(a, b)
        return self.compared[a, b]

    def _compare(self, a: str, b: str) -> Comparison:
        runs = self.among(a, b)
        if self.baseline:
            runs += [run for run in self.among(self.baseline) if run.version not in (a, b)]
        return compare_versions(runs, a, b, device=self.device, books_gain=self.books_gains, names=self.names)


Reckoned = dict[str, tuple[object, Account | None, LedgerLine]]
"""Version hash -> what its line was made from, its account and its line."""


def build_ledger(
    project: Project | None,
    versions: Sequence[Version],
    runs: Sequence[Run],
    device: str,
    info: DeviceInfo | None = None,
    *,
    reckoned: Reckoned | None = None,
) -> Ledger:
    """Return the ledger of the device with id `device`; title and kind come from the runs, or from `info` where there is none.

    Lines stand in tree order, each version under its parent. Without a measured baseline no line has a speed-up (A1).
    `reckoned` is kept by the caller from ledger to ledger of one device: lines whose evidence is the same are not made again.
    """
    here = [run for run in runs if run.device == device]
    environment = here[-1].environment if here else None
    known = environment.device if environment else info
    books_gains = known.books_gains if known else device.partition(":")[0] != "emulator"
    scene = _Scene(
        device=device,
        books_gains=books_gains,
        names={version.hash: version.name for version in versions},
        runs=_by_version(here),
        baseline=_measured_baseline(versions, here, device),
        stop_below=project.stop_below if project else STOP_BELOW,
    )
    made = [_reckon(scene, version, depth, {} if reckoned is None else reckoned) for version, depth in tree_order(versions)]
    lines = tuple(line for _, line in made)
    accounts = {line.version: account for account, line in made if account is not None}
    return Ledger(
        project=project.name if project else "",
        goal=project.goal if project else "",
        device=device,
        device_title=known.title if known else device,
        books_gains=books_gains,
        lines=lines,
        account=_leading_account(lines, accounts),
        accounts=accounts,
        environment=_environment(here),
        tries=sum(version.parent is not None and version.hash in scene.runs for version in versions),
    )


def tree_order(versions: Sequence[Version]) -> list[tuple[Version, int]]:
    """Return versions with their depth, each directly under its parent, siblings oldest first.

    A version whose parent is not in the session, or that is its own ancestor, stands at depth 0.
    """
    hashes = {version.hash for version in versions}
    children: dict[str | None, list[Version]] = {}
    for version in versions:
        children.setdefault(version.parent if version.parent in hashes else None, []).append(version)
    ordered: list[tuple[Version, int]] = []
    seen: set[str] = set()
    for root in (*children.get(None, ()), *versions):
        waiting = [(root, 0)]
        while waiting:
            version, depth = waiting.pop()
            if version.hash in seen:
                continue
            seen.add(version.hash)
            ordered.append((version, depth))
            waiting.extend((child, depth + 1) for child in reversed(children.get(version.hash, [])))
    return ordered


def _by_version(runs: Sequence[Run]) -> dict[str, tuple[Run, ...]]:
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(run.version, []).append(run)
    return {version: tuple(own) for version, own in found.items()}


def _measured_baseline(versions: Sequence[Version], runs: Sequence[Run], device: str) -> str | None:
    """Return the first version without a parent whose deciding run on this device is right and timed."""
    for version in versions:
        if version.parent is None:
            run = deciding_run(runs, version.hash, device)
            if run is not None and standing(run) == "correct" and timing_of(run):
                return version.hash
    return None


def _environment(runs: Sequence[Run]) -> Environment | None:
    """Return the environment of the newest timed run, as recorded at its time pass, else of the newest run."""
    for run in reversed(runs):
        record = run.last("time")
        if record is not None and record.status == "finished":
            return record.environment or run.environment
    return runs[-1].environment if runs else None


def _reckon(scene: _Scene, version: Version, depth: int, reckoned: Reckoned) -> tuple[Account | None, LedgerLine]:
    """Return a version's account and line, as they were reckoned before where nothing that they are made from has changed."""
    own = scene.runs.get(version.hash, ())
    about = {timing.a_hash for run in own if (timing := timing_of(run))} | {
        record.trace.a_hash for run in own if (record := run.last("trace")) and record.trace
    }
    others = {
        other: (scene.runs.get(other), scene.names.get(other)) for other in (scene.baseline, version.parent, *about) if other
    }
    evidence = (own, others, version, depth, scene.baseline, scene.books_gains, scene.stop_below)
    known = reckoned.get(version.hash)
    if known is None or known[0] != evidence:
        account = _account(scene, version.hash)
        known = reckoned[version.hash] = evidence, account, _line(scene, version, depth, account)
    return known[1], known[2]


def _pipeline(scene: _Scene, version: str) -> PipelineData | None:
    """Return the pipeline of the newest correct run that has one."""
    for run in reversed(scene.runs.get(version, ())):
        record = run.last("trace")
        if record is not None and record.trace is not None and standing(run) == "correct":
            return record.trace
    return None


def _account(scene: _Scene, version: str) -> Account | None:
    run = deciding_run(scene.among(version), version, scene.device)
    pipeline = _pipeline(scene, version) if run is not None and standing(run) == "correct" else None
    if pipeline is None or scene.baseline is None:
        return None
    found = scene.compare(pipeline.a_hash, version)
    return build_account(
        pipeline,
        found.speedup,
        scene.names,
        books_gain=scene.books_gains,
        stop_below=scene.stop_below,
        clock=(found.a, found.b),
    )


def _leading_account(lines: Sequence[LedgerLine], accounts: Mapping[str, Account]) -> Account | None:
    """Return the account of the fastest proven line; where nothing is faster, of the latest candidate, then of the baseline."""
    proven = [line for line in lines if line.chip == "FASTER" and line.version in accounts]
    if proven:
        return accounts[max(proven, key=lambda line: (line.confirmed is True, line.speedup.value or 0.0)).version]
    measured = [line for line in lines if line.version in accounts]
    candidates = [line for line in measured if line.parent is not None]
    return accounts[max(candidates or measured, key=lambda line: line.run or 0).version] if measured else None


def _line(scene: _Scene, version: Version, depth: int, account: Account | None) -> LedgerLine:
    run = deciding_run(scene.among(version.hash), version.hash, scene.device)
    timing = timing_of(run) if run is not None and standing(run) == "correct" else None
    is_baseline = version.hash == scene.baseline
    comparison = scene.compare(scene.baseline, version.hash) if scene.baseline and timing and not is_baseline else None
    chip, sentence = _chip(scene, version, run, comparison)
    to_parent = MISSING
    if comparison and version.parent:
        to_parent = (comparison if version.parent == scene.baseline else scene.compare(version.parent, version.hash)).speedup
    by_definition = Estimate(1.0, None, None, "measured") if is_baseline and scene.books_gains else MISSING
    return LedgerLine(
        version=version.hash,
        name=version.name,
        parent=version.parent,
        author=version.author.name or version.author.kind,
        hypothesis=version.hypothesis,
        chip=chip,
        kernel_time=median_time(timing, "b") if timing else MISSING,
        speedup=comparison.speedup if comparison else by_definition,
        parent_speedup=to_parent,
        end_to_end=account.wall if account else MISSING,
        end_to_end_speedup=by_definition if is_baseline and account else account.speedup if account else MISSING,
        worst=_worst(run),
        gates=gates_with_confirmed(scene.among(version.hash), run) if run else (),
        run=run.id if run else None,
        device=scene.device,
        sentence=sentence,
        depth=depth,
        confirmed=_confirmed(scene, run, comparison),
    )


def _worst(run: Run | None) -> WorstElement | None:
    record = run.last("verify") if run else None
    return record.verify.worst if record and record.verify else None


def _chip(scene: _Scene, version: Version, run: Run | None, comparison: Comparison | None) -> tuple[Chip, Message]:
    """Return one word for what the version is worth here, and the sentence that says why."""
    name = version.name
    if run is None:
        return "missing", sentences.not_run(name)
    found = standing(run)
    if found in ("wrong", "failed"):
        return "WRONG ANSWER" if found == "wrong" else "failed", _why_not(name, run)
    if found == "open":
        return "not run", _why_open(name, run)
    if version.hash == scene.baseline:
        return "BASELINE", sentences.baseline(name, scene.books_gains)
    if timing_of(run) is None:
        return "passed", sentences.not_timed(name)
    if not scene.books_gains:
        return "CPU TIME", sentences.cpu_time(name)
    if scene.baseline is None or comparison is None:
        return "passed", sentences.no_baseline(name)
    if comparison.verdict is None or comparison.sentence is None:
        return "passed", comparison.sentence or sentences.no_baseline(name)
    return comparison.verdict, comparison.sentence


def _why_not(name: str, run: Run) -> Message:
    failure, gates = kernel_failure(run), failed_gates(run)
    wrong = next((gate for gate in gates if gate.gate in ANSWER_GATES), None)
    if wrong is not None and standing(run) == "wrong":  # a time-out after it is not why the answer is wrong
        return wrong.sentence
    if failure is not None:
        return failure.message
    return gates[0].sentence if gates else sentences.wrong_rounds(name)


def _why_open(name: str, run: Run) -> Message:
    failure = kernel_failure(run)
    reason = next((record.reason for record in run.passes if record.reason), None)
    return failure.message if failure else reason or sentences.unfinished(name)


def _confirmed(scene: _Scene, run: Run | None, comparison: Comparison | None) -> bool | None:
    """A win stands when the run that confirms another says FASTER too; a win without one is not confirmed (winner's curse).

    The number quoted is the confirming run's, since the newest run decides.
    """
    if run is None or comparison is None or comparison.verdict is None:
        return None
    if comparison.verdict != "FASTER":
        return False if run.confirms is not None else None
    return run.confirms is not None
