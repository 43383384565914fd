"""`access`: how a version touches memory, line by line, found on the emulator."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from workbench.analysis.access import SourceLineAccess, by_source_line
from workbench.cli.output import plain, print_json, progress_line
from workbench.cli.walk import store_of, walk
from workbench.cli.whole_number import WholeNumber
from workbench.commands.access import analyse_access
from workbench.commands.context import Context
from workbench.commands.run_candidate import RunRequest
from workbench.errors import ExitCode
from workbench.model.access import AccessReport
from workbench.model.cache import Traffic
from workbench.model.hardware import hardware_file
from workbench.model.project_file import read_project
from workbench.model.run import PassRecord
from workbench.model.source import read_source
from workbench.model.version import Author, Version

_DERIVED = ("sectors_per_request", "mean_active_lanes", "ways", "bytes_moved", "efficiency")


@click.command()
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--source", type=click.Path(path_type=Path), help="A candidate's source; the project's own file by default.")
@click.option("--device", help="What traces it; the emulator by default.")
@click.option("--session", type=click.Path(path_type=Path), help="Session file; PROJECT/.ledger/session.db by default.")
@click.option("--trust", is_flag=True, help="Let this project's own Python run, now and later.")
@click.option("--seed", type=WholeNumber(0, 2**63 - 1), help="Of the inputs; fresh by default.")
@click.option("--name", help="The version's name.")
@click.option(
    "--hardware", help="Whose caches are predicted (a100, h200 ...); by default those of the version's -arch, else h200."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def access(
    *, project: Path, source: Path | None, device: str | None, session: Path | None, trust: bool, seed: int | None,
    name: str | None, hardware: str | None, as_json: bool
) -> None:  # fmt: skip
    """Trace a version on the emulator and print how each line touches memory: sectors, bank conflicts, lanes, re-reads."""
    if hardware is not None:
        hardware_file(hardware)  # an unknown name is told before anything runs
    found = read_project(project)
    text = read_source(source) if source else None
    request = RunRequest(found, device, text, None, name, None, Author("person"), seed=seed, keep_warm=False)

    async def work(context: Context) -> tuple[Version, PassRecord]:
        with store_of(context, found, session, trust=trust) as store, progress_line() as progress:
            return await analyse_access(context, store, request, progress, hardware=hardware)

    version, record = walk(work)
    code = ExitCode.FINISHED if record.failure is None else record.failure.exit_code
    if as_json:
        _print_document(version, record, int(code))
    elif record.access is not None:
        from workbench.cli.access_text import print_access  # late: it loads Rich

        print_access(version.name, record.access)
    if record.failure is not None:
        click.echo(f"{record.failure.kind}: {record.failure.message}", err=True)
    sys.exit(code)


def _print_document(version: Version, record: PassRecord, code: int) -> None:
    """Print the report with `lines`, one entry a source line, and the failure where there is one."""
    report = record.access
    document: dict[str, object] = {"name": version.name, "version": version.hash}
    if report is not None:
        document |= plain(report)
        document |= {"sampled": report.sampled, "lines": [_line(line) for line in by_source_line(report)]}
        document |= {"cache": _cache(report)}
    print_json({**document, "failure": record.failure, "exit_code": code})


def _cache(report: AccessReport) -> dict[str, object] | None:
    """Return the predicted caches, with the hit rate of the total, of each array and of each line (null without reads)."""
    cache = report.cache
    if cache is None:
        return None
    rated = {
        name: {key: _traffic(traffic) for key, traffic in part.items()}
        for name, part in (("arrays", cache.arrays), ("lines", cache.lines))
    }
    return {**plain(cache), "total": _traffic(cache.total), **rated, "evidence": "predicted"}


def _traffic(traffic: Traffic) -> dict[str, object]:
    return {**plain(traffic), "hit_rate": traffic.hit_rate}


def _line(line: SourceLineAccess) -> dict[str, object]:
    """Return a source line with each access's figures, the derived ones too."""
    accesses = [{**plain(access), **{name: getattr(access, name) for name in _DERIVED}} for access in line.accesses]
    return {**plain(line), "accesses": accesses}
