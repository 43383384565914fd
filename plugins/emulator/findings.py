"""The sentences of the sanitizer's findings, in the order of compute-sanitizer's: line, what, where, who."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.plugin_api import Message, Touch, message


@dataclass(frozen=True)
class Place:
    """Where an address lies: `offset` bytes into `array` of `size` bytes; without an array `offset` is the address itself."""

    array: str
    offset: int
    item_bytes: int
    size: int
    local: bool = False
    """In the local memory of some thread."""

    @property
    def index(self) -> int | None:
        """The element, None where there is no array."""
        return self.offset // (self.item_bytes or 1) if self.size else None

    @property
    def text(self) -> str:
        """`tile[33]` as one would write it, or the address."""
        return f"{self.array or 'shared'}[{self.index}]" if self.size else hex(self.offset)


def _who(touch: Touch) -> dict[str, str]:
    return {"line": _line(touch), "block": _triple(touch.block), "thread": _triple(touch.thread)}


def _line(touch: Touch) -> str:
    return str(touch.line) if touch.line else "?"


def _triple(index: tuple[int, int, int]) -> str:
    return ", ".join(map(str, index))


def range_sentence(touch: Touch, place: Place, width: int) -> Message:
    """Return what an access of `width` bytes outside all arrays did."""
    if place.local:
        return message(
            "Line {line}: an access to another thread's local memory, which no other thread can reach on a GPU, "
            "block ({block}), thread ({thread}).",
            **_who(touch),
        )
    return _outside_one(touch, place, width) if place.size else _outside_all(touch, place, width)


def _outside_one(touch: Touch, place: Place, width: int) -> Message:
    offset, element = place.offset, place.offset // (width or 1)
    if touch.kind == "read":
        return message(
            "Line {line}: out-of-bounds read of {bytes} bytes at byte {offset} (element {element}) of {array}, which has "
            "{size} bytes, block ({block}), thread ({thread}).",
            bytes=width, offset=offset, element=element, array=place.array, size=place.size, **_who(touch),
        )  # fmt: skip
    if touch.kind == "write":
        return message(
            "Line {line}: out-of-bounds write of {bytes} bytes at byte {offset} (element {element}) of {array}, which has "
            "{size} bytes, block ({block}), thread ({thread}).",
            bytes=width, offset=offset, element=element, array=place.array, size=place.size, **_who(touch),
        )  # fmt: skip
    return message(
        "Line {line}: out-of-bounds atomic of {bytes} bytes at byte {offset} (element {element}) of {array}, which has "
        "{size} bytes, block ({block}), thread ({thread}).",
        bytes=width, offset=offset, element=element, array=place.array, size=place.size, **_who(touch),
    )  # fmt: skip


def _outside_all(touch: Touch, place: Place, width: int) -> Message:
    address = hex(place.offset)
    if touch.kind == "read":
        return message(
            "Line {line}: out-of-bounds read of {bytes} bytes at address {address}, in no argument of the kernel, "
            "block ({block}), thread ({thread}).",
            bytes=width, address=address, **_who(touch),
        )  # fmt: skip
    if touch.kind == "write":
        return message(
            "Line {line}: out-of-bounds write of {bytes} bytes at address {address}, in no argument of the kernel, "
            "block ({block}), thread ({thread}).",
            bytes=width, address=address, **_who(touch),
        )  # fmt: skip
    return message(
        "Line {line}: out-of-bounds atomic of {bytes} bytes at address {address}, in no argument of the kernel, "
        "block ({block}), thread ({thread}).",
        bytes=width, address=address, **_who(touch),
    )  # fmt: skip


def uninitialised_sentence(touch: Touch, place: Place) -> Message:
    """Return what a read of never-written memory did."""
    return message(
        "Line {line}: read of {place}, which nothing has written, block ({block}), thread ({thread}).",
        place=place.text, **_who(touch),
    )  # fmt: skip


def unwritten_local_sentence(line: int, text: str) -> Message:
    """Return what the compiler suspects of a local variable."""
    return message("Line {line}: the compiler suspects a local variable without a value: {text}.", line=line, text=text)


def race_sentence(now: Touch, before: Touch, place: Place, *, in_block: bool) -> Message:
    """Return what two threads did to one place without an order between them."""
    both = {"place": place.text, **_who(now), "other": _triple(before.thread), "other_line": _line(before)}
    if in_block:
        return _race_in_block(now, before, both)
    both["other_block"] = _triple(before.block)
    if now.kind == "read":
        return message(
            "Line {line}: thread ({thread}) of block ({block}) reads {place}, which thread ({other}) of block ({other_block}) "
            "writes in the same launch at line {other_line}; only a fence and an atomic operation order blocks.",
            **both,
        )
    if before.kind == "read":
        return message(
            "Line {line}: thread ({thread}) of block ({block}) writes {place}, which thread ({other}) of block ({other_block}) "
            "reads in the same launch at line {other_line}; only a fence and an atomic operation order blocks.",
            **both,
        )
    return message(
        "Line {line}: thread ({thread}) of block ({block}) writes {place}, which thread ({other}) of block ({other_block}) "
        "writes too at line {other_line}; make both atomic, or give each block elements of its own.",
        **both,
    )


def _race_in_block(now: Touch, before: Touch, both: dict[str, str]) -> Message:
    if now.kind == "read":
        return message(
            "Line {line}: thread ({thread}) of block ({block}) reads {place} after thread ({other}) wrote it at line "
            "{other_line}, with no barrier between.",
            **both,
        )
    if before.kind == "read":
        return message(
            "Line {line}: thread ({thread}) of block ({block}) writes {place} after thread ({other}) read it at line "
            "{other_line}, with no barrier between.",
            **both,
        )
    return message(
        "Line {line}: thread ({thread}) of block ({block}) writes {place} after thread ({other}) wrote it at line "
        "{other_line}, with no barrier between.",
        **both,
    )
