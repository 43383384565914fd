"""The words: a message is an English template with named arguments, translated when it is shown, never before."""

from __future__ import annotations

import gettext as _gettext
from collections.abc import Mapping

import msgspec

import resources

DOMAIN = "kernel-ledger"

_translation: _gettext.NullTranslations = _gettext.NullTranslations()


def use_language(language: str) -> None:
    """Show every later message in `language` (for example "zh_CN"); English where a sentence has no translation."""
    global _translation
    _translation = _gettext.translation(DOMAIN, resources.path("locale"), languages=[language], fallback=True)


def tr(text: str) -> str:
    """Return the translation of a fixed text."""
    return _translation.gettext(text) if text else ""


def tr_count(one: str, many: str, count: int) -> str:
    """Return the translation of a text about `count` things, in the form for so many; both texts hold `{count}`."""
    return _translation.ngettext(one, many, count).format(count=count)


class Message(msgspec.Struct, frozen=True):
    """A sentence kept as its id (the English template) and its arguments, so that a session can be read in any language.

    Arguments are text already formatted by `workbench.units`, or plain integers.
    """

    text: str
    arguments: Mapping[str, str | int] = {}

    def __str__(self) -> str:
        return tr(self.text).format_map(dict(self.arguments))


def message(text: str, /, **arguments: str | int) -> Message:
    """Return a message; `text` uses `{name}` for each argument."""
    return Message(text, arguments)
