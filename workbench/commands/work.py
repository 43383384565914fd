"""What one run works on: shared by its passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from workbench.commands.context import Context, Progress
from workbench.model.device import DeviceInfo
from workbench.model.failure import Failure
from workbench.model.project import Project
from workbench.model.run import PassName, PassRecord
from workbench.model.version import Version
from workbench.paths import cache_folder
from workbench.texts import Message
from workbench.worker.protocol import Binary


@dataclass(frozen=True)
class Work:
    """A version on a device beside its baseline, with what every pass needs."""

    context: Context
    project: Project
    device: DeviceInfo
    version: Version
    baseline: Version
    seed: int
    rounds: int
    progress: Progress
    binaries: dict[str, Binary]
    """Version hash -> what the compile pass made."""
    baseline_error: float | None = None
    """The baseline's own error against float64 on this device, from its last verification."""
    baseline_fault: Failure | None = None
    """Why the baseline's own verification on this device failed, None where it did not."""

    @property
    def is_baseline(self) -> bool:
        """True when the version is the baseline itself."""
        return self.version.hash == self.baseline.hash

    @property
    def sizes(self) -> Mapping[str, int]:
        """The usual sizes on this device."""
        return self.project.default_sizes(self.device.kind)

    @property
    def tolerances(self) -> dict[str, tuple[float, float]]:
        """Output -> (relative, absolute) of the project's tolerance for its dtype."""
        tolerance = self.project.tolerance
        return {output.name: (tolerance.relative_for(output.dtype), tolerance.absolute) for output in self.project.outputs}


def compile_folder() -> Path:
    """Return where compiled versions are kept by content."""
    return cache_folder() / "compiled"


def now() -> str:
    """Return the time in UTC as ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def not_run(name: PassName, reason: Message) -> PassRecord:
    """Return the record of a pass that did not take place."""
    return PassRecord(name, "not run", now(), 0.0, reason=reason)


def free_name(stem: str, taken: set[str], first: int = 1) -> str:
    """Return `stem` with the first number from `first` on that no version bears yet."""
    number = first
    while f"{stem} {number}" in taken:
        number += 1
    return f"{stem} {number}"
