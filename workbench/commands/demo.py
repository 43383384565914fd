"""The demo: walks the shipped project from the baseline through two suggestions to the printed ledger."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import resources
from workbench.commands.context import Context, Progress, SessionStore
from workbench.commands.edit_version import accept, plan_of
from workbench.commands.report import write_session_report
from workbench.commands.run_candidate import RunRequest, run_candidate
from workbench.commands.work import now
from workbench.errors import WrongInput
from workbench.model.project import Project
from workbench.model.project_file import read_project
from workbench.model.run import Run
from workbench.model.version import Author, Version
from workbench.suggest.ask import make_suggestion
from workbench.texts import Message, message

PROJECT = "image-preprocess"
SHIPPED = f"demos/{PROJECT}"
MEASURED = f"{SHIPPED}/h200.db"
ANSWERS = (("1-vector-loads.md", "vector loads"), ("2-shared-memory-tile.md", "shared-memory tile"))
Say = Callable[[Message], None]


@dataclass(frozen=True)
class Demo:
    """What a demo left: its session, its runs in order, and the files it wrote for people."""

    session: Path
    runs: tuple[Run, ...]
    files: tuple[Path, ...]


async def run_demo(context: Context, out: Path, device: str | None, progress: Progress, say: Say) -> Demo:
    """Walk the demo into `out`. Raises LedgerError in one sentence."""
    project = _copy_project(out)
    context.trust(project)
    found = context.plugins.find_device(device)
    say(message("Device: {title}. Project: {project}, a copy of the shipped one in {folder}.", title=found.title,
                project=project.name, folder=str(project.folder)))  # fmt: skip
    path = out / "session.db"
    store = context.open_store(path, True)
    if store.read_only is not None:
        store.close()
        raise WrongInput(store.read_only.text, **dict(store.read_only.arguments))
    try:
        runs = await _Walk(context, store, project, found.id, progress, say).go()
        write_session_report(store, out / "ledger.pdf", found.id)
    finally:
        store.close()
    measured = _print_measured(context, out, say)
    return Demo(path, tuple(runs), (out / "ledger.pdf", *measured))


def what_next(demo: Demo, program: str) -> tuple[Message, Message]:
    """Return what the demo wrote, and how `program`, typed into a shell, opens the window on it."""
    written = message("Written: {files}.", files=", ".join(map(str, demo.files)))
    line = shlex.join([program, str(demo.session)])
    return written, message("Next: look at what was measured, edit the kernel and run it, in the window: {line}", line=line)


def _copy_project(out: Path) -> Project:
    """Copy the shipped project beside the results, so that it can be edited; a copy that is there is kept."""
    folder = out / PROJECT
    if not folder.exists():
        try:
            shutil.copytree(resources.path(SHIPPED), folder, ignore=shutil.ignore_patterns("*.db", "*.pdf", "__pycache__"))
        except OSError as error:
            raise WrongInput("The demo cannot write into {folder}: {reason}; choose another with --out.", folder=str(out),
                             reason=error.strerror or str(error)) from error  # fmt: skip
    return read_project(folder)


@dataclass(frozen=True)
class _Walk:
    """The walk through the shipped answers on one device."""

    context: Context
    store: SessionStore
    project: Project
    device: str
    progress: Progress
    say: Say

    async def go(self) -> list[Run]:
        """Run the baseline, then each answer on top of the version before it."""
        runs: list[Run] = []
        self.say(message("1 of 3: baseline, as people first write it."))
        base = await self.run(None, runs)
        for number, (file, name) in enumerate(ANSWERS, start=2):
            self.say(message("{number} of 3: {name}, from the shipped answer file {file}.", number=number, name=name, file=file))
            base = await self.run(_take_answer(self.store, self.project, base, file, name), runs)
        return runs

    async def run(self, version: Version | None, runs: list[Run]) -> Version:
        """Run one version, put what was learned into `runs`, and return the version as kept."""
        request = RunRequest(self.project, self.device, version=version, keep_warm=False)
        run = await run_candidate(self.context, self.store, request, self.progress)
        runs.append(run)
        return self.store.find_version(run.version)


def _take_answer(store: SessionStore, project: Project, base: Version, file: str, name: str) -> Version:
    """Keep a shipped answer as a suggestion and accept all of it; a second demo finds the version already there."""
    for version in store.versions():
        if version.name == name:
            return version
    answer = (project.folder / "answers" / file).read_text(encoding="utf-8")
    suggestion = store.add_suggestion(make_suggestion(base.hash, Author("shipped", file), "", answer, created=now()))
    return accept(store, project, suggestion, plan_of(store, suggestion, project).acceptable, name)


def _print_measured(context: Context, out: Path, say: Say) -> tuple[Path, ...]:
    """Print the shipped session that was measured on an H200 and return the file, none where it is not shipped."""
    measured = resources.path(MEASURED)
    if not measured.exists():
        say(message("This copy ships no measured session, so there is no H200 ledger to print."))
        return ()
    say(message("Printing the shipped ledger, measured on an H200."))
    store = context.open_store(measured, False)
    try:
        write_session_report(store, out / "h200-ledger.pdf", None)
    finally:
        store.close()
    return (out / "h200-ledger.pdf",)
