"""What a GPU gave for the agreement set: `truth.npz` (results by `KERNEL/ARGUMENT`) and `truth.json` (how they were made)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from tests.helpers.agreement.index import FOLDER, Entry

Array = npt.NDArray[Any]


class Measured(msgspec.Struct, frozen=True):
    """How one kernel went. `identity` is the entry's at that time; `error` is empty for a result that is kept.

    `repeatable` says that a second run from a fresh module gave the same bits.
    """

    identity: str
    compiler: str = ""
    error: str = ""
    repeatable: bool = True


class Truth(msgspec.Struct, frozen=True):
    """One measurement of the set: device, date (ISO 8601), environment, and each kernel."""

    device: str
    date: str
    environment: Mapping[str, str]
    kernels: Mapping[str, Measured]


def read_truth(folder: Path = FOLDER) -> Truth:
    """Return the description of the truth. Raises FileNotFoundError where nothing was measured yet."""
    return msgspec.json.decode((folder / "truth.json").read_bytes(), type=Truth)


def read_results(entry: Entry, folder: Path = FOLDER) -> dict[str, Array]:
    """Return what the GPU gave for one kernel, by argument."""
    with np.load(folder / "truth.npz") as kept:
        names = [name for name in kept.files if name.startswith(f"{entry.name}/")]
        return {name.partition("/")[2]: kept[name] for name in names}


def write_truth(folder: Path, truth: Truth, results: Mapping[str, Mapping[str, Array]]) -> None:
    """Write both files into a folder."""
    flat = {f"{kernel}/{name}": array for kernel, arrays in results.items() for name, array in arrays.items()}
    np.savez_compressed(folder / "truth.npz", **flat)  # type: ignore[arg-type]  # numpy's stub has allow_pickle among the names
    (folder / "truth.json").write_bytes(msgspec.json.format(msgspec.json.encode(truth)) + b"\n")
