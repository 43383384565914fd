"""Tensor core cases: c = 2 c + a b of one tile through nvcuda::wmma, with the number of elements that a lane holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.helpers.semantics_inputs import Array, random_words

PAD = 16
"""Elements between one row's end and the next row's start: a stride that is not the width."""
_MEMORY = {
    "half": "f2",
    "__nv_bfloat16": "u2",
    "wmma::precision::tf32": "f4",
    "signed char": "i1",
    "unsigned char": "u1",
    "double": "f8",
}
_SUM = {"float": "f4", "half": "f2", "int": "i4", "double": "f8"}


@dataclass(frozen=True)
class Tile:
    """One multiplication: element type, accumulator, shape, and whether a, b, c lie in memory by rows (r) or columns (c)."""

    element: str
    total: str
    shape: tuple[int, int, int]
    layouts: str

    @property
    def name(self) -> str:
        """For the truth file."""
        return f"{self.element} {self.total} {'x'.join(map(str, self.shape))} {self.layouts}"

    def extents(self) -> list[tuple[int, int]]:
        """Return rows and columns of a, b and c."""
        m, n, k = self.shape
        return [(m, k), (k, n), (m, n)]

    def strides(self) -> list[int]:
        """Return the leading dimensions of a, b and c in elements."""
        return [size[1 if at == "r" else 0] + PAD for size, at in zip(self.extents(), self.layouts, strict=True)]

    def matrices(self) -> list[Array]:
        """Return a, b, c as numbers: small ones, exact in every element type."""
        made = []
        for place, (rows, columns) in enumerate(self.extents()):
            words = random_words(rows * columns, 77 + place).reshape(rows, columns)
            low = 0 if self.element == "unsigned char" else -60
            numbers = (words % np.uint64(121)).astype(np.float64) + low
            made.append(numbers if "char" in self.element else numbers / 16)
        return made

    def memory(self) -> list[Array]:
        """Return a, b, c as they lie in memory, with zeros in the gaps."""
        kinds = [_MEMORY[self.element], _MEMORY[self.element], _SUM[self.total]]
        made: list[Array] = []
        for numbers, at, stride, kind in zip(self.matrices(), self.layouts, self.strides(), kinds, strict=True):
            lines = numbers if at == "r" else numbers.T
            gapped = np.zeros((lines.shape[0], stride))
            gapped[:, : lines.shape[1]] = lines
            bfloat = self.element == "__nv_bfloat16" and len(made) < 2
            made.append((gapped.astype("f4").view("u4") >> 16).astype("u2") if bfloat else gapped.astype(kind))
        return made

    def results(self) -> Array:
        """Return room for the result (laid out like c) and three counts of elements."""
        return np.zeros(self.memory()[2].size + 3, _SUM[self.total])

    def wanted(self) -> Array:
        """Return 2 c + a b in the layout of c, in float64."""
        a, b, c = self.matrices()
        lines = a @ b + 2 * c
        lines = lines if self.layouts[2] == "r" else lines.T
        return np.pad(lines, ((0, 0), (0, PAD))).reshape(-1)

    def source(self) -> str:
        """Return the CUDA source; its kernel is k(results, a, b, c) for one warp."""
        m, n, k = self.shape
        layout = {"r": "wmma::row_major", "c": "wmma::col_major"}
        ending = "mem_row_major" if self.layouts[2] == "r" else "mem_col_major"
        held = "float" if "tf32" in self.element else self.element
        lda, ldb, ldc = self.strides()
        cut = (
            "for (int t = 0; t < f{0}.num_elements; ++t) f{0}.x[t] = wmma::__float_to_tf32(f{0}.x[t]);\n"
            if "tf32" in self.element
            else ""
        )
        size = self.results().size - 3
        return f"""#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k({self.total}* y, const {held}* a, const {held}* b, const {self.total}* c) {{
  wmma::fragment<wmma::matrix_a, {m}, {n}, {k}, {self.element}, {layout[self.layouts[0]]}> fa;
  wmma::fragment<wmma::matrix_b, {m}, {n}, {k}, {self.element}, {layout[self.layouts[1]]}> fb;
  wmma::fragment<wmma::accumulator, {m}, {n}, {k}, {self.total}> fc;
  wmma::load_matrix_sync(fa, a, {lda});
  wmma::load_matrix_sync(fb, b, {ldb});
  wmma::load_matrix_sync(fc, c, {ldc}, wmma::{ending});
  {cut.format("a")}  {cut.format("b")}
  for (int t = 0; t < fc.num_elements; ++t) fc.x[t] = fc.x[t] + fc.x[t];
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(y, fc, {ldc}, wmma::{ending});
  if (threadIdx.x == 0) {{
    y[{size}] = ({self.total})(float)fa.num_elements;
    y[{size + 1}] = ({self.total})(float)fb.num_elements;
    y[{size + 2}] = ({self.total})(float)fc.num_elements;
  }}
}}
"""


def tiles() -> list[Tile]:
    """Return every element type in every shape it has, with each matrix by rows and by columns somewhere."""
    shapes = ((16, 16, 16), (32, 8, 16), (8, 32, 16))
    layouts = ("rcr", "crc", "rrr", "ccc")
    kinds = (("half", "float"), ("half", "half"), ("__nv_bfloat16", "float"), ("signed char", "int"), ("unsigned char", "int"))
    many = [Tile(element, total, shape, layouts[(index + place) % 4]) for index, (element, total) in enumerate(kinds)
            for place, shape in enumerate(shapes)]  # fmt: skip
    tf32 = [Tile("wmma::precision::tf32", "float", (16, 16, 8), layout) for layout in ("rcr", "crc")]
    return [*many, *tf32, Tile("double", "double", (8, 8, 4), "rcc"), Tile("double", "double", (8, 8, 4), "crr")]
