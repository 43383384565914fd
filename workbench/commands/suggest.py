"""Asks advisors about a version and keeps what they answer."""

from __future__ import annotations

from collections.abc import Callable

from workbench.analysis.ledger import build_ledger
from workbench.commands.context import Context, Progress, SessionStore
from workbench.commands.work import now
from workbench.errors import WrongInput
from workbench.model.device import DeviceInfo
from workbench.model.project import Project
from workbench.model.suggestion import Suggestion
from workbench.model.version import Author, AuthorKind, Version
from workbench.plugin_api import Advisor
from workbench.suggest.ask import ask, make_suggestion
from workbench.suggest.prompt import build_prompt
from workbench.texts import message


def prompt_for(context: Context, store: SessionStore, project: Project, base: Version, device: str) -> str:
    """Return the prompt about a version with what is known of it on a device; nothing is asked of the device."""
    runs = [run for run in store.runs() if run.device == device]
    newest = next((run for run in reversed(runs) if run.version == base.hash), None)
    history = build_ledger(project, store.versions(), runs, device).lines if runs else ()
    info = newest.environment.device if newest is not None else _device(context, device)
    return build_prompt(project, base, info, newest, history)


def _device(context: Context, device: str) -> DeviceInfo:
    return context.plugins.find_device(device)


def find_advisor(context: Context, name: str) -> Advisor:
    """Return an advisor by its id. Raises WrongInput naming those there are."""
    for advisor in context.plugins.advisors():
        if advisor.id == name:
            return advisor
    raise WrongInput("There is no advisor {name}; there are {advisors}.", name=name,
                     advisors=", ".join(advisor.id for advisor in context.plugins.advisors()))  # fmt: skip


async def ask_advisor(
    context: Context,
    store: SessionStore,
    project: Project,
    base: Version,
    device: str,
    *,
    advisor: str,
    model: str | None,
    progress: Progress,
    on_text: Callable[[str], None] | None = None,
) -> Suggestion:
    """Ask and keep the answer as a suggestion in review. Raises LedgerError in one sentence; cancelling ends the stream."""
    door = find_advisor(context, advisor)
    prompt = prompt_for(context, store, project, base, device)
    length = 0

    def took(text: str) -> None:
        nonlocal length
        length += len(text)
        progress(message("{advisor} is answering, {length} characters so far", advisor=model or advisor, length=length), 0, 0)
        if on_text is not None:
            on_text(text)

    progress(message("Waiting for {advisor}", advisor=model or advisor), 0, 0)
    answer, usage = await ask(door, prompt, model, took)
    author = Author(_author_kind(advisor), model or "")
    return store.add_suggestion(make_suggestion(base.hash, author, prompt, answer, created=now(), usage=usage))


def answer_suggestion(store: SessionStore, base: Version, author: Author, prompt: str, answer: str) -> Suggestion:
    """Keep an answer that a person brought. Raises WrongInput for an empty one."""
    if not answer.strip():
        raise WrongInput("The clipboard holds no text; copy the model's whole answer and paste it again.")
    return store.add_suggestion(make_suggestion(base.hash, author, prompt, answer, created=now()))


def _author_kind(advisor: str) -> AuthorKind:
    return "rules" if advisor == "rules" else "model"
