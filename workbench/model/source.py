"""Source text exactly as it was on disk: encoding, byte order mark and line ends are kept."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import Literal

import msgspec

from workbench.errors import WrongInput

Encoding = Literal["utf-8", "latin-1"]
MAX_SOURCE_BYTES = 4 * 2**20


class SourceText(msgspec.Struct, frozen=True):
    """Text with its line ends as they are in the file, the encoding it had, and whether a BOM stood before it."""

    text: str
    encoding: Encoding = "utf-8"
    bom: bool = False

    def to_bytes(self) -> bytes:
        """Return the file's bytes; `decode(source.to_bytes()) == source` for every decoded source."""
        body = self.text.encode(self.encoding)
        return codecs.BOM_UTF8 + body if self.bom else body

    def with_text(self, text: str) -> SourceText:
        """Return the same kind of file with other text; Latin-1 becomes UTF-8 only when the text needs it."""
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            return SourceText(text, "utf-8", self.bom)
        return SourceText(text, self.encoding, self.bom)


def decode(content: bytes) -> SourceText:
    """Return the text of a source file: UTF-8 (with or without BOM), otherwise Latin-1, which never fails."""
    bom = content.startswith(codecs.BOM_UTF8)
    body = content[len(codecs.BOM_UTF8) :] if bom else content
    try:
        return SourceText(body.decode("utf-8"), "utf-8", bom)
    except UnicodeDecodeError:
        return SourceText(body.decode("latin-1"), "latin-1", bom)


def read_source(path: Path) -> SourceText:
    """Return the source at `path`. Raises WrongInput in one sentence when it cannot be read or is no text."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise WrongInput(
            "The source {path} is a device or a pipe, not a file; write its content into a file first.", path=str(path)
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise WrongInput(
            "The source {path} cannot be read: {reason}; check the name and the permissions.",
            path=str(path),
            reason=error.strerror or str(error),
        ) from error
    if len(content) > MAX_SOURCE_BYTES or b"\0" in content:
        raise WrongInput(
            "The file {path} is no source: it is larger than 4 MiB or contains zero bytes; name the file with the kernel's text.",
            path=str(path),
        )
    return decode(content)
