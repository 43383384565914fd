"""A version: one content-addressed state of the kernel, with who made it and what it claims."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Literal

import msgspec

from workbench.model.launch import Launch
from workbench.model.project import Language
from workbench.model.source import SourceText

AuthorKind = Literal["person", "model", "clipboard", "rules", "tuner", "shipped"]


class Author(msgspec.Struct, frozen=True):
    """Who made a version; `name` is a model's id or a person's name where known."""

    kind: AuthorKind
    name: str = ""


class Code(msgspec.Struct, frozen=True):
    """All that decides what the machine executes. Its hash is the version's address."""

    source: SourceText
    language: Language
    entry: str
    launch: Launch
    template: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    constants: Mapping[str, tuple[float, ...]] = {}
    includes: Mapping[str, SourceText] = {}
    """The project's own headers that the source includes, by path from the source's folder (`../common.cuh`)."""

    @property
    def hash(self) -> str:
        """SHA-256 (64 hex digits) over the source's bytes, launch, entry, language, options, template, constants and includes."""
        rest = msgspec.json.encode(
            (self.language, self.entry, self.launch, self.template, self.options, sorted(self.constants.items()))
        )
        body = self.source.to_bytes()
        for name, header in sorted(self.includes.items()):  # nothing without them: older hashes stay true
            content = header.to_bytes()
            rest += msgspec.json.encode((name, len(content))) + content
        return hashlib.sha256(len(body).to_bytes(8, "little") + body + rest).hexdigest()


class Version(msgspec.Struct, frozen=True):
    """A named version in a session. `parent` is a hash, None for a baseline; `created` is ISO 8601 in UTC."""

    name: str
    code: Code
    parent: str | None
    author: Author
    created: str
    hypothesis: str = ""
    hash: str = ""
    """Filled by `make_version`; equals `code.hash`, which `verify()` of a session re-computes."""


def make_version(name: str, code: Code, parent: str | None, author: Author, created: str, *, hypothesis: str = "") -> Version:
    """Return a version addressed by its content."""
    return Version(name, code, parent, author, created, hypothesis, code.hash)
