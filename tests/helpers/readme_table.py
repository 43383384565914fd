"""README's table of the session that was measured on an H200, made from the session: no number in it is written by hand.

python -m tests.helpers.readme_table      writes it between the marks
"""

from __future__ import annotations

from pathlib import Path

import resources
from workbench.commands.report import report_document
from workbench.engine import open_session
from workbench.reports.as_markdown import as_markdown

ROOT = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- H200-TABLE: made by python -m tests.helpers.readme_table -->", "<!-- /H200-TABLE -->"
KEPT = ("GPU", "Device", "Driver", "CUDA driver", "CuPy", "SM clock", "Processor", "Date")


def made() -> str:
    """Return the ledger, the account and the environment's main facts as Markdown."""
    store = open_session(resources.path("demos/image-preprocess/h200.db"), False)
    try:
        text = as_markdown(report_document(store, None))
    finally:
        store.close()
    result = text.split("\n## ", 1)[0].split("\n\n", 1)[1].strip()
    parts = dict(part.split("\n", 1) for part in text.split("\n## ")[1:])
    facts = [line for line in parts["Environment"].splitlines() if line.split("|")[1:2] and line.split("|")[1].strip() in KEPT]
    where = "Measured on: " + ", ".join(" ".join(cell.strip() for cell in line.split("|")[1:3]) for line in facts) + "."
    return "\n\n".join((result, _with_drift(parts["Ledger"].strip(), parts["Method"]), parts["The account"].strip(), where))


def _with_drift(ledger: str, method: str) -> str:
    """Return the ledger with the method's line on the host's drift, without which its times and gains seem to clash."""
    return "\n".join((ledger, *(line for line in method.splitlines() if "drifted between runs" in line)))


def between(text: str) -> str:
    """Return what stands between the marks."""
    return text.split(BEGIN, 1)[1].split(END, 1)[0].strip()


def main() -> None:
    """Write the table into README.md."""
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    readme.write_text(f"{head}{BEGIN}\n\n{made()}\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
