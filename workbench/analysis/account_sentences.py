"""What stands beside an account's numbers in every window, report and terminal."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.model.ledger import Account, KernelCheck, Ledger
from workbench.texts import Message, message
from workbench.units import duration, ratio, signed_percent

DRIFT = 0.02
"""Baseline walls of two runs that differ by more than this fraction are said to drift."""
AGREE = 0.02
"""A fraction: method section 1 asks the clock itself to be right within 2 %."""


def kernel_check(account: Account) -> Message | None:
    """Return how long a call of the kernel took in the trace and by the honest clock; None where one of them is missing."""
    checks = [check for check in (account.check_before, account.check_after) if check is not None]
    if not checks:
        return None
    if not account.books_gain or all(abs(check.difference) <= AGREE for check in checks):
        return message(
            "The traced kernel took {traced} a call; the clock says {clock} on the declared inputs ({difference}).",
            **_numbers(checks),
        )
    return message(
        "The traced kernel took {traced} a call; the clock says {clock} on the declared inputs ({difference}): "
        "other inputs, other caches.",
        **_numbers(checks),
    )


def _numbers(checks: list[KernelCheck]) -> dict[str, str]:
    return {
        "traced": " → ".join(duration(check.traced) for check in checks),
        "clock": " → ".join(duration(check.clock) for check in checks),
        "difference": ", ".join(signed_percent(check.difference, 0) for check in checks),
    }


def pairs_note(account: Account) -> Message | None:
    """Return that the speed-up is not the quotient of the two walls shown, None where it is, as printed."""
    before, after, gain = account.wall_before.value, account.wall_after.value, account.speedup.value
    if not before or not after or gain is None or ratio(before / after) == ratio(gain):
        return None
    return message(
        "The ratio is of interleaved pairs; the walls are medians of a host that drifted, and divide to {quotient}.",
        quotient=ratio(before / after),
    )


def drift_note(ledger: Ledger) -> Message | None:
    """Return that the baseline's wall or kernel differed from run to run, so that times of different lines must not be divided.

    Each version is walked and timed beside the baseline; those are all of one program, so their spread is the host's. None
    where both are within `DRIFT`.
    """
    walls = _drifted([account.wall_before.value for account in ledger.accounts.values()])
    kernels = _drifted(
        [account.check_before.clock for account in ledger.accounts.values() if account.check_before]
        + [line.kernel_time.value for line in ledger.lines if line.chip == "BASELINE"]
    )
    if walls and kernels:
        return message(
            "The host drifted between runs: the same baseline took {least} to {most}, its kernel {fastest} to {slowest}.",
            least=duration(walls[0]),
            most=duration(walls[1]),
            fastest=duration(kernels[0]),
            slowest=duration(kernels[1]),
        )
    if walls:
        return message(
            "The host drifted between runs: the same baseline took {least} to {most}.",
            least=duration(walls[0]),
            most=duration(walls[1]),
        )
    if kernels:
        return message(
            "The host drifted between runs: the same baseline's kernel took {least} to {most}.",
            least=duration(kernels[0]),
            most=duration(kernels[1]),
        )
    return None


def _drifted(seconds: Sequence[float | None]) -> tuple[float, float] | None:
    """Return the least and the most of one program's times where they lie further apart than `DRIFT`."""
    known = [value for value in seconds if value is not None]
    return (min(known), max(known)) if known and max(known) > min(known) * (1 + DRIFT) else None
