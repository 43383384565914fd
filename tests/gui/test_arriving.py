"""What is asked before the commands are loaded."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.helpers.page_commands import page_bridge
from tests.helpers.pages import sample_page_view
from ui.__main__ import Arriving


async def test_what_is_asked_before_the_commands_are_there_is_done_in_order_when_they_come() -> None:
    bridge, commands = page_bridge(sample_page_view("gpu"))
    view = bridge.workspace.session.value
    assert view is not None
    baseline, candidate = (version.hash for version in view.versions[:2])
    early = Arriving()
    early.cancel(3)
    early.select(baseline)
    early.select(candidate)
    opening = asyncio.ensure_future(early.open_project(Path("project")))
    await asyncio.sleep(0)
    assert (commands.asked, bridge.workspace.selected.value, opening.done()) == ([], None, False)
    assert early.advisors() == ()
    early.arrive(commands)
    await opening
    assert commands.asked == [("cancel", 3), ("open_project", Path("project"))]
    assert bridge.workspace.selected.value == candidate


async def test_a_question_that_is_given_up_before_the_commands_are_there_asks_nothing() -> None:
    bridge, commands = page_bridge(sample_page_view("gpu"))
    early = Arriving()
    opening = asyncio.ensure_future(early.open_session(Path("session.db")))
    await asyncio.sleep(0)
    opening.cancel()
    await asyncio.wait([opening])
    early.arrive(commands)
    await asyncio.sleep(0)
    assert opening.cancelled()
    assert commands.asked == []
    bridge.close()
