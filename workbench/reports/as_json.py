"""The report as one stable JSON document: `"schema": 1`, sentences as text, numbers in SI units, missing as null."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import msgspec

from workbench.reports.blocks import SCHEMA, Document
from workbench.texts import Message


def as_json(document: Document) -> str:
    """Return the document; keys in the order of `blocks.Document`, so that two of them can be compared as text."""
    return json.dumps(to_plain(document), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def to_plain(document: Document) -> dict[str, Any]:
    """Return the document as dictionaries and lists with its schema number."""
    return {"schema": SCHEMA, "kind": "kernel-ledger report", **_plain(document)}


def _plain(value: object) -> Any:
    match value:
        case Message():
            return str(value)
        case msgspec.Struct():
            return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
        case Mapping():
            return {str(name): _plain(item) for name, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case float() if not math.isfinite(value):
            return None
        case _:
            return value
