"""When a line's figures are those of the hardware: its accesses as traced against the compiler's own list of that line.

Equal lists are not enough where a loop is involved: the compiler may have unrolled it (the same accesses, but lanes that leave
the loop at different times no longer share requests), or moved an access out of it. So the count is compared for each width with
what a thread did: an instruction outside all loops runs once, one in a loop once in each turn.

Two things are not told exactly whatever the list says: accesses between leaving a loop and meeting again (of 178064 requests an
H200 brought four together with others), and shared loads whose cost was not measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plugins.emulator.access.machine import Machine
from plugins.emulator.access.ptx import UNKNOWN, MachineAccess
from workbench.plugin_api import AccessKind, Message, Space, message


@dataclass(frozen=True)
class SiteUse:
    """One place of the source, joined to a width, over all traced threads."""

    width: int
    code: int
    """Its place in the code; a function that is called from several places has one site for each."""
    uniform: bool
    """Each warp always came here with the same lanes."""
    turns: tuple[float, ...]
    """Visits of a thread in one turn of each loop around it, outermost loop first."""
    leaving: bool = False
    """Lanes of a warp came here in different turns of a loop that they left, before they met again."""


@dataclass(frozen=True)
class LineUse:
    """All places of a line, and for each width the most accesses that one thread made."""

    sites: Sequence[SiteUse]
    most: Mapping[int, int]
    unproven: bool = False
    """Some wavefronts are told by a rule that was not held to a GPU."""


Key = tuple[int, Space, AccessKind]


def accesses_of(accesses: Sequence[MachineAccess], key: Key) -> list[MachineAccess]:
    """Return the compiler's accesses of a line; those with a generic address stand for a space that has none of its own."""
    line, space, kind = key
    own = [access for access in accesses if access.line == line and access.kind == kind]
    return [access for access in own if access.space == space] or [access for access in own if access.space is None]


def why_not_exact(key: Key, use: LineUse, machine: Machine) -> Message | None:
    """Return why a line is only source-level, None where it is exact."""
    if machine.reason is not None:
        return machine.reason
    if key[0] == 0:
        return message("The place of this access in the source is not known, so it cannot be compared with the compiler's list.")
    if any(access.width == UNKNOWN for access in accesses_of(machine.ptx, key)):
        return message("This line moves whole matrices; how the hardware splits them into lanes is not known.")
    if any(site.leaving for site in use.sites):
        return message(
            "Lanes that leave a loop in different turns come here before they meet again; the hardware may bring some together."
        )
    if use.unproven:
        return message(
            "Shared loads of 16 bytes a lane, and of 8 where neighbours share addresses, were not measured on a GPU; their "
            "wavefronts follow what NVIDIA says of them."
        )
    by_ptx = _differs(accesses_of(machine.ptx, key), use)
    if machine.sass is None or key[1] == "constant":
        return by_ptx
    by_sass = _differs(accesses_of(machine.sass, key), use)
    return _assembler(key, machine) if by_sass is not None and by_ptx is None else by_sass


def _differs(listed: Sequence[MachineAccess], use: LineUse) -> Message | None:
    """Return how a line's accesses differ from the compiler's list, None where they agree."""
    if not listed:
        return message(
            "The compiler's code has no such access at this line: it keeps the value in a register, or has it on another line."
        )
    theirs, ours = Counter(access.width for access in listed), Counter(site.width for site in use.sites)
    if theirs.keys() != ours.keys():
        return message(
            "The compiler accesses {machine} bytes at a time here and the source {source}; they could not be joined.",
            machine=_names(theirs), source=_names(ours),
        )  # fmt: skip
    for width in theirs:
        sites = [site for site in use.sites if site.width == width]
        found = _number([access for access in listed if access.width == width], sites, use.most[width])
        if found is not None:
            return found
    return None


def _names(widths: Counter[int]) -> str:
    return ", ".join(str(width) for width in sorted(widths))


def _number(listed: Sequence[MachineAccess], sites: Sequence[SiteUse], most: int) -> Message | None:
    """Return how the accesses of one width differ in number, None where they agree; a thread made `most` of them at most."""
    depth = max(access.depth for access in listed)
    if depth == 0:
        return _count(most, len(listed))
    ours = max(len(site.turns) for site in sites)
    depth = min(depth, ours)  # a loop of the source that no thread went round twice is none here
    if depth == 0:
        return _unrolled(listed, sites, _places(sites, len(listed)))
    kept = [site for site in sites if len(site.turns) >= depth]
    turns = [site.turns[depth - 1] for site in kept]
    if any(abs(turn - round(turn)) > 1e-9 for turn in turns) and depth < ours:
        return message("The compiler unrolled an inner loop around this line that does not always make the same number of turns.")
    if depth < ours:
        return _unrolled(listed, sites, sum(max(round(turn), 1) for turn in turns) + len(sites) - len(kept))
    return _unrolled(listed, sites, _places(sites, len(listed)))


def _places(sites: Sequence[SiteUse], listed: int) -> int:
    """Return how many accesses the source has: one for each way a function is called, or one in all if it is not inlined."""
    apart = len({site.code for site in sites})
    return apart if listed == apart else len(sites)


def _unrolled(listed: Sequence[MachineAccess], sites: Sequence[SiteUse], expected: int) -> Message | None:
    """Return why a loop with more accesses than expected in one turn is not told exactly, None where it is."""
    if len(listed) <= expected:
        return _count(expected, len(listed))
    if all(site.uniform for site in sites):
        return None
    return message("The compiler unrolled the loop around this line, and lanes of one warp leave it at different times.")


def _count(source: int, machine: int) -> Message | None:
    if source == machine:
        return None
    return message(
        "A thread makes {source} accesses of this width here and the compiler's code has {machine}: it joined, repeated or moved "
        "some of them.",
        source=source, machine=machine,
    )  # fmt: skip


def _assembler(key: Key, machine: Machine) -> Message:
    """Return how the assembler changed the list of a line."""
    theirs = Counter(access.width for access in accesses_of(machine.ptx, key))
    made = Counter(access.width for access in accesses_of(machine.sass or (), key))
    return message(
        "The assembler changed the accesses of this line: PTX has {ptx}, SASS {sass}. Other versions of it may not.",
        ptx=_listed(theirs), sass=_listed(made),
    )  # fmt: skip


def _listed(widths: Counter[int]) -> str:
    return ", ".join(f"{count} × {width * 8} bit" for width, count in sorted(widths.items())) or "—"
