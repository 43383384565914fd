"""Collecting a stream, and keeping an answer as a suggestion."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest

from workbench.errors import LedgerError
from workbench.model.version import Author
from workbench.plugin_api import AdvisorAnswer
from workbench.suggest.ask import Usage, ask, make_suggestion
from workbench.suggest.read_reply import read_reply

ANSWER = "Hypothesis: fewer loads.\nMetric: dram__bytes_read.sum\n\n```cuda\n__global__ void f() {\n"


class Scripted:
    """An advisor that says given pieces and nothing else."""

    id = "scripted"
    title = "Scripted"

    def __init__(self, *pieces: AdvisorAnswer) -> None:
        self.pieces = pieces

    def models(self) -> Sequence[str]:
        return ()

    async def ask(self, prompt: str, model: str | None) -> AsyncIterator[AdvisorAnswer]:
        for piece in self.pieces:
            yield piece


async def test_pieces_are_told_as_they_come_and_joined_with_their_usage() -> None:
    heard: list[str] = []
    advisor = Scripted(AdvisorAnswer("a"), AdvisorAnswer("b"), AdvisorAnswer("", 10, 2, None, True))
    text, usage = await ask(advisor, "p", None, heard.append)
    assert (text, heard) == ("ab", ["a", "b"])
    assert usage == Usage(10, 2, None, True)


async def test_an_empty_answer_is_one_sentence() -> None:
    with pytest.raises(LedgerError, match="empty answer"):
        await ask(Scripted(AdvisorAnswer(" ")), "p", None, lambda text: None)


def test_a_suggestion_keeps_prompt_answer_hypothesis_and_price() -> None:
    made = make_suggestion("h", Author("model", "m"), "p", ANSWER, created="now", usage=Usage(10, 2, 0.5))
    assert (made.base, made.prompt, made.answer) == ("h", "p", ANSWER)
    assert (made.hypothesis, made.metric) == ("fewer loads.", "dram__bytes_read.sum")
    assert (made.input_tokens, made.output_tokens, made.price_usd) == (10, 2, 0.5)


def test_a_kept_answer_still_tells_that_it_was_cut_off() -> None:
    made = make_suggestion("h", Author("model"), "p", ANSWER + "}\n```\nand more", created="now", usage=Usage(truncated=True))
    assert read_reply(made.answer).truncated
    assert not read_reply(ANSWER + "}\n```\nand more").truncated
