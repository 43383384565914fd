"""An answer, as text, becomes proposed edits with their hypothesis. Nothing is looked up in any file here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from workbench.model.edit import ProposedEdit, Reply, Row
from workbench.suggest.read_blocks import has_blocks, is_block_start, read_blocks
from workbench.suggest.read_diff import has_diff, read_diff
from workbench.suggest.segments import Segment, split_answer
from workbench.texts import Message, message

_LABEL = re.compile(
    r"^\W*(?P<label>hypothesis|(?:profiler |confirming )?metric)\W*?[:：]\s*[*_`]*\s*(?P<text>.*?)\s*$", re.IGNORECASE
)
_CODE = re.compile(r"__global__|@triton\.jit|#include\b|\{.*;|;\s*\}", re.DOTALL)
_NOT_SOURCE = re.compile(
    r"(?:bash|sh|shell|console|zsh|powershell|json|yaml|toml|ini|log|output|make|cmake|latex|mermaid|csv|xml|html|sql)$"
)
_SOURCE_START = re.compile(
    r"^(?:#(?:include|pragma|define|ifndef|if)\b|//|/\*|extern\b|template\b|__global__|static\b|import |from |@triton)"
)


CUT_MARK = "\n<!-- kernel-ledger: the answer was cut off here -->\n"
"""Put after an answer whose advisor said that it was cut off, so that a kept answer still tells."""


def read_reply(text: str, *, truncated: bool = False) -> Reply:
    """Return what an answer proposes. `truncated` says that the advisor itself reported a cut-off answer.

    Reads unified diffs, `*** Begin Patch`, search/replace blocks and whole files in fences; several files; nested fences.
    """
    truncated = truncated or CUT_MARK.strip() in text
    segments = split_answer(text.replace(CUT_MARK, "").replace(CUT_MARK.strip(), ""))
    edits: list[ProposedEdit] = []
    wholes: list[ProposedEdit] = []
    for segment in segments:
        if has_blocks(segment.lines):
            edits += read_blocks(segment)
        elif has_diff(segment):
            edits += read_diff(segment)
        elif _is_whole_file(segment, alone=len(segments) == 1):
            wholes.append(_whole_file(segment))
    notices: list[Message] = []
    if edits and wholes:
        notices.append(message("The answer also shows whole code blocks; its edits were used and those blocks were not."))
    chosen = edits or wholes
    cut = truncated or any(not segment.closed for segment in segments)
    if cut:
        notices.append(message("The answer looks cut off at its end: look closely before accepting anything, or ask again."))
        chosen = _distrust(chosen, last_cut=truncated and not segments[-1].fenced)
    hypothesis, metric = _labels(segments)
    return Reply(tuple(chosen), hypothesis, metric, cut, "\r\n" in text, tuple(notices))


def _distrust(edits: Sequence[ProposedEdit], *, last_cut: bool) -> list[ProposedEdit]:
    """In a cut-off answer nothing is applied unasked; an unfenced edit at its very end is refused."""
    doubtful = [msgspec.structs.replace(edit, doubtful=True) for edit in edits]
    if last_cut and doubtful and doubtful[-1].kind != "search-replace" and doubtful[-1].refusal is None:
        refusal = message(
            "This edit stands at the end of an answer that was cut off; ask again or raise the limit on its length."
        )
        doubtful[-1] = msgspec.structs.replace(doubtful[-1], refusal=refusal)
    return doubtful


def _is_whole_file(segment: Segment, *, alone: bool) -> bool:
    """A fence with code; or an answer that is nothing but a source file."""
    body = "\n".join(segment.lines)
    if segment.fenced:
        return not _NOT_SOURCE.match(segment.language) and bool(_CODE.search(body))
    first = next((line for line in segment.lines if line.strip()), "")
    return alone and bool(_SOURCE_START.match(first)) and ("__global__" in body or "@triton.jit" in body)


def _whole_file(segment: Segment) -> ProposedEdit:
    rows: tuple[Row, ...] = tuple(("+", line) for line in segment.lines)
    refusal = None
    if not segment.closed:
        refusal = message(
            "The code block is never closed: the answer looks truncated, and half a kernel never replaces the file; ask again."
        )
    return ProposedEdit("whole-file", (rows,), segment.file, segment.title, doubtful=True, refusal=refusal)


def _labels(segments: Iterable[Segment]) -> tuple[str, str]:
    """Return the texts after `Hypothesis:` and `Metric:`, each up to the next empty line, label or edit."""
    found: dict[str, list[str]] = {}
    for segment in segments:
        if segment.fenced:
            continue
        current: list[str] | None = None
        for line in segment.lines:
            label = _LABEL.match(line)
            if label:
                key = "metric" if label["label"].lower().endswith("metric") else "hypothesis"
                current = found.setdefault(key, [])
                if current:
                    current = None
                else:
                    current.append(label["text"])
            elif not line.strip() or is_block_start(line) or line.startswith(("@@", "--- ", "*** ")):
                current = None
            elif current is not None:
                current.append(line.strip())
    hypothesis, metric = (" ".join(part for part in found.get(key, []) if part) for key in ("hypothesis", "metric"))
    return hypothesis.strip(), metric.strip().strip("`*_")
