"""Just enough of the ELF format to see what a compiled kernel would pull in: its symbols, libraries and start-up code.

Source: System V ABI, chapter 4 and 5 (64-bit, little endian); thread-local sizes from STT_TLS symbols.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_DYNAMIC = struct.Struct("<qQ")
_SYMTAB, _DYNAMIC_SECTION, _DYNSYM = 2, 6, 11
_INIT, _FINI, _PREINIT = 14, 15, 16
_NEEDED, _DT_INIT, _DT_FINI = 1, 12, 13
_STT_OBJECT, _STT_TLS, _STT_IFUNC = 1, 6, 10


@dataclass(frozen=True)
class Image:
    """What a shared library asks for and does by itself."""

    undefined: tuple[str, ...]
    needed: tuple[str, ...]
    resolvers: tuple[str, ...]
    """Functions run by the loader to choose an implementation (IFUNC)."""
    start_functions: int
    """Entries of .init_array, .fini_array and .preinit_array, and DT_INIT and DT_FINI."""
    thread_local: tuple[tuple[str, int], ...]
    """Name and size in bytes of each thread-local variable."""


@dataclass(frozen=True)
class _Section:
    kind: int
    body: bytes
    link: int
    size: int


class NotElf(Exception):
    """The file is no 64-bit little-endian ELF library."""


def read_image(path: Path) -> Image:
    """Read a shared library. Raises NotElf."""
    content = path.read_bytes()
    if content[:6] != b"\x7fELF\x02\x01":
        raise NotElf(str(path))
    sections = list(_sections(content))
    symbols = [symbol for section in sections if section.kind == _DYNSYM for symbol in _symbols(section, sections)]
    every = [symbol for section in sections if section.kind == _SYMTAB for symbol in _symbols(section, sections)]
    tags = [tag for section in sections if section.kind == _DYNAMIC_SECTION for tag in _DYNAMIC.iter_unpack(section.body)]
    strings = next((sections[section.link].body for section in sections if section.kind == _DYNAMIC_SECTION), b"")
    starts = sum(section.size // 8 for section in sections if section.kind in (_INIT, _FINI, _PREINIT))
    return Image(
        tuple(name for name, _, section, _ in symbols if section == 0 and name),
        tuple(_text(strings, value) for tag, value in tags if tag == _NEEDED),
        tuple(name for name, kind, _, _ in {*symbols, *every} if kind == _STT_IFUNC),
        starts + sum(tag in (_DT_INIT, _DT_FINI) for tag, _ in tags),
        tuple((name, size) for name, kind, _, size in every if kind == _STT_TLS and name),
    )


def read_variables(path: Path) -> list[tuple[str, int, int, bool]]:
    """Return symbol, offset, size in bytes and whether it is thread-local for each variable of a library. Raises NotElf.

    The offset is from the start of the library, or of the thread-local memory that a thread has for it.
    """
    content = path.read_bytes()
    if content[:6] != b"\x7fELF\x02\x01":
        raise NotElf(str(path))
    sections = list(_sections(content))
    found = []
    for section in sections:
        if section.kind != _SYMTAB:
            continue
        for name, info, _, index, value, size in _SYMBOL.iter_unpack(section.body):
            if info & 15 in (_STT_OBJECT, _STT_TLS) and index and size:
                found.append((_text(sections[section.link].body, name), value, size, info & 15 == _STT_TLS))
    return found


def _sections(content: bytes) -> Iterator[_Section]:
    header = _HEADER.unpack_from(content)
    offset, size, count = header[6], header[11], header[12]
    for index in range(count):
        _, kind, _, _, start, length, link, _, _, _ = _SECTION.unpack_from(content, offset + index * size)
        yield _Section(kind, b"" if kind == 8 else content[start : start + length], link, length)


def _symbols(section: _Section, sections: list[_Section]) -> Iterator[tuple[str, int, int, int]]:
    """Yield name, type, section index and size."""
    strings = sections[section.link].body
    for name, info, _, index, _, size in _SYMBOL.iter_unpack(section.body):
        yield _text(strings, name), info & 15, index, size


def _text(strings: bytes, offset: int) -> str:
    return strings[offset : strings.find(b"\0", offset)].decode("utf-8", "replace")
