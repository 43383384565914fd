"""Functions in which lanes meet without naming each other: there a lane is where its calls are, not only its line.

A GPU brings lanes together at one instruction, so lanes that called the same function from two places meet only among those
of their own place. Each such call is told to the runtime (ledger::CallSite of resources/emulator/warp.h).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plugins.emulator.set_aside import Device
from plugins.emulator.source_lines import words
from plugins.emulator.syntax import declared_name

if TYPE_CHECKING:
    from tree_sitter import Node

MEETINGS = frozenset({"__activemask", "coalesced_threads"})
"""What gives the lanes that happen to be together."""


def meeting_functions(device: Device) -> frozenset[str]:
    """Return the names of the functions that use one of `MEETINGS`, themselves or by a call."""
    if not device.words & MEETINGS:
        return frozenset()
    bodies = [
        (declared_name(device.source, node).split("::")[-1], words(device.source.of(node)))
        for item in device.kept
        for node in _functions(item.node)
    ]
    found: frozenset[str] = frozenset()
    while (more := frozenset(name for name, used in bodies if used & (MEETINGS | found))) != found:
        found = more
    return found


def _functions(node: Node) -> Iterator[Node]:
    if node.type == "function_definition":
        yield node
        return
    for child in node.children:
        yield from _functions(child)
