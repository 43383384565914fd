"""The ledger of a session on one device, built from its versions and runs."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.model.device import DeviceInfo
from workbench.model.ledger import Ledger
from workbench.model.project import Project
from workbench.model.run import Run
from workbench.model.version import Version


def build_ledger(
    project: Project | None, versions: Sequence[Version], runs: Sequence[Run], device: str, info: DeviceInfo | None = None
) -> Ledger:
    """Return the ledger of the device with id `device`; title and kind come from the runs, or from `info` where there is none."""
    raise NotImplementedError
