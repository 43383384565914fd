"""Inputs with a structure that no distribution gives: graphs, sparse matrices, texts, boxes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Maker = Callable[[np.random.Generator], dict[str, Array]]
MAKERS: dict[str, Maker] = {}
"""Kernel name -> maker of its arguments whose fill is `made`."""


def maker(make: Maker) -> Maker:
    """Register a maker under its own name, which is the kernel's."""
    MAKERS[make.__name__] = make
    return make


@maker
def segmented_sum_double(rng: np.random.Generator) -> dict[str, Array]:
    """Return offsets of 17 segments, one of them empty."""
    cuts = np.sort(rng.choice(np.arange(1, 1500), 15, replace=False))
    return {"offsets": np.array([0, *cuts[:8], *cuts[7:], 1500], np.int32)}


@maker
def spmv_csr_vector(rng: np.random.Generator) -> dict[str, Array]:
    """Return 960 entries in 120 rows of very different length."""
    lengths = rng.multinomial(960, rng.dirichlet(np.full(120, 0.7)))
    return {"Ap": np.concatenate([[0], np.cumsum(lengths)]), "Aj": rng.integers(0, 120, 960)}


@maker
def spmv_ell(rng: np.random.Generator) -> dict[str, Array]:
    """Return columns by slot; a row ends at -1."""
    columns = rng.integers(0, 150, (7, 160))
    lengths = rng.integers(0, 8, 160)
    columns[np.arange(7)[:, None] >= lengths] = -1
    return {"columns": columns}


@maker
def lu_in_block(rng: np.random.Generator) -> dict[str, Array]:
    """Return matrices whose diagonal dominates, so that no pivoting is needed."""
    return {"matrices": rng.uniform(-1, 1, (5, 24, 24)) + 24 * np.eye(24)}


@maker
def floyd_warshall_tile(rng: np.random.Generator) -> dict[str, Array]:
    """Return graphs with a fifth of the edges; 0 stands for none. Distinct sums make the predecessor unique in practice."""
    return {"weights": np.where(rng.random((2, 32, 32)) < 0.2, rng.integers(1, 100000, (2, 32, 32)), 0)}


@maker
def maxpool_with_index(rng: np.random.Generator) -> dict[str, Array]:
    """Return images with two NaN."""
    bottom = rng.standard_normal((2, 3, 13, 15))
    bottom[0, 1, 4, 5] = bottom[1, 2, 12, 14] = np.nan
    return {"bottom": bottom}


@maker
def nms_bitmask(rng: np.random.Generator) -> dict[str, Array]:
    """Return boxes (left, top, right, bottom) that overlap in clusters."""
    centres = rng.uniform(0, 100, (15, 2)).repeat(10, 0) + rng.normal(0, 4, (150, 2))
    half = rng.uniform(4, 14, (150, 2))
    return {"dev_boxes": np.concatenate([centres - half, centres + half], 1)}


@maker
def lattice_boltzmann(rng: np.random.Generator) -> dict[str, Array]:
    """Return walls above and below and a few solid cells between."""
    solid = rng.random((25, 40)) < 0.08
    solid[[0, -1]] = True
    return {"solid": solid}


@maker
def bfs_level(rng: np.random.Generator) -> dict[str, Array]:
    """Return a directed graph of 500 nodes, first edge and count of each, with nodes that nobody reaches."""
    counts = rng.multinomial(1500, rng.dirichlet(np.full(500, 2.0)))
    starts = np.cumsum(counts) - counts
    return {"g_graph_nodes": np.stack([starts, counts], 1), "g_graph_edges": rng.integers(0, 480, 1500)}


@maker
def pagerank_step(rng: np.random.Generator) -> dict[str, Array]:
    """Return a graph of 400 pages and 1600 links by target; some pages have no link at all."""
    sources, targets = rng.integers(0, 380, 1600), np.sort(rng.integers(0, 400, 1600))
    row_start = np.searchsorted(targets, np.arange(401))
    return {"row_start": row_start, "sources": sources, "out_degree": np.bincount(sources, minlength=400)}


@maker
def aes_rounds(rng: np.random.Generator) -> dict[str, Array]:
    """Return the example of FIPS 197, appendix B, as the first block and key; further blocks at random."""
    plain, key = bytes.fromhex("3243f6a8885a308d313198a2e0370734"), bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    blocks = rng.integers(0, 1 << 32, (100, 4), dtype=np.uint64).astype(np.uint32)
    blocks[0] = np.frombuffer(plain, "<u4")
    return {"in": blocks, "keys": aes_keys(key)}


def aes_sbox() -> Array:
    """Return the substitution of FIPS 197 by its definition: the inverse in GF(2^8), then the affine map."""
    log, power, value = [0] * 256, [0] * 255, 1
    for exponent in range(255):
        power[exponent], log[value] = value, exponent
        value ^= (value << 1) ^ (0x11B if value & 0x80 else 0)
    inverse = [0, *(power[-log[byte] % 255] for byte in range(1, 256))]
    turned = [[(byte << shift | byte >> (8 - shift)) & 255 for shift in range(5)] for byte in inverse]
    return np.array([a ^ b ^ c ^ d ^ e ^ 0x63 for a, b, c, d, e in turned], np.uint8)


def aes_keys(key: bytes) -> Array:
    """Return the eleven round keys of a 128-bit key as little-endian words."""
    sbox, words, constant = aes_sbox(), [key[4 * i : 4 * i + 4] for i in range(4)], 1
    for index in range(4, 44):
        word = words[-1]
        if index % 4 == 0:
            word = bytes(int(sbox[byte]) for byte in word[1:] + word[:1])
            word = bytes([word[0] ^ constant]) + word[1:]
            constant = constant << 1 ^ (0x11B if constant & 0x80 else 0)
        words.append(bytes(a ^ b for a, b in zip(word, words[-4], strict=True)))
    return np.frombuffer(b"".join(words), "<u4").reshape(11, 4)


@maker
def huffman_pack(rng: np.random.Generator) -> dict[str, Array]:
    """Return prefix-free codes of 40 symbols: as many ones as the group's number, a zero, three bits inside the group."""
    codes = [(((1 << group) - 1) << 4 | inside, group + 4) for group in range(5) for inside in range(8)]
    return {"codes": np.array(codes)[rng.permutation(40)]}


@maker
def printf_report(rng: np.random.Generator) -> dict[str, Array]:
    """Return values with one NaN and one infinity."""
    x = rng.standard_normal(100)
    x[[17, 71]] = np.nan, -np.inf
    return {"x": x}


@maker
def spin_lock_ledger(rng: np.random.Generator) -> dict[str, Array]:
    """Return transfers: two accounts in the halves of the first word, and the amount."""
    accounts = rng.integers(0, 20, (250, 2))
    return {"transfers": np.stack([accounts[:, 0] | accounts[:, 1] << 32, rng.integers(1, 1000, 250)], 1)}
