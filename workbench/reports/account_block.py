"""The account page: the stage table's sentence, the points of the Amdahl chart, what to do next."""

from __future__ import annotations

from workbench import units
from workbench.analysis.account_sentences import kernel_check, pairs_note
from workbench.model.ledger import Account, Ledger
from workbench.reports.blocks import AccountBlock, AmdahlPoint
from workbench.texts import Message, message

ENOUGH = 0.03
"""A change of a group of stages below this share of the saved time is not named in the sentence."""


def account_block(ledger: Ledger) -> AccountBlock | None:
    """Return the account of the ledger's leading version, None when no pipeline was traced."""
    account = ledger.account
    if account is None or (account.traced_wall_before is None and account.traced_wall_after is None):
        return None
    notes = tuple(note for note in (pairs_note(account), kernel_check(account)) if note is not None)
    return AccountBlock(account, _sentence(account), _points(ledger), _next(account), notes)


def _points(ledger: Ledger) -> tuple[AmdahlPoint, ...]:
    if not ledger.books_gains:
        return ()
    points = [
        AmdahlPoint(line.name, line.speedup.value, line.end_to_end_speedup.value)
        for line in ledger.lines
        if line.speedup.value and line.end_to_end_speedup.value
    ]
    return tuple(sorted(points, key=lambda point: point.kernel))


def _sentence(account: Account) -> Message:
    """Return where the saved time went, from the traced repeats (their parts and remainder are their wall exactly)."""
    if not account.books_gain:
        return message(
            "CPU TIME of each stage. This device books no gain, so there is no speed-up, no ceiling and no prediction."
        )
    if account.alone:
        return _alone(account)
    kernel = next((stage.change for stage in account.stages if stage.kind == "kernel"), None)
    before, after = account.traced_wall_before, account.traced_wall_after
    if kernel is None or before is None or after is None:
        return message("The pipeline was traced with one version only; there is nothing to compare.")
    others = [(str(stage.title), stage.change or 0.0) for stage in account.stages if stage.kind != "kernel"]
    rest = (account.remainder_after or 0.0) - (account.remainder_before or 0.0)
    named = [f"{title} {units.signed_milliseconds(change)}" for title, change in others if abs(change) > ENOUGH * abs(kernel) / 3]
    changes = ", ".join([*named, *([f"{units.signed_milliseconds(rest)} not attributed"] if rest else [])])
    return message(
        "Traced, the kernel changes by {kernel} ms and the application by {wall} ms. Outside the kernel: {changes}.",
        kernel=units.signed_milliseconds(kernel),
        wall=units.signed_milliseconds(after - before),
        changes=changes or units.MISSING,
    )


def _alone(account: Account) -> Message:
    if account.share_before is None:
        return message("Where the time of {name} goes; the kernel under study is not in it.", name=account.before_name)
    return message(
        "Where the time of {name} goes: the kernel is {share} of it. Free, it would make the application {ceiling} faster "
        "(predicted).",
        name=account.before_name,
        share=units.percent(account.share_before),
        ceiling=units.ratio(account.ceiling),
    )


def _next(account: Account) -> Message | None:
    if not account.next_stages:
        return None
    best = account.next_stages[0]
    kernel = next((stage for stage in account.next_stages if stage.kind == "kernel"), None)
    if account.go_on is False:
        return message("Stop here: the best remaining gain, {title}, is below the threshold.", title=best.title)
    if kernel is None or best.kind == "kernel":
        return message("Go on with the kernel: free, it would give up to {ratio}.", ratio=units.ratio(best.ceiling))
    return message(
        "Leave this kernel: free, it would now give {kernel}; {title} up to {ratio}.",
        kernel=units.ratio(kernel.ceiling),
        title=best.title,
        ratio=units.ratio(best.ceiling),
    )
