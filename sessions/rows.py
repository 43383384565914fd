"""Values to rows and back. A row is what one table keeps; JSON columns are msgspec's encoding of the model's values."""

from __future__ import annotations

import math
import statistics
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
import numpy as np

from workbench.model.access import AccessReport
from workbench.model.device import Environment
from workbench.model.events import Trace
from workbench.model.failure import Failure
from workbench.model.launch import Launch
from workbench.model.project import Project
from workbench.model.run import CompileData, GateResult, Group, PassRecord, PipelineData, Run, TimingData, VerifyData
from workbench.model.sanitizer import SanitizerData
from workbench.model.source import SourceText, decode
from workbench.model.suggestion import Suggestion
from workbench.model.version import Author, Code, Version
from workbench.texts import Message

Row = dict[str, Any]
T = TypeVar("T")

DATA_TYPES: Mapping[str, type[Any]] = {
    "compile": CompileData, "verify": VerifyData, "time": TimingData, "trace": PipelineData,
    "sanitize": SanitizerData, "access": AccessReport,
}  # fmt: skip
"""Column `kind` of `passes` -> the value in its column `data`."""

_json = msgspec.json.Encoder(enc_hook=lambda value: str(value) if isinstance(value, Path) else _refuse(value))


def _refuse(value: object) -> None:
    raise NotImplementedError(f"{type(value).__name__} has no place in a session")


def to_json(value: object) -> str:
    """Return a value as JSON text."""
    return _json.encode(value).decode()


def spelled(value: object) -> object:
    """Return a value as plain data with NaN and infinities spelled out: JSON has none, and msgspec would write null."""
    return _spelled(msgspec.to_builtins(value))


def _spelled(value: object) -> object:
    match value:
        case float() if not math.isfinite(value):
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        case dict():
            return {key: _spelled(part) for key, part in value.items()}
        case list() | tuple():
            return [_spelled(part) for part in value]
    return value


@cache
def _decoder(kind: Hashable) -> msgspec.json.Decoder[Any]:
    """Not strict for what was verified: there a wrong element may be `"NaN"` or `"Infinity"` (see `spelled`)."""
    return msgspec.json.Decoder(kind, strict=kind is not VerifyData, dec_hook=lambda wanted, value: wanted(value))


def from_json(text: str, kind: type[T]) -> T:
    """Return a value from JSON text. Raises msgspec.MsgspecError for damaged text."""
    return cast(T, _decoder(cast(Hashable, kind)).decode(text))


def _optional(text: str | None, kind: type[T]) -> T | None:
    return None if text is None else from_json(text, kind)


# --- project and versions ------------------------------------------------------------------------------------------


def project_row(project: Project) -> Row:
    """Return the project without its folder: a session says nothing about the machine's paths."""
    value = to_json(msgspec.structs.replace(project, folder=Path()))
    return {"id": 1, "name": project.name, "goal": project.goal, "value": value}


def project_from(row: Row) -> Project:
    """Return the project; its folder is empty."""
    return from_json(row["value"], Project)


def version_row(version: Version) -> Row:
    """Return a version; the column `source` holds the file's bytes as they were."""
    code = version.code
    return {
        "hash": version.hash,
        "name": version.name,
        "parent": version.parent,
        "author_kind": version.author.kind,
        "author_name": version.author.name,
        "created": version.created,
        "hypothesis": version.hypothesis,
        "language": code.language,
        "entry": code.entry,
        "source": code.source.to_bytes(),
        "encoding": code.source.encoding,
        "bom": code.source.bom,
        "launch": to_json(code.launch),
        "template": to_json(code.template),
        "options": to_json(code.options),
        "constants": to_json(code.constants),
        "includes": to_json(code.includes),
    }


def _source_from(row: Row) -> SourceText:
    source = decode(row["source"])
    if source.encoding == row["encoding"]:
        return source
    return SourceText(row["source"].decode(row["encoding"]), row["encoding"], bool(row["bom"]))


def version_from(row: Row) -> Version:
    """Return a version as it was kept, with the hash it was kept under."""
    code = Code(
        _source_from(row),
        row["language"],
        row["entry"],
        from_json(row["launch"], Launch),
        from_json(row["template"], tuple[str, ...]),
        from_json(row["options"], tuple[str, ...]),
        from_json(row["constants"], dict[str, tuple[float, ...]]),
        from_json(row.get("includes", "{}"), dict[str, SourceText]),  # a file of format 1 that may only be read has none
    )
    author = Author(row["author_kind"], row["author_name"])
    return Version(row["name"], code, row["parent"], author, row["created"], row["hypothesis"], row["hash"])


# --- runs and passes -----------------------------------------------------------------------------------------------


