"""Hooks that plugins may fill."""

from __future__ import annotations

from typing import Any

import pluggy

hookspec = pluggy.HookspecMarker("kernel-ledger")
hookimpl = pluggy.HookimplMarker("kernel-ledger")


@hookspec
def register(register: Any) -> None:
    """Put devices, advisors and status readers into `register` (a `workbench.plugin_api.Register`)."""
