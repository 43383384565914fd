"""README shows what was measured, and nothing else."""

from __future__ import annotations

import re

from tests.helpers import access_table, fault_table
from tests.helpers.readme_table import ROOT, between, made

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_is_that_of_the_shipped_session() -> None:
    assert between(README) == made()


def test_the_table_of_faults_is_that_of_the_measurement() -> None:
    assert fault_table.between(README) == fault_table.short_form()
    assert fault_table.between(fault_table.DOCUMENT.read_text(encoding="utf-8")) == fault_table.long_form()


def test_the_line_of_memory_access_counts_the_page() -> None:
    assert access_table.between(README) == access_table.line(access_table.PAGE.read_text(encoding="utf-8"))


def test_every_picture_and_document_it_names_is_there() -> None:
    named = [path for path in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in path]
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
