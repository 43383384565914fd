"""What the user chose for this machine, kept as TOML in the configuration folder."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

import msgspec

from workbench.paths import config_folder

KEPT_RECENT = 30


class Settings(msgspec.Struct, frozen=True):
    """Everything that is remembered between starts. Secrets are never here."""

    theme: str = "system"
    language: str = ""
    trusted: tuple[str, ...] = ()
    """Absolute project folders whose Python may run."""
    recent: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    """The user's own plugins that are switched on."""


def settings_file() -> Path:
    """Return where the settings lie."""
    return config_folder() / "settings.toml"


def load_settings() -> Settings:
    """Return the settings; the defaults when there are none or the file cannot be understood."""
    import tomlkit.exceptions  # late: who only reads a session needs no settings

    try:
        return msgspec.convert(tomlkit.parse(settings_file().read_text(encoding="utf-8")).unwrap(), Settings)
    except (OSError, UnicodeDecodeError, tomlkit.exceptions.TOMLKitError, msgspec.ValidationError):
        return Settings()


def save_settings(settings: Settings) -> None:
    """Write the settings in one step. A folder that cannot be written is no reason to stop: they last for this start."""
    import tomlkit

    file = settings_file()
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(tomlkit.dumps(msgspec.to_builtins(settings)))
        os.replace(name, file)


def with_trust(settings: Settings, folder: Path) -> Settings:
    """Return settings that trust `folder`."""
    return msgspec.structs.replace(settings, trusted=tuple(sorted({*settings.trusted, str(folder)})))


def is_trusted(settings: Settings, folder: Path) -> bool:
    """Tell whether the user has said that this folder's Python may run."""
    return str(folder) in settings.trusted


def with_recent(settings: Settings, session: Path) -> Settings:
    """Return settings that name `session` first among the recent ones. TOML cannot hold a name that is no UTF-8."""
    if any("\udc80" <= sign <= "\udcff" for sign in str(session)):
        return settings
    others = [path for path in settings.recent if path != str(session)]
    return msgspec.structs.replace(settings, recent=(str(session), *others)[:KEPT_RECENT])
