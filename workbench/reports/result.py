"""The first page's claim: one sentence, two large numbers, and what must stand beside them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from workbench import units
from workbench.analysis.account_sentences import pairs_note
from workbench.analysis.gate_count import count_gates
from workbench.model.ledger import Account, Estimate, Ledger, LedgerLine
from workbench.reports.blocks import Bar, Figure, Row
from workbench.texts import Message, message, tr

PROVEN = ("BASELINE", "FASTER", "SLOWER", "SAME", "AMBIGUOUS", "CPU TIME", "passed")
"""Chips of versions whose answer was found right."""

REGIMES = {
    "cold": message("with the L2 cache cold"),
    "warm": message("with the L2 cache warm"),
    "streaming": message("streaming (inputs larger than half the L2 cache)"),
    "cpu": message("as CPU time of the emulator"),
}


def leading_line(ledger: Ledger) -> LedgerLine | None:
    """Return the fastest proven version, one that was confirmed before one that was not; None where no gain is booked."""
    faster = [line for line in ledger.lines if line.chip == "FASTER" and ledger.books_gains]
    return max(faster, key=lambda line: (line.confirmed is True, line.speedup.value or 0.0), default=None)


def baseline_line(ledger: Ledger) -> LedgerLine | None:
    """Return the measured baseline."""
    return next((line for line in ledger.lines if line.chip == "BASELINE"), None)


def headline(ledger: Ledger, lead: LedgerLine | None) -> tuple[Message, ...]:
    """Return the result in one or two sentences."""
    if not ledger.books_gains:
        return (*_correctness(ledger), message("The gain is missing: this device cannot measure it."))
    if lead is not None:
        kernel = message("The kernel is {ratio} faster.", ratio=units.ratio(lead.speedup.value))
        account = ledger.accounts.get(lead.version)
        return kernel, *_application(account)
    if baseline_line(ledger) is None:
        return (message("There is no measured baseline on this device, so no speed-up is shown."),)
    if len(ledger.lines) == 1:
        return (message("Only the baseline was measured."),)
    return (message("No version is proven faster than the baseline."),)


def _correctness(ledger: Ledger) -> tuple[Message, ...]:
    proven = sum(line.chip in PROVEN for line in ledger.lines)
    wrong = sum(line.chip == "WRONG ANSWER" for line in ledger.lines)
    if not proven:
        return (message("Nothing is proven yet."),)
    if proven == len(ledger.lines):
        return (message("Correctness is proven for every version."),)
    said = message("Correctness is proven for {proven} of {all} versions.", proven=proven, all=len(ledger.lines))
    return (said, message("{wrong} gave a wrong answer.", wrong=wrong)) if wrong else (said,)


def _application(account: Account | None) -> tuple[Message, ...]:
    if account is None or account.speedup.value is None:
        return (message("What the application gains was not measured."),)
    gain = units.ratio(account.speedup.value)
    said = {
        "FASTER": message("The application is {ratio} faster.", ratio=gain),
        "SLOWER": message("The application is slower: {ratio} of its speed.", ratio=gain),
        "SAME": message("The application is as fast as before."),
    }.get(account.verdict or "", message("Whether the application gains is undecided: {ratio}.", ratio=gain))
    if account.ceiling is None:
        return (said,)
    return said, message("A free kernel would give {ratio}.", ratio=units.ratio(account.ceiling))


def caveats(ledger: Ledger, lead: LedgerLine | None) -> tuple[Message, ...]:
    """Return what a reader must know before believing the headline."""
    found: list[Message] = []
    if lead is not None and not lead.confirmed:
        found.append(
            message(
                "{name} is not yet confirmed: it needs a second run in fresh processes. Candidates tried: {tries}.",
                name=lead.name,
                tries=ledger.tries,
            )
        )
    if not ledger.books_gains:
        found.append(message("CPU TIME is how long the emulator took; it says nothing about a GPU."))
    if ledger.environment is not None:
        found.extend(ledger.environment.notes)
    return tuple(found)


def figures(ledger: Ledger, lead: LedgerLine | None) -> tuple[Figure, ...]:
    """Return the large numbers. A device that books no gain shows what it proved, and that the gain is missing."""
    if not ledger.books_gains:
        proven = sum(line.chip in PROVEN for line in ledger.lines)
        share = tr("{proven} of {all}").format(proven=proven, all=len(ledger.lines))
        return (
            Figure(message("versions proven correct"), share, caption=_gates_caption(ledger)),
            Figure(message("gain"), tr("missing"), caption=tr("this device cannot measure it")),
        )
    base = baseline_line(ledger)
    if lead is None or base is None:
        return ()
    return _kernel_figure(base, lead), _application_figure(ledger.accounts.get(lead.version))


def _gates_caption(ledger: Ledger) -> str:
    return count_gates(gate for line in ledger.lines for gate in line.gates).sentence


def _kernel_figure(base: LedgerLine, lead: LedgerLine) -> Figure:
    bars = [Bar(line.name, line.kernel_time.value) for line in (base, lead) if line.kernel_time.value is not None]
    return _figure(message("kernel"), lead.speedup, tuple(bars))


def _application_figure(account: Account | None) -> Figure:
    label = message("application")
    if account is None or account.speedup.value is None:
        return Figure(label, units.MISSING, caption=tr("the pipeline was not measured"))
    kernel = next((stage for stage in account.stages if stage.kind == "kernel"), None)
    bars = []
    for name, wall, part in (
        (account.before_name, account.wall_before, kernel.before if kernel else None),
        (account.after_name, account.wall_after, kernel.after if kernel else None),
    ):
        if wall.value is not None:
            bars.append(Bar(name, wall.value, part))
    free = account.wall_before.value / account.ceiling if account.wall_before.value and account.ceiling else None
    drawn = _figure(label, account.speedup, tuple(bars), free, account.ceiling)
    if pairs_note(account) is None:
        return drawn
    return msgspec.structs.replace(drawn, caption=f"{drawn.caption} {tr('of interleaved pairs')}".strip())


def _figure(
    label: Message, gain: Estimate, bars: tuple[Bar, ...], free: float | None = None, ceiling: float | None = None
) -> Figure:
    if gain.value is None:
        return Figure(label, units.MISSING, caption=tr("missing"), bars=bars)
    text = units.ratio(gain.value).removesuffix(units.TIMES)
    return Figure(label, text, units.TIMES, units.interval(gain.low, gain.high), bars, free, ceiling)


def ledger_note(rows: Sequence[Row], ledger: Ledger) -> tuple[Message, ...]:
    """Return what stands beside the ledger table: what the ratios mean, the regime, the tries."""
    regimes = [row.protocol.regime for row in rows if row.protocol]
    said = []
    if ledger.books_gains:
        said.append(message("Ratios are against the baseline, of interleaved pairs; times are medians."))
    if regimes:
        said.append(message("Kernel times {regime}.", regime=str(REGIMES[max(set(regimes), key=regimes.count)])))
    said.append(message("[ ] is the 95 % interval."))
    if ledger.tries:
        said.append(message("Candidates tried: {tries}.", tries=ledger.tries))
    return tuple(said)
