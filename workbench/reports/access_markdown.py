"""The memory access section of the Markdown report."""

from __future__ import annotations

from workbench import units
from workbench.reports.access_blocks import AccessRow, MemoryAccess
from workbench.reports.access_words import ARRAY_HEADS, HEADS, array_numbers, numbers, title
from workbench.reports.markdown_table import table, text
from workbench.texts import tr


def access_section(entry: MemoryAccess) -> list[str]:
    """Return the section's parts."""
    parts = [f"## {text(tr('Memory access of {name}').format(name=entry.name))}", str(entry.traced)]
    parts.append(table([tr(head) for head in (*HEADS, "source")], (_cells(row) for row in entry.rows)))
    if entry.machine:
        parts.append("- " + tr("Compared with {list}.").format(list=entry.machine))
    parts += [f"- {text(str(note))}" for note in (*entry.reasons, *entry.notes)]
    if entry.arrays:
        parts += [f"### {tr('Arrays')}"]
        rows = ([array.name, *array_numbers(array)] for array in entry.arrays)
        parts.append(table([tr(head) for head in ARRAY_HEADS], rows))
    if entry.cache is not None:
        parts.append(f"- {entry.cache}")
    totals = ((name, units.MISSING if value is None else units.count(value)) for name, value in entry.totals.items())
    return [*parts, f"### {tr('Totals')}", table((tr("metric"), tr("value")), totals)] if entry.totals else parts


def _cells(row: AccessRow) -> list[str]:
    return [str(row.line), title(row), *numbers(row), tr(row.exactness), row.text]
