"""The advisor that needs no key and no network: a person carries the prompt to any model and brings its answer back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from workbench.plugin_api import AdvisorAnswer, Register, Unavailable, hookimpl, tr


class ClipboardAdvisor:
    """Has no models. Its way in is an answer that is pasted; asking it is refused with what to do instead."""

    id = "clipboard"

    def __init__(self) -> None:
        self.title = tr("Copy and paste")

    def models(self) -> Sequence[str]:
        """Return nothing: the person chooses the model elsewhere."""
        return ()

    def ask(self, prompt: str, model: str | None) -> AsyncIterator[AdvisorAnswer]:
        """Raise Unavailable: only a person can bring the answer."""
        raise Unavailable(
            "The clipboard cannot answer by itself: copy the prompt, give it to a model you choose, and paste its answer here."
        )


@hookimpl
def register(register: Register) -> None:
    """Offer copy and paste."""
    register.advisors.append(ClipboardAdvisor())
