"""The report as Markdown, for a pull request or a wiki."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from workbench import units
from workbench.analysis.gate_count import count_gates
from workbench.model.ledger import Estimate
from workbench.reports.access_markdown import access_section
from workbench.reports.blocks import AccountBlock, Change, Document, Proof, Row
from workbench.reports.markdown_table import table, text
from workbench.texts import tr

SIGNS = {"added": "+", "removed": "-", "same": " "}


def as_markdown(document: Document) -> str:
    """Return the whole report; every time stands with its interval and regime, missing values as —."""
    parts = [*_result(document), *_setting(document)]
    if document.account is not None:
        parts += _account(document.account)
    for proof in document.proofs:
        parts += _proof(proof)
    for change in document.changes:
        parts += _change(change)
    for entry in document.access:
        parts += access_section(entry)
    parts += [f"## {tr('Limits')}", *(f"- {sentence}" for sentence in document.limits)]
    return "\n\n".join(_joined(parts)) + "\n"


def _joined(parts: Sequence[str]) -> Iterable[str]:
    """Keep the items of a list together, everything else apart."""
    block: list[str] = []
    for part in parts:
        if part.startswith("- "):
            block.append(part)
            continue
        if block:
            yield "\n".join(block)
            block = []
        yield part
    if block:
        yield "\n".join(block)


def _time(estimate: Estimate) -> str:
    return f"{units.duration(estimate.value)} {units.duration_interval(estimate.low, estimate.high)}".strip()


def _gain(estimate: Estimate) -> str:
    return f"{units.ratio(estimate.value)} {units.interval(estimate.low, estimate.high)}".strip()


def _result(document: Document) -> list[str]:
    said = " ".join(str(part) for part in document.headline)
    parts = [f"# {text(document.title)}", f"**{text(said)}**"]
    parts += [f"> {text(str(caveat))}" for caveat in document.caveats]
    heads = ("version", "parent", "kernel", "regime", "gain", "application", "gain", "verdict", "gates passed")
    parts += [f"## {tr('Ledger')}", table([tr(head) for head in heads], (_ledger_row(row) for row in document.rows))]
    return [*parts, *(f"- {note}" for note in document.ledger_note)]


def _ledger_row(row: Row) -> Sequence[str]:
    line = row.line
    confirmed = {True: tr(", confirmed"), False: tr(", not yet confirmed"), None: ""}[line.confirmed]
    return (
        line.name,
        row.parent or units.MISSING,
        _time(line.kernel_time),
        row.protocol.regime if row.protocol else units.MISSING,
        _gain(line.speedup),
        _time(line.end_to_end),
        _gain(line.end_to_end_speedup),
        tr(line.chip) + confirmed,
        count_gates(line.gates).line,
    )


def _setting(document: Document) -> list[str]:
    facts = [(str(pair.label), pair.text) for pair in document.environment]
    parts = [f"## {tr('Environment')}", table((tr("fact"), tr("value")), facts), f"## {tr('Method')}"]
    parts += [f"- {sentence}" for sentence in document.method]
    return [*parts, f"{tr('Content hash')}: `{document.content_hash}`"]


def _account(block: AccountBlock) -> list[str]:
    account = block.account
    rows: list[tuple[str, float | None, float | None]] = [(stage.title, stage.before, stage.after) for stage in account.stages]
    rows += [
        (tr("Not attributed"), account.remainder_before, account.remainder_after),
        (tr("Wall clock, traced"), account.traced_wall_before, account.traced_wall_after),
        (tr("Wall clock, untraced"), account.wall_before.value, account.wall_after.value),
    ]
    heads = [tr("stage"), f"{account.before_name} (ms)", f"{account.after_name} (ms)"][: 2 if account.alone else 3]
    cells = ([title, units.milliseconds(before), units.milliseconds(after)][: len(heads)] for title, before, after in rows)
    parts = [f"## {tr('The account')}", str(block.sentence), table(heads, cells), *(f"- {note}" for note in block.notes)]
    if account.alone and account.books_gain:
        parts.append(f"- {tr('predicted ceiling, a free kernel')}: {units.ratio(account.ceiling)}")
    elif account.books_gain:
        parts += [
            f"- {tr('kernel share')}: {units.percent(account.share_before)} → {units.percent(account.share_after)}",
            f"- {tr('measured')}: {_gain(account.speedup)}",
            f"- {tr('predicted, all else equal')}: {units.ratio(account.predicted_speedup)}",
            f"- {tr('predicted ceiling, a free kernel')}: {units.ratio(account.ceiling)}",
            f"- {tr('share of the ceiling reached')}: {units.percent(account.ceiling_share, 0)}",
        ]
    return [*parts, str(block.next_sentence)] if block.next_sentence else parts


def _proof(proof: Proof) -> list[str]:
    title = tr("Proof of {name}").format(name=proof.row.line.name)
    rows = ((str(gate.title), tr(gate.status), str(gate.sentence)) for gate in proof.row.line.gates)
    facts = [f"- {pair.label}: {text(pair.text)}" for pair in proof.facts]
    gates = table((tr("gate"), tr("result"), tr("what was found")), rows)
    return [f"## {text(title)}", str(proof.sentence), gates, *_findings(proof), *facts]


def _findings(proof: Proof) -> list[str]:
    """Return the sanitizer's findings under their own heading, nothing where there are none."""
    rows = ((tr(one.severity), str(one.sentence), units.count(one.count)) for one in proof.findings)
    heads = (tr("severity"), tr("what was found"), tr("times"))
    return [f"### {tr('What the sanitizer found')}", table(heads, rows)] if proof.findings else []


def _change(change: Change) -> list[str]:
    lead = tr("{name}, from {parent}. {author}").format(
        name=change.name, parent=change.parent or units.MISSING, author=change.author
    )
    lines = [f"@@ {line.text} @@" if line.kind == "gap" else SIGNS[line.kind] + line.text for line in change.lines]
    fence = "`" * max(3, 1 + max((_ticks(line) for line in lines), default=0))
    body = "\n".join([f"{fence}diff", *lines, fence])
    title = f"### {text(change.file)}: {units.short_hash(change.hash)}"
    return [title, text(lead), *([text(change.hypothesis)] if change.hypothesis else []), body]


def _ticks(line: str) -> int:
    """Return the longest run of backticks: the fence around the code must be longer."""
    return max((len(run) for run in re.findall("`+", line)), default=0)
