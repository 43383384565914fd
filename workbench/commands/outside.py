"""The sentence of an access outside an array, with the project's own name for it."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import msgspec

from workbench.model.failure import Failure
from workbench.texts import Message, message
from workbench.worker import arrays, protocol


def name_array(failure: Failure, slots: Sequence[protocol.Slot]) -> Failure:
    """Return an `OutOfBounds` failure with the name and the element of its array.

    `slots` are the launch's arguments in order. A failure without an array, or of another kind, comes back as it is.
    """
    outside = failure.outside
    if outside is None or outside.argument is None or not 0 <= outside.argument < len(slots):
        return failure
    slot = slots[outside.argument]
    where: dict[str, str | int] = {
        "line": outside.line or "?",
        "element": outside.offset // arrays.host_dtype(slot.dtype).itemsize,
        "array": slot.name,
        "count": prod(slot.shape),
        "block": outside.block,
        "thread": outside.thread,
    }
    return msgspec.structs.replace(failure, message=_sentence(outside.access, where))


def _sentence(access: str, where: dict[str, str | int]) -> Message:
    if access == "read":
        return message(
            "Line {line}: out-of-bounds read of element {element} of {array}, which has {count} elements, block ({block}), "
            "thread ({thread}); guard the index by the size of {array}.",
            **where,
        )
    if access == "write":
        return message(
            "Line {line}: out-of-bounds write of element {element} of {array}, which has {count} elements, block ({block}), "
            "thread ({thread}); guard the index by the size of {array}.",
            **where,
        )
    if access == "atomic":
        return message(
            "Line {line}: out-of-bounds atomic on element {element} of {array}, which has {count} elements, block ({block}), "
            "thread ({thread}); guard the index by the size of {array}.",
            **where,
        )
    return message(
        "Line {line}: out-of-bounds access to element {element} of {array}, which has {count} elements, block ({block}), "
        "thread ({thread}); guard the index by the size of {array}.",
        **where,
    )
