"""What is said about one event and about the change between two traces. No widget."""

from __future__ import annotations

from typing import NamedTuple

from ui.timeline.lanes import Change, Difference
from ui.widgets.stage_look import WORDS
from workbench import units
from workbench.model.events import KINDS, Trace
from workbench.texts import message, tr

_CHANGES: dict[Change, str] = {
    "appeared": "appeared", "vanished": "vanished", "grew": "grew", "shrank": "shrank", "same": "about as before",
}  # fmt: skip


class Fact(NamedTuple):
    """A title and a value that is text already."""

    title: str
    value: str


def event_facts(trace: Trace, event: int, side: str) -> list[Fact]:
    """Return what a trace knows about one event; `side` is a word such as "Before"."""
    start, length = int(trace.start[event]), int(trace.duration[event])
    same = trace.name == trace.name[event]
    total = int(trace.duration[same].sum())
    share = length / trace.wall if trace.wall > 0 else None
    return [
        Fact(tr("Side"), side),
        Fact(tr("Kind"), tr(WORDS[KINDS[int(trace.kind[event])]])),
        Fact(tr("Lane"), trace.lanes[int(trace.lane[event])]),
        Fact(tr("Start"), units.duration(start / 1e9)),
        Fact(tr("Duration"), units.duration(length / 1e9)),
        Fact(tr("Share of the wall"), units.percent(share)),
        Fact(
            tr("All of this name"),
            str(message("{count}, {time}", count=units.count(int(same.sum())), time=units.duration(total / 1e9))),
        ),
    ]


def change_word(difference: Difference) -> str:
    """Return what became of the events of a name."""
    return tr(_CHANGES[difference.change])


def change_counts(differences: list[Difference]) -> str:
    """Return how many names appeared, vanished, grew and shrank."""
    parts = []
    for change in ("appeared", "vanished", "grew", "shrank"):
        count = sum(difference.change == change for difference in differences)
        if count:
            parts.append(f"{units.count(count)} {tr(change)}")
    return " · ".join(parts) or tr("nothing changed")


def seconds(nanoseconds: int | None) -> float | None:
    """Return seconds for the formatters."""
    return None if nanoseconds is None else nanoseconds / 1e9
