"""Typed reading of one table of a TOML file: every wrong key or value becomes one sentence naming file, key and value."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Mapping, Sequence

from workbench.errors import WrongInput

LONGEST_SHOWN = 60
LARGEST_WHOLE = 2**63 - 1


def shown(value: object) -> str:
    """Return a value as a person would look for it in the file: one line, at most 60 characters."""
    if isinstance(value, int) and abs(value) > LARGEST_WHOLE:
        text = f"{value:#x}"
    else:
        text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


class Table:
    """A table of the file with its dotted key (`kernel`, `argument[2]`, empty for the file itself)."""

    def __init__(self, file: str, key: str, content: Mapping[str, object]) -> None:
        self.file = file
        self.key = key
        self.content = content

    def __contains__(self, name: str) -> bool:
        return name in self.content

    def dotted(self, name: str) -> str:
        """Return the full key of `name` in this table."""
        return f"{self.key}.{name}" if self.key else name

    def place(self, name: str, value: object = None) -> dict[str, str]:
        """Return the arguments `file`, `key` and `value` of a sentence about one key."""
        return {"file": self.file, "key": self.dotted(name), "value": shown(self.content.get(name) if value is None else value)}

    def expect_only(self, *names: str) -> None:
        """Raise WrongInput for a key that is none of `names`, with the nearest one."""
        for name in self.content:
            if name in names:
                continue
            near = difflib.get_close_matches(name, names, n=1)
            if near:
                raise WrongInput(
                    "{file}: the key {key} is unknown; did you mean {near}?",
                    file=self.file,
                    key=self.dotted(name),
                    near=self.dotted(near[0]),
                )
            raise WrongInput(
                "{file}: the key {key} is unknown; {names} were expected here.",
                file=self.file,
                key=self.dotted(name),
                names=", ".join(names),
            )

    def need(self, name: str) -> object:
        """Return the value of a key that must be there."""
        if name not in self.content:
            raise WrongInput("{file}: the key {key} is missing; it has no default.", file=self.file, key=self.dotted(name))
        return self.content[name]

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text; None as default means that the key must be there and not empty."""
        if name not in self.content and default is not None:
            return default
        value = self.need(name)
        if not isinstance(value, str):
            raise WrongInput("{file}: {key} is {value}; a text in quotes was expected.", **self.place(name))
        if default is None and not value.strip():
            raise WrongInput("{file}: {key} is empty; a text was expected.", **self.place(name))
        return value

    def choice(self, name: str, options: Sequence[str], default: str | None = None) -> str:
        """Return a text that is one of `options`."""
        value = self.text(name, default)
        if value not in options:
            raise WrongInput(
                "{file}: {key} is {value}; one of {options} was expected.", **self.place(name), options=", ".join(options)
            )
        return value

    def whole(self, name: str, default: int | None = None, *, least: int = 0, most: int = LARGEST_WHOLE) -> int:
        """Return an integer between `least` and `most`."""
        if name not in self.content and default is not None:
            return default
        value = self.need(name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise WrongInput("{file}: {key} is {value}; a whole number was expected.", **self.place(name))
        if not least <= value <= most:
            raise WrongInput(
                "{file}: {key} is {value}; a whole number from {least} to {most} was expected.",
                **self.place(name),
                least=str(least),
                most=str(most),
            )
        return value

    def number(self, name: str, default: float, *, least: float = 0.0, above: bool = False) -> float:
        """Return a finite number of at least `least` (`above`: greater than it)."""
        value = self.content.get(name, default)
        number = finite(value)
        if number is None:
            raise WrongInput("{file}: {key} is {value}; a finite number was expected.", **self.place(name))
        if number < least or (above and number == least):
            raise WrongInput(
                "{file}: {key} is {value}; a number above {least} was expected."
                if above
                else "{file}: {key} is {value}; a number of at least {least} was expected.",
                **self.place(name),
                least=f"{least:g}",
            )
        return number

    def items(self, name: str) -> list[object]:
        """Return the entries of an array, an empty list when the key is not there."""
        value = self.content.get(name, [])
        if not isinstance(value, list):
            raise WrongInput("{file}: {key} is {value}; a list in square brackets was expected.", **self.place(name))
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return an array of texts; whole numbers in it are taken as their text."""
        entries: list[str] = []
        for index, entry in enumerate(self.items(name)):
            whole = isinstance(entry, int) and not isinstance(entry, bool) and abs(entry) <= LARGEST_WHOLE
            if not (whole or isinstance(entry, str)):
                raise WrongInput(
                    "{file}: {key} is {value}; a text in quotes was expected.", **self.place(f"{name}[{index}]", entry)
                )
            entries.append(str(entry))
        return tuple(entries)

    def table(self, name: str) -> Table:
        """Return a table below this one, an empty one when the key is not there."""
        value = self.content.get(name, {})
        if not isinstance(value, dict):
            raise WrongInput("{file}: {key} is {value}; a table was expected.", **self.place(name))
        return Table(self.file, self.dotted(name), value)

    def tables(self, name: str) -> list[Table]:
        """Return an array of tables, with their index in the key."""
        found = []
        for index, entry in enumerate(self.items(name)):
            key = f"{self.dotted(name)}[{index}]"
            if not isinstance(entry, dict):
                raise WrongInput("{file}: {key} is {value}; a table was expected.", file=self.file, key=key, value=shown(entry))
            found.append(Table(self.file, key, entry))
        return found


def finite(value: object) -> float | None:
    """Return a number as a float, None when it is not a number or not finite."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
