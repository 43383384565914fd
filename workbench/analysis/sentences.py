"""The sentence of each outcome of a comparison."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.model.ledger import Comparison
from workbench.texts import Message, message
from workbench.units import interval, percent, ratio, short_hash


def name_of(names: Mapping[str, str], digest: str) -> str:
    """Return a version's name, or the head of its hash where it has none."""
    return names.get(digest) or short_hash(digest)


def of_comparison(comparison: Comparison, names: Mapping[str, str], a: str, b: str) -> Message:
    """Return what a comparison of B (hash `b`) with A says, in one sentence."""
    first, second = name_of(names, a), name_of(names, b)
    if comparison.verdict == "WRONG ANSWER":
        return message("{b} gives a wrong answer, so its time is no claim.", b=second)
    if comparison.route == "none":
        return message("{b} and {a} were not timed together here; run both against the same baseline.", a=first, b=second)
    if not comparison.books_gain:
        return message("{b} and {a} have CPU time on this device, which is no evidence of a gain.", a=first, b=second)
    if comparison.verdict is None:
        return message("{b} was not timed against {a}; run it with timing.", a=first, b=second)
    return _of_verdict(comparison, first, second)


def _of_verdict(comparison: Comparison, a: str, b: str) -> Message:
    gain, margin = comparison.speedup.value or 1.0, percent(comparison.margin)
    match comparison.verdict:
        case "FASTER":
            return message(
                "{b} is {ratio} faster than {a}; its interval clears the margin of {margin}.",
                a=a,
                b=b,
                ratio=ratio(gain),
                margin=margin,
            )
        case "SLOWER":
            return message(
                "{b} is {ratio} slower than {a}; its interval clears the margin of {margin}.",
                a=a,
                b=b,
                ratio=ratio(1 / gain),
                margin=margin,
            )
        case "SAME":
            return message("{b} is as fast as {a}: the difference stays inside the margin of {margin}.", a=a, b=b, margin=margin)
    if comparison.groups < 2:
        return message(
            "{b} against {a} is undecided: one process cannot tell placement in memory from a gain; time it in 5 processes.",
            a=a,
            b=b,
        )
    return message(
        "{b} against {a} is undecided: {ratio} {interval}, margin {margin}. More rounds may decide; {change} would show.",
        a=a,
        b=b,
        ratio=ratio(gain, 3),
        interval=interval(comparison.speedup.low, comparison.speedup.high, 3),
        margin=margin,
        change=percent(comparison.smallest_change),
    )


def wrong_base(names: Mapping[str, str], a: str, b: str) -> Message:
    """Return why nothing is compared with a version whose answer is wrong."""
    return message("{a} gives a wrong answer, so {b} is not compared with it.", a=name_of(names, a), b=name_of(names, b))


def not_run(name: str) -> Message:
    """Return that a version has no run on this device."""
    return message("{name} was not run on this device yet.", name=name)


def unfinished(name: str) -> Message:
    """Return that a version's run ended before anything was decided."""
    return message("{name} was not verified: its run ended before; run it again.", name=name)


def not_timed(name: str) -> Message:
    """Return that a version is right but has no time."""
    return message("{name} gives the right answer and was not timed.", name=name)


def no_baseline(name: str) -> Message:
    """Return that a right and timed version has nothing to be compared with (A1)."""
    return message(
        "{name} gives the right answer, but no baseline is measured on this device; run the baseline first.", name=name
    )


def cpu_time(name: str) -> Message:
    """Return what a time on the emulator is worth."""
    return message("{name} gives the right answer; its CPU time is no evidence of a gain.", name=name)


def baseline(name: str, books_gains: bool) -> Message:
    """Return what the baseline is on this device."""
    if books_gains:
        return message("{name} is the measured baseline.", name=name)
    return message("{name} is the baseline; this device measures CPU time only.", name=name)


def wrong_rounds(name: str) -> Message:
    """Return that timed rounds of a version gave a wrong answer."""
    return message("{name} gave a wrong answer in a timed round.", name=name)
