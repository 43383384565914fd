"""A page for each version: its gates, how near to the tolerance it came, its timed rounds, and the facts of its run."""

from __future__ import annotations

from collections.abc import Callable

from workbench import units
from workbench.model.run import GateResult
from workbench.reports.blocks import Proof
from workbench.reports.pdf.error_strip import error_strip, strip_height
from workbench.reports.pdf.marks import gate_mark, severity_mark
from workbench.reports.pdf.pen import SMALL, TEXT, Style, wrap
from workbench.reports.pdf.round_dots import dots_height, round_dots
from workbench.reports.pdf.sheet import COLUMN, RIGHT, Sheet, pairs_height
from workbench.texts import tr

WHAT, MARK = 270.0, 474.0
SENTENCE = Style(size=7.8, leading=10.4, color="dim")


def proof_page(sheet: Sheet, proof: Proof) -> None:
    """Draw the proof of one version."""
    line = proof.row.line
    sheet.start(f"{line.name} {units.short_hash(line.version)}", tr("Proof of {name}").format(name=line.name))
    sheet.title(tr("Proof of {name}").format(name=line.name), str(proof.sentence))
    _gates(sheet, proof)
    if proof.findings:
        _findings(sheet, proof)
    parts: list[tuple[float, Callable[[Sheet, Proof], None]]] = []
    if proof.errors:
        parts.append((strip_height(proof), error_strip))
    if proof.rounds:
        parts.append((dots_height(proof), round_dots))
    parts.append((26 + pairs_height(_facts(proof)), _run))
    for number, (height, draw) in enumerate(parts):
        last_but_one = number == len(parts) - 2
        sheet.need(height + parts[-1][0] if last_but_one else height)  # the last part never stands on a page alone
        draw(sheet, proof)


def _facts(proof: Proof) -> list[tuple[str, str]]:
    return [(str(pair.label), pair.text) for pair in proof.facts]


def _run(sheet: Sheet, proof: Proof) -> None:
    note = tr("Number {run} of the session.").format(run=proof.row.line.run or units.MISSING)
    sheet.section(tr("Run"), note, height=26 + pairs_height(_facts(proof)))
    sheet.pairs(_facts(proof))
    sheet.end_section()


def _gates(sheet: Sheet, proof: Proof) -> None:
    note = tr("Compared with {reference}. Cases: {cases}.").format(cases=proof.cases, reference=proof.reference or units.MISSING)
    sheet.section(tr("Gates"), note if proof.cases else "")
    heads = [(COLUMN, "left", tr("gate")), (WHAT, "left", tr("what was found")), (MARK, "left", tr("result"))]
    sheet.column_heads(heads)
    if not proof.row.line.gates:
        sheet.pen.text(COLUMN, sheet.y + 12, tr("No gate was decided."), SMALL)
        sheet.y += 17
    for gate in proof.row.line.gates:
        if sheet.need(_height(gate)):
            sheet.column_heads(heads)
        _gate(sheet, gate)
    sheet.end_section(16)


def _findings(sheet: Sheet, proof: Proof) -> None:
    sheet.section(tr("Sanitizer"), tr("The first of each kind at each line, and how often it happened."))
    heads = [(COLUMN, "left", tr("what was found")), (MARK, "left", tr("severity")), (RIGHT, "right", tr("times"))]
    sheet.column_heads(heads)
    for found in proof.findings:
        lines = wrap(str(found.sentence), SENTENCE, MARK - COLUMN - 10)
        height = 6.0 + SENTENCE.leading * len(lines)
        if sheet.need(height):
            sheet.column_heads(heads)
        for index, part in enumerate(lines):
            sheet.pen.text(COLUMN, sheet.y + 11.0 + SENTENCE.leading * index, part, SENTENCE)
        severity_mark(sheet.pen, MARK, sheet.y + 11.0, found.severity)
        sheet.pen.text(RIGHT, sheet.y + 11.0, units.count(found.count), align="right")
        sheet.y += height
        sheet.pen.line((COLUMN, sheet.y), (RIGHT, sheet.y), weight=0.4)
    sheet.end_section(16)


def _found(gate: GateResult) -> list[str]:
    return wrap(str(gate.sentence), SENTENCE, MARK - WHAT - 10)


def _title(gate: GateResult) -> list[str]:
    return wrap(str(gate.title), TEXT, WHAT - COLUMN - 8)


def _height(gate: GateResult) -> float:
    return 6.0 + 10.4 * max(len(_found(gate)), len(_title(gate)))


def _gate(sheet: Sheet, gate: GateResult) -> None:
    y = sheet.y + 11.0
    for index, part in enumerate(_title(gate)):
        sheet.pen.text(COLUMN, y + 10.4 * index, part)
    for index, part in enumerate(_found(gate)):
        sheet.pen.text(WHAT, y + 10.4 * index, part, SENTENCE)
    gate_mark(sheet.pen, MARK, y, gate.status)
    sheet.y += _height(gate)
    sheet.pen.line((COLUMN, sheet.y), (RIGHT, sheet.y), weight=0.4)
