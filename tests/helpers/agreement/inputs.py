"""The arguments of an agreement kernel, made from its index entry: the same bytes on every machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.helpers.agreement.index import Argument, Entry
from tests.helpers.agreement.made import MAKERS

Array = npt.NDArray[Any]
Given = Mapping[str, Array]
_SIMPLE: Mapping[str, Callable[[np.random.Generator, int], Array]] = {
    "normal": lambda rng, count: rng.standard_normal(count),
    "permutation": lambda rng, count: rng.permutation(count),
    "zeros": lambda _, count: np.zeros(count),
    "ones": lambda _, count: np.ones(count),
    "arange": lambda _, count: np.arange(count),
}
POISON = 0xA5
"""What the bytes of an output are before the launch."""


def storage(dtype: str) -> np.dtype[Any]:
    """Return how NumPy carries a dtype of the index: bfloat16 as its bits, a texture as its float32 texels."""
    return np.dtype({"bfloat16": "uint16", "texture": "float32"}.get(dtype, dtype))


def to_bfloat16(values: Array) -> Array:
    """Round to bfloat16, nearest even, as uint16 bits; for finite values."""
    words = np.ascontiguousarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((words + 0x7FFF + ((words >> 16) & 1)) >> 16).astype(np.uint16)


def as_real(values: Array, dtype: str) -> Array:
    """Return values of an index dtype in float64."""
    if dtype == "bfloat16":
        return (values.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return values.astype(np.float64)


def make_arguments(entry: Entry) -> dict[str, Array]:
    """Return every argument by name: arrays, and scalars as arrays without a dimension (structures as records)."""
    made = MAKERS[entry.name](np.random.Generator(np.random.PCG64(entry.seed))) if entry.name in MAKERS else {}
    return {argument.name: _make(entry, argument, position, made) for position, argument in enumerate(entry.arguments)}


def _make(entry: Entry, argument: Argument, position: int, made: Mapping[str, Array]) -> Array:
    if not argument.shape:
        return _scalar(argument)
    kind, count = storage(argument.dtype), int(np.prod(argument.shape))
    if argument.fill == "made":
        values = np.ascontiguousarray(made[argument.name], kind)
        if values.shape != argument.shape:
            raise ValueError(f"{entry.name}: {argument.name} was made with shape {values.shape}, not {argument.shape}")
        return values
    if not argument.fill:
        return np.full(count * kind.itemsize, POISON, np.uint8).view(kind).reshape(argument.shape)
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([entry.seed, position])))
    values = _draw(rng, argument, count)
    values = to_bfloat16(values) if argument.dtype == "bfloat16" else values.astype(kind)
    return values.reshape(argument.shape)


def _draw(rng: np.random.Generator, argument: Argument, count: int) -> Array:
    limits: Sequence[float] = argument.limits
    if argument.fill == "uniform":
        return rng.uniform(limits[0], limits[1], count)
    if argument.fill == "integers":
        return rng.integers(int(limits[0]), int(limits[1]), count, dtype=np.int64)
    return np.asarray(_SIMPLE[argument.fill](rng, count))


def _scalar(argument: Argument) -> Array:
    if argument.dtype != "struct":
        return np.array(float(argument.value) if "." in argument.value else int(argument.value, 0), argument.dtype)
    parts = [part.split() for part in argument.value.split(",")]
    record = np.dtype([(f"f{index}", kind) for index, (kind, _) in enumerate(parts)], align=True)
    return np.array(tuple(float(text) if "." in text else int(text, 0) for _, text in parts), record)


def results(entry: Entry, after: Mapping[str, Array]) -> dict[str, Array]:
    """Return what the kernel wrote, by name."""
    return {argument.name: after[argument.name] for argument in entry.arguments if argument.is_result}
