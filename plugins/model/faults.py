"""What went wrong while asking a model, as one sentence. Decided by status and class, not by words in a text."""

from __future__ import annotations

import json

from workbench.plugin_api import LedgerError, Unavailable

_CLIENTS = ("openai", "anthropic", "httpx", "httpcore", "httpx2", "httpcore2", "llm", "llm_anthropic")
"""Top packages whose exceptions come from talking to a service; all others are bugs and are raised as they are."""
_UNREACHABLE = frozenset({"APIConnectionError", "ConnectError", "ConnectTimeout", "NetworkError"})
_SLOW = frozenset({"APITimeoutError", "TimeoutException", "ReadTimeout"})
_FILTERED = frozenset({"RefusalError", "ContentFilterFinishReasonError"})


def is_service_error(error: Exception) -> bool:
    """True for what a service or its client raises."""
    package = type(error).__module__.split(".")[0]
    return package in _CLIENTS or isinstance(error, json.JSONDecodeError | ConnectionError)


def as_sentence(error: Exception, model: str, key_place: str, key: str | None, received: int) -> LedgerError:
    """Return the sentence for a service's error; `received` is how many characters had come before it."""
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return _for_status(status, error, model, key_place, key)
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & _FILTERED or any("refus" in name.lower() for name in names):
        return filtered(model)
    if received:
        return LedgerError(
            "The answer of {model} broke off after {count} characters: the connection was lost or the server stopped. Ask again.",
            model=model,
            count=received,
        )
    if names & _SLOW:
        return Unavailable("{model} did not answer in time; try again later or choose another model.", model=model)
    if names & _UNREACHABLE or isinstance(error, ConnectionError):
        return Unavailable(
            "{model} cannot be reached: check the network and the server's address. Copy and paste works without either.",
            model=model,
        )
    return LedgerError(
        "The service of {model} answered with something that is not an answer ({reason}); check its address, or ask again.",
        model=model,
        reason=_reason(error, key),
    )


def _for_status(status: int, error: Exception, model: str, key_place: str, key: str | None) -> LedgerError:
    if status in (401, 403):
        return LedgerError(
            "The key for {model} was not accepted ({status}): put a valid one into {place}.",
            model=model,
            status=status,
            place=key_place,
        )
    if status == 404:
        return LedgerError("The server does not know the model {model} (404); choose another one.", model=model)
    if status == 429:
        return Unavailable(
            "The quota or rate limit for {model} is used up (429): wait a little, raise the limit, or choose another model.",
            model=model,
        )
    if status >= 500:
        return Unavailable(
            "The server of {model} failed ({status}); try again later or choose another model.", model=model, status=status
        )
    return LedgerError(
        "The server of {model} did not take the question ({status}): {reason}",
        model=model,
        status=status,
        reason=_reason(error, key),
    )


def filtered(model: str) -> LedgerError:
    """Return the sentence for an answer that the service held back."""
    return LedgerError(
        "{model} held its answer back (content filter or refusal); change the goal's words or choose another model.", model=model
    )


def empty(model: str) -> LedgerError:
    """Return the sentence for a stream without any text."""
    return LedgerError(
        "{model} sent no text: check that its address is that of an OpenAI-compatible server, or ask again.", model=model
    )


def _reason(error: Exception, key: str | None) -> str:
    """The service's own words, one line, without the key."""
    body = getattr(error, "body", None)
    text = str(body["message"]) if isinstance(body, dict) and body.get("message") else str(error)
    if key:
        text = text.replace(key, "…")
    return " ".join(text.split())[:300] or type(error).__name__
