"""The kernels in a cubin, read from its ELF symbol table (a cubin is a little-endian ELF64 file)."""

from __future__ import annotations

import struct

_SYMTAB = 2
_FUNCTION = 2
_ENTRY = 0x10
"""STO_CUDA_ENTRY in a symbol's st_other: the function is a kernel."""


def kernel_symbols(cubin: bytes) -> tuple[str, ...]:
    """Return the symbols of all kernels, in the file's order. Raises ValueError for what is no cubin."""
    if cubin[:5] != b"\x7fELF\x02":
        raise ValueError("not a 64-bit ELF file")
    (table,) = struct.unpack_from("<Q", cubin, 0x28)
    entry, count = struct.unpack_from("<HH", cubin, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", cubin, table + entry * index) for index in range(count)]
    names: list[str] = []
    for section in sections:
        if section[1] != _SYMTAB:
            continue
        strings = sections[section[6]][4]
        for place in range(section[4], section[4] + section[5], 24):
            name, kind, other = struct.unpack_from("<IBB", cubin, place)
            if kind & 0xF == _FUNCTION and other & _ENTRY:
                end = cubin.index(b"\0", strings + name)
                names.append(cubin[strings + name : end].decode())
    return tuple(names)


def matching(symbols: tuple[str, ...], entry: str) -> tuple[str, ...]:
    """Return the symbols that stand for a source name: itself (`extern "C"`), or a mangled name with its last part."""
    if entry in symbols:
        return (entry,)
    parts = entry.split("::")
    mark = "".join(f"{len(part)}{part}" for part in parts)
    return tuple(symbol for symbol in symbols if symbol.startswith((f"_Z{mark}", f"_ZN{mark}", f"_ZL{mark}")))
