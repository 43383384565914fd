"""Asks a model through the `llm` library: streaming, cancellable, with keys passed by hand.

`llm` is imported only when a model is wanted (it takes most of a second). Its log database and its file of keys are not used.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from plugins.model import faults
from plugins.model.keys import SERVICE, find_key
from workbench.plugin_api import AdvisorAnswer, LedgerError, Unavailable, tr

BASE = "KERNEL_LEDGER_OPENAI_BASE"
"""Address of an OpenAI-compatible server, for example http://127.0.0.1:11434/v1."""
MODEL = "KERNEL_LEDGER_OPENAI_MODEL"
KEY = "KERNEL_LEDGER_OPENAI_KEY"
SERVER_KEY_NAME = "openai-compatible"
"""Name of that server's key in the keyring. OPENAI_API_KEY is never sent to another server than OpenAI's."""


@dataclass
class _Opened:
    """A model made for one question, with the clients it opens (they are closed after it)."""

    model: Any
    name: str
    key: str | None
    key_place: str
    priced: bool
    clients: list[Any] = field(default_factory=list)

    def remember_clients(self) -> None:
        """Keep the clients of OpenAI models: `llm` opens one for each question and leaves it open."""
        make = getattr(self.model, "get_client", None)
        if make is None:
            return

        def remembering(*arguments: Any, **named: Any) -> Any:
            client = make(*arguments, **named)
            self.clients.append(client)
            return client

        self.model.__dict__["get_client"] = remembering

    async def close(self) -> None:
        """Close every connection, also of a stream that was left early."""
        for client in self.clients:
            await client.close()


class ModelAdvisor:
    """Every async model that `llm` knows and there is a key for, and one on a server named by its address.

    `base` and `model` name that server and its model; without them the environment variables BASE and MODEL do.
    """

    id = "model"

    def __init__(self, base: str | None = None, model: str | None = None) -> None:
        self.title = tr("Language model")
        self._base = base
        self._model = model

    def models(self) -> Sequence[str]:
        """Return the models that can be asked now, the server's first. Slow the first time: call it off the event loop."""
        server = self._server()
        named = [server[1]] if server else []
        try:
            import llm
        except ImportError:
            return []
        usable: dict[tuple[str | None, str | None], bool] = {}
        for model in llm.get_async_models():
            needs = (model.key_env_var, model.needs_key)
            if needs not in usable:
                usable[needs] = needs[1] is None or find_key(*needs) is not None
            if usable[needs] and model.model_id not in named:
                named.append(model.model_id)
        return named

    async def ask(self, prompt: str, model: str | None) -> AsyncIterator[AdvisorAnswer]:
        """Stream the answer's text, then its usage. `model` None is the server's model, else the first usable one.

        Raises LedgerError with one sentence: no model, no or a wrong key, no network, quota, server error, cut stream, filter.
        """
        opened = await asyncio.to_thread(self._open, model)
        response = opened.model.prompt(prompt, stream=True)
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        reading = asyncio.create_task(_read(response, pieces))
        received = 0
        try:
            while (piece := await pieces.get()) is not None:
                received += len(piece)
                yield AdvisorAnswer(piece)
            await reading
        except Exception as error:
            if not faults.is_service_error(error):
                raise
            raise faults.as_sentence(error, opened.name, opened.key_place, opened.key, received) from None
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            await opened.close()
        yield self._ending(response, opened, received)

    def _ending(self, response: Any, opened: _Opened, received: int) -> AdvisorAnswer:
        """Return usage, price and whether the answer was cut off. Raises LedgerError where it was held back or has no text."""
        how = _how_it_ended(response.response_json)
        if how == "filtered":
            raise faults.filtered(opened.name)
        if not received:
            raise faults.empty(opened.name)
        taken, given = response.input_tokens, response.output_tokens
        price = _price(opened.name, taken, given) if opened.priced else None
        return AdvisorAnswer("", taken, given, price, how == "cut off")

    def _server(self) -> tuple[str, str] | None:
        """Address and model of the configured server; None unless both are there."""
        base, model = self._base or os.environ.get(BASE), self._model or os.environ.get(MODEL)
        return (base, model) if base and model else None

    def _open(self, name: str | None) -> _Opened:
        try:
            import llm
        except ImportError:
            raise Unavailable(
                "Language models need the extra packages of kernel-ledger[models]; install them, or use copy and paste."
            ) from None
        server = self._server()
        if server and name in (None, server[1]):
            return _open_server(*server)
        chosen = name or next(iter(self.models()), None)
        if chosen is None:
            raise Unavailable(
                "There is no model to ask: set OPENAI_API_KEY, ANTHROPIC_API_KEY or {base}, or use copy and paste.", base=BASE
            )
        try:
            model = llm.get_async_model(chosen)
        except llm.UnknownModelError:
            raise LedgerError("There is no model {model}; `llm models` lists those that are installed.", model=chosen) from None
        return _open_registered(model, chosen)


async def _read(response: Any, pieces: asyncio.Queue[str | None]) -> None:
    """Put the answer's text into `pieces`, at the end None. A task of its own, since a stream that is left early must be
    cancelled where it waits: closing it from outside leaves the client's inner generators running.
    """
    try:
        async with aclosing(response.astream_events()) as events:
            async for event in events:
                if event.type == "text" and event.chunk:
                    pieces.put_nowait(event.chunk)
    finally:
        pieces.put_nowait(None)


def _open_server(base: str, name: str) -> _Opened:
    from llm.default_plugins.openai_models import AsyncChat

    key = find_key(KEY, SERVER_KEY_NAME)
    chat: Any = AsyncChat
    model = chat(model_id=name, key=key, model_name=name, api_base=base)
    if key is None:
        model.needs_key = None
    opened = _Opened(model, name, key, f"{KEY} or the keyring ({SERVICE} / {SERVER_KEY_NAME})", priced=False)
    opened.remember_clients()
    return opened


def _open_registered(model: Any, name: str) -> _Opened:
    place = f"{model.key_env_var or '—'} or the keyring ({SERVICE} / {model.needs_key})"
    key = find_key(model.key_env_var, model.needs_key)
    if model.needs_key and key is None:
        raise LedgerError("There is no key for {model}: put one into {place}, or use copy and paste.", model=name, place=place)
    if key is not None:
        model.key = key  # read before any look into llm's own file of keys
    opened = _Opened(model, name, key, place, priced=not getattr(model, "api_base", None))
    opened.remember_clients()
    return opened


def _how_it_ended(document: Any) -> str:
    """Return "complete", "cut off" or "filtered" from what the service sent last (OpenAI's two protocols, Anthropic's)."""
    if not isinstance(document, dict):
        return "complete"
    details = document.get("incomplete_details") or {}
    reason = document.get("finish_reason") or document.get("stop_reason") or details.get("reason")
    if reason in ("content_filter", "refusal"):
        return "filtered"
    if reason in ("length", "max_tokens", "max_output_tokens"):
        return "cut off"
    if reason is None and document.get("object") == "chat.completion.chunk":
        return "cut off"
    return "complete"


def _price(model: str, taken: int | None, given: int | None) -> float | None:
    """Return US dollars by the offline table of genai-prices; None where tokens or the model's price are not known."""
    if taken is None or given is None:
        return None
    try:
        from genai_prices import Usage, calc_price

        return float(calc_price(Usage(input_tokens=taken, output_tokens=given), model_ref=model.split("/")[-1]).total_price)
    except (ImportError, LookupError):
        return None
