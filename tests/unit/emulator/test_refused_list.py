"""The printed list of what the emulator refuses names everything that its code refuses."""

from __future__ import annotations

import re

import pytest

import resources
from plugins.emulator.refusals import WHAT

LIST = resources.path("emulator/NOT_GPU_LIKE.md").read_text(encoding="utf-8").split("## Refused", 1)[1].split("\n## ", 1)[0]
_IN_HEADERS = re.compile(r'"LEDGER_REFUSED: ([^"(]+)')


@pytest.mark.parametrize("what", sorted(set(WHAT.values())))
def test_what_is_refused_by_a_word_stands_in_the_list(what: str) -> None:
    assert what in LIST


def test_what_the_headers_refuse_stands_in_the_list() -> None:
    headers = [path.read_text(encoding="utf-8") for path in resources.path("emulator").glob("*.h")]
    refused = {found.strip() for text in headers for found in _IN_HEADERS.findall(text)}
    assert "synchronising the whole grid" in refused
    assert {what for what in refused if what not in LIST} == set()