def _median(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None


def _main_numbers(record: PassRecord) -> Row:
    """Return the columns that a person looks for; the exact values are in `data` and `samples`."""
    groups = record.time.groups if record.time else ()
    walls = (
        [repeat.wall for repeat in record.trace.repeats if repeat.version == "b" and not repeat.traced] if record.trace else []
    )
    count = {status: sum(gate.status == status for gate in record.gates) for status in ("passed", "failed", "not run")}
    return {
        "kernel_seconds": _median([seconds for group in groups for seconds in group.b]),
        "reference_seconds": _median([seconds for group in groups for seconds in group.a]),
        "wall_seconds": _median(walls),
        "gates_passed": count["passed"],
        "gates_failed": count["failed"],
        "gates_not_run": count["not run"],
    }


def pass_row(run: int, record: PassRecord) -> Row:
    """Return one pass without its timed rounds, which `sample_rows` gives."""
    kind = next((name for name in DATA_TYPES if getattr(record, name) is not None), None)
    data = getattr(record, kind) if kind else None
    if isinstance(data, TimingData):
        data = msgspec.structs.replace(data, groups=())
    return {
        "run": run,
        "name": record.name,
        "status": record.status,
        "started": record.started,
        "seconds": record.seconds,
        **_main_numbers(record),
        "failure": to_json(record.failure) if record.failure else None,
        "reason": to_json(record.reason) if record.reason else None,
        "kind": kind,
        "data": to_json(spelled(data) if kind == "verify" else data) if kind else None,
        "gates": to_json(spelled(record.gates)),
        "environment": to_json(record.environment) if record.environment else None,
    }


def sample_rows(pass_id: int, timing: TimingData) -> list[Row]:
    """Return the timed rounds, one row for each fresh process; `a` and `b` are JSON lists of seconds."""
    return [
        {
            "pass": pass_id,
            "process": index,
            "a": to_json(group.a),
            "b": to_json(group.b),
            "sm_clock_mhz": to_json(group.sm_clock_mhz),
            "set_aside": group.set_aside,
        }
        for index, group in enumerate(timing.groups)
    ]


def _group_from(row: Row) -> Group:
    seconds = tuple[float, ...]
    return Group(
        from_json(row["a"], seconds),
        from_json(row["b"], seconds),
        from_json(row["sm_clock_mhz"], tuple[int, ...]),
        row["set_aside"],
    )


def pass_from(row: Row, samples: Sequence[Row], environment: Environment | None) -> PassRecord:
    """Return a pass; `samples` are its timed rounds in order."""
    kind = row["kind"]
    data = {kind: from_json(row["data"], DATA_TYPES[kind])} if kind else {}
    if kind == "time":
        data["time"] = msgspec.structs.replace(data["time"], groups=tuple(_group_from(sample) for sample in samples))
    return PassRecord(
        row["name"],
        row["status"],
        row["started"],
        row["seconds"],
        _optional(row["failure"], Failure),
        _optional(row["reason"], Message),
        gates=from_json(row["gates"], tuple[GateResult, ...]),
        environment=environment,
        **data,
    )


def run_from(row: Row, passes: Sequence[PassRecord], environment: Environment) -> Run:
    """Return a run with its passes."""
    return Run(
        row["id"], row["version"], row["device"], row["started"], environment, int(row["seed"]),
        tuple(passes), bool(row["finished"]), row["confirms"],
    )  # fmt: skip


# --- suggestions and traces ----------------------------------------------------------------------------------------


def suggestion_row(suggestion: Suggestion) -> Row:
    """Return a suggestion whole; its id is the table's."""
    row: Row = {
        name: getattr(suggestion, name) for name in suggestion.__struct_fields__ if name not in ("author", "id", "accepted_hunks")
    }
    row["author_kind"], row["author_name"] = suggestion.author.kind, suggestion.author.name
    row["accepted_hunks"] = to_json(suggestion.accepted_hunks)
    return row


def suggestion_from(row: Row) -> Suggestion:
    """Return a suggestion with its id."""
    values = {name: row[name] for name in Suggestion.__struct_fields__ if name in row}
    values["author"] = Author(row["author_kind"], row["author_name"])
    values["accepted_hunks"] = from_json(row["accepted_hunks"], tuple[int, ...])
    return Suggestion(**values)


_COLUMNS = (
    ("start_ns", "start", "<i8"),
    ("duration_ns", "duration", "<i8"),
    ("kind", "kind", "<u1"),
    ("lane", "lane", "<u2"),
    ("name", "name", "<u4"),
)
"""Column of the table, field of the trace, its dtype in the file."""


def trace_row(run: int, side: str, trace: Trace) -> Row:
    """Return a trace: columns as little-endian blobs, times int64 nanoseconds."""
    row: Row = {"run": run, "side": side, "wall_ns": trace.wall, "events": len(trace)}
    row["names"], row["lanes"] = to_json(trace.names), to_json(trace.lanes)
    for column, field, dtype in _COLUMNS:
        row[column] = np.ascontiguousarray(getattr(trace, field), dtype=dtype).tobytes()
    return row


def trace_from(row: Row) -> Trace:
    """Return a trace. Raises ValueError when its columns do not have the length the row tells."""
    arrays = {field: np.frombuffer(row[column], dtype=dtype) for column, field, dtype in _COLUMNS}
    if any(len(array) != row["events"] for array in arrays.values()):
        raise ValueError("a trace's columns differ in length")
    words = tuple[str, ...]
    return Trace(**arrays, names=from_json(row["names"], words), lanes=from_json(row["lanes"], words), wall=row["wall_ns"])
