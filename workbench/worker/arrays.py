"""Arrays that cross a process boundary on one host: files in a private arena (see `arena`)."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
HOST_DTYPES = {"bfloat16": "uint16"}
"""NumPy has no bfloat16: such arrays are carried as their 16 bits."""


class ArrayRef(msgspec.Struct, frozen=True):
    """An array in the arena: file, dtype name (NumPy's) and shape, C order."""

    path: str
    dtype: str
    shape: tuple[int, ...]


def host_dtype(dtype: str) -> np.dtype[Any]:
    """Return the NumPy dtype that carries a project's dtype."""
    return np.dtype(HOST_DTYPES.get(dtype, dtype))


def put(arena: Path, array: Array) -> ArrayRef:
    """Write an array into the arena under a fresh name. Raises OSError when it is full."""
    array = np.ascontiguousarray(array)
    handle, name = tempfile.mkstemp(dir=arena)
    with os.fdopen(handle, "wb") as file:
        array.reshape(-1).tofile(file)
    return ArrayRef(name, array.dtype.str, array.shape)


def get(ref: ArrayRef) -> Array:
    """Return a private, writable view of an array in the arena (copy on write)."""
    if 0 in ref.shape:
        return np.zeros(ref.shape, ref.dtype)
    return np.memmap(ref.path, dtype=ref.dtype, mode="c", shape=ref.shape)


def drop(ref: ArrayRef) -> None:
    """Remove an array from the arena; views already made stay valid."""
    Path(ref.path).unlink(missing_ok=True)
