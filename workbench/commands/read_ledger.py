"""Reads a session's ledger for commands and reports. It loads no loop and no worker, so that a large session opens at once."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.analysis.ledger import build_ledger
from workbench.commands.context import SessionStore
from workbench.errors import WrongInput
from workbench.model.ledger import Ledger
from workbench.model.run import Run


def devices_of(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the devices a session has runs on: those that book gains first, then by name."""
    kinds = {run.device: run.environment.device.books_gains for run in runs}
    return tuple(sorted(kinds, key=lambda device: (not kinds[device], device)))


def ledger_of(store: SessionStore, device: str | None = None) -> Ledger:
    """Return a session's ledger on a device; without a name on the one that books gains, else the first. Raises WrongInput."""
    runs = store.latest_runs()
    devices = devices_of(runs)
    if not devices and store.damage is not None:
        raise WrongInput(store.damage.text, **dict(store.damage.arguments))
    if not devices:
        raise WrongInput("The session {path} holds no runs yet; start with: kernel-ledger run PROJECT.", path=store.path.name)
    if device is not None and device not in devices:
        raise WrongInput(
            "The session has no runs on {device}; it has runs on {devices}.", device=device, devices=", ".join(devices)
        )
    return build_ledger(store.project(), store.versions(), runs, device or devices[0])
