"""Lets the window go first: children that only burn processor time stand back while the user works."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
from pathlib import Path

NICE = 5
"""Steps below the window: a third of its weight. The window goes first, and the child is not starved by what else runs here."""
_TRIES, _PAUSE = 20, 0.11
"""Linux lets an ordinary user set the weight of one group in a tenth of a second."""


async def stand_back(pid: int) -> None:
    """Lower the priority of a process that leads its own session, and so of all that it starts.

    Best effort: what the system refuses stays as it was. A process that is gone is no error.
    """
    if sys.platform == "win32":
        return
    try:
        # The group, so that threads it may have started already are lowered too.
        os.setpriority(os.PRIO_PGRP, pid, os.getpriority(os.PRIO_PROCESS, 0) + NICE)
    except OSError:
        return
    # With sched_autogroup_enabled every session is one group of equal weight and the priority counts inside it only:
    # lowered by `setpriority` alone, four children took as much from the window as before (man 7 sched, "autogroup").
    weight = Path(f"/proc/{pid}/autogroup")
    for _ in range(_TRIES):
        try:
            weight.write_text(str(NICE), encoding="ascii")
        except OSError as error:
            if error.errno != errno.EAGAIN:
                return
            await asyncio.sleep(_PAUSE)
        else:
            return
