"""Asking an advisor, and keeping what came back as a suggestion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workbench.errors import LedgerError
from workbench.model.suggestion import Suggestion
from workbench.model.version import Author
from workbench.plugin_api import Advisor
from workbench.suggest.read_reply import CUT_MARK, read_reply


@dataclass(frozen=True)
class Usage:
    """What an answer cost: tokens and US dollars (None is unknown), and whether it was cut off by a limit."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    price_usd: float | None = None
    truncated: bool = False


async def ask(advisor: Advisor, prompt: str, model: str | None, on_text: Callable[[str], None]) -> tuple[str, Usage]:
    """Return the whole answer and its usage; `on_text` gets each piece as it comes.

    Raises LedgerError with one sentence when the advisor cannot answer or answers nothing. Cancelling the task ends the stream.
    """
    pieces: list[str] = []
    usage = Usage()
    async for part in advisor.ask(prompt, model):
        if part.text:
            pieces.append(part.text)
            on_text(part.text)
        usage = Usage(
            part.input_tokens if part.input_tokens is not None else usage.input_tokens,
            part.output_tokens if part.output_tokens is not None else usage.output_tokens,
            part.price_usd if part.price_usd is not None else usage.price_usd,
            part.truncated or usage.truncated,
        )
    text = "".join(pieces)
    if not text.strip():
        raise LedgerError("{advisor} gave an empty answer; ask again, or choose another model.", advisor=advisor.title)
    return text, usage


def make_suggestion(
    base: str, author: Author, prompt: str, answer: str, *, created: str, usage: Usage | None = None
) -> Suggestion:
    """Return a suggestion for the version with hash `base`, with the hypothesis and metric that its answer states.

    `created` is ISO 8601 in UTC. An answer that was cut off is marked so in its text.
    """
    used = usage or Usage()
    kept = answer.rstrip("\n") + CUT_MARK if used.truncated else answer
    reply = read_reply(kept)
    return Suggestion(
        base,
        author,
        prompt,
        kept,
        created,
        reply.hypothesis,
        reply.metric,
        used.input_tokens,
        used.output_tokens,
        used.price_usd,
    )
