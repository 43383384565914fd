"""What was checked about each version, from the run that decided it."""

from __future__ import annotations

from collections.abc import Sequence

from workbench import units
from workbench.analysis.gate_count import count_gates
from workbench.analysis.standing import deciding_run, timing_of
from workbench.model.run import CaseResult, CompileData, Run
from workbench.reports.blocks import CaseErrors, Found, Pair, Proof, ReportInput, Row
from workbench.reports.result import REGIMES
from workbench.texts import Message, message, tr


def proofs(session: ReportInput, rows: Sequence[Row]) -> tuple[Proof, ...]:
    """Return one proof for each version that was run on the report's device."""
    found = []
    for row in rows:
        run = deciding_run(session.runs, row.line.version, row.line.device)
        if run is not None:
            found.append(_proof(row, run))
    return tuple(found)


def _proof(row: Row, run: Run) -> Proof:
    record = run.last("verify")
    verified = record.verify if record else None
    cases = verified.cases if verified else ()
    timing = timing_of(run) if row.protocol else None
    return Proof(
        row=row,
        sentence=_sentence(row),
        errors=_errors(cases),
        reference=verified.reference if verified else "",
        cases=len(cases),
        rounds=tuple(group.b for group in timing.groups) if timing else (),
        baseline_rounds=tuple(group.a for group in timing.groups) if timing and timing.a_hash != timing.b_hash else (),
        facts=_facts(row, run),
        findings=_findings(run),
    )


def _findings(run: Run) -> tuple[Found, ...]:
    record = run.last("sanitize")
    found = record.sanitize.findings if record and record.sanitize else ()
    return tuple(Found(one.severity, one.kind, one.sentence, one.lines, one.count) for one in found)


def _sentence(row: Row) -> Message:
    line = row.line
    return message("{gates} {verdict}", gates=count_gates(line.gates).sentence, verdict=str(line.sentence))


def _errors(cases: Sequence[CaseResult]) -> tuple[CaseErrors, ...]:
    by_name: dict[str, list[float]] = {}
    for case in cases:
        if case.worst is not None and case.worst.allowed > 0:
            by_name.setdefault(case.distribution, []).append(case.worst.error / case.worst.allowed)
    return tuple(CaseErrors(name, tuple(sorted(fractions))) for name, fractions in by_name.items())


def _facts(row: Row, run: Run) -> tuple[Pair, ...]:
    pairs = [Pair(message("Version"), f"{row.line.name} {units.short_hash(row.line.version)}")]
    if row.parent:
        pairs.append(Pair(message("Parent"), row.parent))
    pairs.append(Pair(message("Made by"), row.line.author))
    compiled = run.last("compile")
    if compiled is not None and compiled.compile is not None:
        pairs += _compiled(compiled.compile)
    if row.protocol is not None:
        protocol = row.protocol
        pairs += [
            Pair(message("Rounds"), tr("{rounds} in {groups} processes").format(rounds=protocol.rounds, groups=protocol.groups)),
            Pair(message("Regime"), str(REGIMES[protocol.regime])),
            Pair(message("Margin"), units.percent(protocol.margin) if protocol.regime != "cpu" else units.MISSING),
            Pair(message("Noise floor"), units.percent(protocol.noise_floor, 2)),
            Pair(message("Set aside"), units.count(protocol.set_aside)),
        ]
    confirmed = {True: message("in a second run, fresh processes"), False: message("not yet"), None: message("not needed")}
    pairs.append(Pair(message("Confirmed"), str(confirmed[row.line.confirmed])))
    return tuple(pairs)


def _compiled(compiled: CompileData) -> list[Pair]:
    return [
        Pair(message("Compiler"), compiled.compiler),
        Pair(message("Registers"), units.count(compiled.registers)),
        Pair(message("Spills"), units.size(compiled.spill_bytes)),
    ]
