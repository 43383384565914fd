"""Asking a model over a real connection to a server on this machine, with the faults real services have."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring

from plugins.clipboard import ClipboardAdvisor
from plugins.model import register as register_model
from plugins.model.advisor import ModelAdvisor
from tests.helpers.openai_server import PIECES, Server, openai_server
from workbench.plugin_api import AdvisorAnswer, LedgerError, Register, Unavailable
from workbench.suggest.ask import Usage, ask

pytest.importorskip("llm")
SECRET = "sk-very-secret-0123456789"


class MemoryKeyring(KeyringBackend):
    """A keyring that holds one key, of the name it is told."""

    priority = 1

    def __init__(self, key_name: str) -> None:
        self.key_name = key_name

    def get_password(self, service: str, username: str) -> str | None:
        return SECRET if (service, username) == ("kernel-ledger", self.key_name) else None

    def set_password(self, service: str, username: str, password: str) -> None:
        raise AssertionError("a key must never be stored")

    def delete_password(self, service: str, username: str) -> None:
        raise AssertionError("a key must never be deleted")


@pytest.fixture(autouse=True)
def no_keys_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in (
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "KERNEL_LEDGER_OPENAI_BASE",
        "KERNEL_LEDGER_OPENAI_MODEL",
        "KERNEL_LEDGER_OPENAI_KEY",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path / "llm"))
    before = keyring.get_keyring()
    no_keyring: Any = NoKeyring
    keyring.set_keyring(no_keyring())
    yield
    keyring.set_keyring(before)


@pytest.fixture
def server() -> Iterator[Server]:
    with openai_server() as running:
        yield running


async def collect(server: Server, model: str) -> tuple[str, Usage]:
    return await ask(ModelAdvisor(server.base, model), "make it fast", None, lambda text: None)


async def test_an_answer_streams_in_with_its_tokens_and_an_unknown_price(server: Server) -> None:
    heard: list[str] = []
    text, usage = await ask(ModelAdvisor(server.base, "gpt-4o"), "make it fast", None, heard.append)
    assert heard == list(PIECES)
    assert text == "".join(PIECES)
    assert usage == Usage(12, 7, None, False)
    assert server.asked[0][1]["messages"] == [{"role": "user", "content": "make it fast"}]


async def test_address_and_model_come_from_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERNEL_LEDGER_OPENAI_BASE", server.base)
    monkeypatch.setenv("KERNEL_LEDGER_OPENAI_MODEL", "local")
    assert next(iter(ModelAdvisor().models())) == "local"
    text, _ = await ask(ModelAdvisor(), "p", None, lambda piece: None)
    assert text == "".join(PIECES)


async def test_a_key_comes_from_the_environment_before_the_keyring(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    keyring.set_keyring(MemoryKeyring("openai-compatible"))
    await collect(server, "good")
    monkeypatch.setenv("KERNEL_LEDGER_OPENAI_KEY", "from-environment")
    await collect(server, "good")
    sent = [headers["authorization"] for headers, _ in server.asked]
    assert sent == [f"Bearer {SECRET}", "Bearer from-environment"]


async def test_the_key_of_openai_is_not_sent_to_another_server(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    await collect(server, "good")
    assert SECRET not in str(server.asked)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        ("wrong-key", r"The key for wrong-key was not accepted \(401\): put a valid one into KERNEL_LEDGER_OPENAI_KEY"),
        ("quota", r"quota or rate limit for quota is used up \(429\)"),
        ("broken", r"The server of broken failed \(500\)"),
        ("unknown", r"does not know the model unknown \(404\)"),
        ("too-long", r"did not take the question \(400\): .*said no to key …"),
        ("cut", r"The answer of cut broke off after \d+ characters"),
        ("filtered", r"filtered held its answer back"),
        ("no-protocol", r"sent no text"),
    ],
)
async def test_each_fault_is_one_sentence_without_the_key(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, model: str, sentence: str
) -> None:
    monkeypatch.setenv("KERNEL_LEDGER_OPENAI_KEY", SECRET)
    caplog.set_level(logging.DEBUG)
    with pytest.raises(LedgerError) as caught:
        await collect(server, model)
    said = str(caught.value)
    assert SECRET not in said + repr(caught.value.message) + caplog.text
    assert re.search(sentence, said), said


async def test_a_server_that_is_not_there_is_one_sentence() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(Unavailable, match=r"cannot be reached"):
        await ask(ModelAdvisor(f"http://127.0.0.1:{port}/v1", "m"), "p", None, lambda text: None)


@pytest.mark.parametrize("model", ["long", "silent"])
async def test_a_truncated_answer_says_so(server: Server, model: str) -> None:
    _, usage = await collect(server, model)
    assert usage.truncated


async def test_missing_usage_stays_missing(server: Server) -> None:
    _, usage = await collect(server, "no-usage")
    assert (usage.input_tokens, usage.output_tokens, usage.price_usd) == (None, None, None)


async def test_cancelling_closes_the_connection_at_once(server: Server) -> None:
    heard: list[str] = []
    task = asyncio.create_task(ask(ModelAdvisor(server.base, "held"), "p", None, heard.append))
    await asyncio.to_thread(server.go_on.wait, 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(server.left.wait, 30)


async def test_leaving_a_stream_early_closes_the_connection(server: Server) -> None:
    stream = ModelAdvisor(server.base, "held").ask("p", None)
    assert isinstance(stream, AsyncGenerator)
    first = await anext(stream)
    assert first == AdvisorAnswer(PIECES[0])
    await stream.aclose()
    assert await asyncio.to_thread(server.left.wait, 30)


async def test_without_any_model_the_sentence_names_what_to_do() -> None:
    assert list(ModelAdvisor().models()) == []
    with pytest.raises(Unavailable, match="set OPENAI_API_KEY"):
        await ask(ModelAdvisor(), "p", None, lambda text: None)


async def test_a_model_without_a_key_and_an_unknown_one_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "llm"
    folder.mkdir(exist_ok=True)
    (folder / "keys.json").write_text('{"openai": "key-of-llm-itself"}')
    with pytest.raises(LedgerError, match="no key"):
        await ask(ModelAdvisor(), "p", "gpt-4o", lambda text: None)
    with pytest.raises(LedgerError, match="no model nonsense"):
        await ask(ModelAdvisor(), "p", "nonsense", lambda text: None)
    assert not (folder / "logs.db").exists()


def test_models_with_a_key_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    assert "gpt-4o" in ModelAdvisor().models()
    monkeypatch.delenv("OPENAI_API_KEY")
    keyring.set_keyring(MemoryKeyring("anthropic"))
    models = ModelAdvisor().models()
    assert models
    assert all("claude" in model for model in models)


def test_the_plugin_registers_without_importing_llm() -> None:
    made = Register("model")
    register_model(made)
    assert [advisor.id for advisor in made.advisors] == ["model"]


async def test_the_clipboard_says_that_a_person_has_to_paste() -> None:
    assert list(ClipboardAdvisor().models()) == []
    with pytest.raises(LedgerError, match="paste its answer"):
        await ask(ClipboardAdvisor(), "p", None, lambda text: None)
