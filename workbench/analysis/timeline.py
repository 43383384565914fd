"""Whose time each instant of a trace was: kernel > other kernel > copy > synchronisation > allocation > host stage."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.model.events import Trace


def stage_sums(trace: Trace) -> Mapping[str, int]:
    """Return nanoseconds by stage key, each instant counted once; trace.wall − sum of them is the remainder.

    Keys: the kind for `kernel`, `other`, `h2d`, `d2h`, `sync`, `alloc`, and `cpu:<name>` for host stages.
    """
    raise NotImplementedError
