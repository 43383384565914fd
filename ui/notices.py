"""Notices: what the program wants to say without stopping anybody. Never a modal box."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from workbench.texts import Message

Level = Literal["info", "warning", "error"]


@dataclass(frozen=True)
class Answer:
    """A button in a notice; `act` is called once and the notice goes away."""

    title: Message
    act: Callable[[], None]


@dataclass(frozen=True)
class Notice:
    """One sentence over the pages, with the answers it offers. `key` replaces an earlier notice of the same key."""

    message: Message
    level: Level = "info"
    answers: tuple[Answer, ...] = ()
    detail: str = ""
    key: str = ""
