"""What is known about the damage of a file: what could be read, what is lost, and the sentence that says both."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from workbench.texts import Message, message

KEPT = ("project", "versions", "runs", "passes", "samples", "suggestions", "traces")
"""The tables whose rows are records of the user's."""


@dataclass(slots=True)
class Damage:
    """Counts of one open file, filled while it is read; a record is counted once however often it is met."""

    read: int = 0
    missing: int = 0
    incomplete: list[str] = field(default_factory=list)
    _broken: set[tuple[str, object]] = field(default_factory=set)

    def table(self, name: str, read: int, lost: int, whole: bool) -> None:
        """Add what came of one table: rows read, rows known to be lost, and whether it was read to its end."""
        self.read += read
        self.missing += lost
        if not whole:
            self.incomplete.append(name)

    def broken(self, table: str, record: object) -> None:
        """Count a row that was read but whose content makes no sense."""
        self._broken.add((table, record))

    @property
    def lost(self) -> int:
        """Records known to be lost; there may be more in an incomplete table."""
        return self.missing + len(self._broken)

    def sentence(self, path: Path) -> Message:
        """Return what the user is told."""
        if self.read <= len(self._broken):
            return message(
                "The session {path} is damaged and none of its records can be read. "
                "Keep the file, and take a copy from a backup or start a new session.",
                path=str(path),
            )
        read = self.read - len(self._broken)
        tables = ", ".join(self.incomplete)
        if tables and not self.lost:
            return message(
                "The session {path} is damaged and is shown without changing it (records that can be read: {read}; "
                "how many are lost from {tables} is not known). Keep the file, and go on in a new session.",
                path=str(path),
                read=read,
                tables=tables,
            )
        if tables:
            return message(
                "The session {path} is damaged and is shown without changing it (records that can be read: {read}, "
                "known to be lost: {lost}, incomplete: {tables}). Keep the file, and go on in a new session.",
                path=str(path),
                read=read,
                lost=self.lost,
                tables=tables,
            )
        return message(
            "The session {path} is damaged and is shown without changing it (records that can be read: {read}, "
            "known to be lost: {lost}). Keep the file, and go on in a new session.",
            path=str(path),
            read=read,
            lost=self.lost,
        )
