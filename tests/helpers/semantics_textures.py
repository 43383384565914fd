"""Texture cases: one picture read at many places, by address mode, filter, coordinates and kind of value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tests.helpers.semantics_inputs import Array, random_words

Address = Literal["clamp", "border", "wrap", "mirror"]


@dataclass(frozen=True)
class Fetch:
    """One texture and one function that reads it. `shape` is the array's, slowest dimension first, without the channels."""

    shape: tuple[int, ...]
    dtype: str
    channels: int = 1
    address: Address = "clamp"
    linear: bool = False
    normalised_coordinates: bool = False
    normalised_values: bool = False
    by_index: bool = False

    @property
    def name(self) -> str:
        """For the truth file."""
        words = ["texture", "x".join(map(str, self.shape)), f"{self.dtype}x{self.channels}", self.address]
        flags = {
            "linear": self.linear,
            "unit": self.normalised_coordinates,
            "values": self.normalised_values,
            "index": self.by_index,
        }
        return " ".join([*words, *(word for word, on in flags.items() if on)])

    @property
    def gives(self) -> str:
        """The dtype of a result's channels."""
        return "float32" if self.normalised_values else self.dtype

    def data(self) -> Array:
        """Return the texture's values, channels last."""
        words = random_words(int(np.prod(self.shape)) * self.channels, 5).reshape(*self.shape, self.channels)
        if self.dtype == "float32":
            return ((words % np.uint64(2001)).astype(np.float64) / 100 - 10).astype(np.float32)
        return words.astype(self.dtype)

    def places(self) -> Array:
        """Return the coordinates to read at, x first: texel centres and edges, outside, and anywhere between (float32 rows)."""
        rows = []
        for place, size in enumerate(reversed(self.shape)):
            grid = np.concatenate(
                [np.arange(-6, 2 * size + 6) / 2, np.arange(0, 257) / 256 + 1, [-1e6, 1e6, -0.0, size, 2 * size, -size]]
            )
            drawn = (random_words(1200, 40 + place) >> np.uint64(40)).astype(np.float64) / 2**24 * (3 * size) - size
            values = np.concatenate([np.resize(grid, 700), drawn])
            rows.append(np.floor(values) if self.by_index else values / size if self.normalised_coordinates else values)
        if len(rows) > 1:  # every pair of grid places would be too many: shift one against the other
            rows[1:] = [np.roll(row, 7 * place) for place, row in enumerate(rows[1:], 1)]
        return np.array(rows).astype(np.int32 if self.by_index else np.float32)

    def source(self) -> str:
        """Return the CUDA source; its kernel is k(results, texture, coordinates..., count)."""
        kind = {"float32": "float", "uint8": "uchar", "uint16": "ushort", "uint32": "uint"}[self.gives]
        plain = {"float": "float", "uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned"}[kind]
        value = plain if self.channels == 1 else f"{kind}{self.channels}"
        axes = "xyz"[: len(self.shape)]
        function = "tex1Dfetch" if self.by_index else f"tex{len(axes)}D"
        at = "int" if self.by_index else "float"
        parameters = "".join(f"const {at}* {axis}, " for axis in axes)
        return (
            f'extern "C" __global__ void k({value}* out, cudaTextureObject_t texture, {parameters}int n) {{\n'
            "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            f"  if (i < n) out[i] = {function}<{value}>(texture, {', '.join(f'{axis}[i]' for axis in axes)});\n}}\n"
        )


def fetches() -> list[Fetch]:
    """Return the cases."""
    picture = (13, 17)
    return [
        *(Fetch(picture, "float32", address=address) for address in ("clamp", "border")),
        *(Fetch(picture, "float32", address=address, linear=True) for address in ("clamp", "border")),
        *(Fetch(picture, "float32", address=address, linear=linear, normalised_coordinates=True)
          for address in ("clamp", "border", "wrap", "mirror") for linear in (False, True)),
        Fetch(picture, "uint8", channels=4), Fetch(picture, "uint16", channels=2), Fetch(picture, "uint32"),
        Fetch(picture, "uint8", channels=4, linear=True, normalised_values=True),
        Fetch(picture, "uint16", normalised_values=True),
        Fetch(picture, "float32", channels=4, linear=True),
        Fetch((37,), "float32"), Fetch((37,), "float32", linear=True), Fetch((5, 6, 7), "float32"),
        Fetch((37,), "float32", by_index=True), Fetch((37,), "uint8", channels=4, by_index=True, normalised_values=True),
        Fetch((5, 6, 7), "float32", linear=True),
        Fetch((5, 6, 7), "float32", linear=True, normalised_coordinates=True, address="wrap"),
    ]  # fmt: skip
