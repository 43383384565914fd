"""Where a key comes from: an environment variable, then the OS keyring. It is never stored, shown or logged here."""

from __future__ import annotations

import os

SERVICE = "kernel-ledger"
"""The keyring's service; the name in it is what the model calls its key ("openai", "anthropic")."""


def find_key(variable: str | None, name: str | None) -> str | None:
    """Return the key, None where there is none (also without a keyring, or with a locked one). May wait for the user."""
    found = os.environ.get(variable, "").strip() if variable else ""
    if found or not name:
        return found or None
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return None
    try:
        return keyring.get_password(SERVICE, name) or None
    except KeyringError:
        return None
