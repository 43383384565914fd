"""Language models: every one the `llm` library and its plugins offer, and OpenAI-compatible servers by their address."""

from __future__ import annotations

from plugins.model.advisor import ModelAdvisor
from workbench.plugin_api import Register, hookimpl


@hookimpl
def register(register: Register) -> None:
    """Offer the models; nothing is imported or asked for before somebody wants them."""
    register.advisors.append(ModelAdvisor())
