"""Answers of NumPy, SciPy and the standard library for graphs, texts, codes and integers of the agreement set."""

from __future__ import annotations

import hashlib
import zlib

import numpy as np
from scipy.signal import convolve2d
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from tests.helpers.agreement.made import aes_sbox
from tests.helpers.agreement.references_basic import F64, Array, Given, Reference

CODES: dict[str, Reference] = {}


def _code(reference: Reference) -> Reference:
    CODES[reference.__name__] = reference
    return reference


@_code
def bfs_level(g: Given) -> dict[str, Array]:
    starts = np.append(g["g_graph_nodes"][:, 0], 1500)
    graph = csr_array((np.ones(1500), g["g_graph_edges"], starts), shape=(500, 500))
    graph.sum_duplicates()
    steps = shortest_path(graph, unweighted=True, indices=int(g["source"]))
    cost = np.where(np.isinf(steps), -1, steps)
    return {"g_cost": cost.astype(np.int32), "levels": np.array([cost.max() + 1], np.int32)}


@_code
def pagerank_step(g: Given) -> dict[str, Array]:
    rank, degree, damping = g["rank"], g["out_degree"].astype(F64), F64(g["damping"])
    shares = rank[g["sources"]] / degree[g["sources"]]
    into = np.array([shares[a:b].sum() for a, b in zip(g["row_start"], g["row_start"][1:], strict=False)])
    return {"next": (1 - damping) / 400 + damping * rank[degree == 0].sum() / 400 + damping * into}


@_code
def needleman_wunsch(g: Given) -> dict[str, Array]:
    table = np.array([[3, -1, 0, -1], [-1, 3, -1, 0], [0, -1, 3, -1], [-1, 0, -1, 3]])
    matrix, directions = np.zeros((3, 96, 96), np.int16), np.zeros((3, 96, 6), np.uint32)
    for pair in range(3):
        cells = np.zeros((97, 97), np.int64)
        cells[0], cells[:, 0] = -2 * np.arange(97), -2 * np.arange(97)
        for i in range(96):
            for j in range(96):
                match = table[g["first"][pair, i], g["second"][pair, j]]
                choices = (cells[i, j] + match, cells[i, j + 1] - 2, cells[i + 1, j] - 2)
                cells[i + 1, j + 1] = max(choices)
                directions[pair, i, j // 16] |= np.uint32(int(np.argmax(choices)) << j % 16 * 2)
        matrix[pair] = cells[1:, 1:]
    return {"matrix": matrix, "directions": directions}


@_code
def sha256_blocks(g: Given) -> dict[str, Array]:
    pairs = zip(g["messages"], g["lengths"], strict=True)
    digests = b"".join(hashlib.sha256(message[:length].tobytes()).digest() for message, length in pairs)
    return {"digests": np.frombuffer(digests, ">u4").astype(np.uint32).reshape(100, 8)}


@_code
def crc32_table(g: Given) -> dict[str, Array]:
    sums = np.array([zlib.crc32(row.tobytes()) for row in g["data"]], np.uint32)
    return {"checksums": sums, "combined": np.bitwise_xor.reduce(sums.reshape(3, 64), axis=1)}


@_code
def aes_rounds(g: Given) -> dict[str, Array]:
    keys = np.ascontiguousarray(g["keys"]).view(np.uint8).reshape(11, 16)
    state, sbox = np.ascontiguousarray(g["in"]).view(np.uint8).reshape(100, 16) ^ keys[0], aes_sbox()
    doubled = np.array([byte << 1 ^ (0x11B if byte & 0x80 else 0) for byte in range(256)], np.uint8)
    shift = (np.arange(16) + 4 * (np.arange(16) % 4)) % 16
    for number in range(1, 11):
        state = sbox[state[:, shift]]
        if number < 10:
            c = state.reshape(100, 4, 4)
            following = np.roll(c, -1, 2)
            state = (doubled[c] ^ doubled[following] ^ following ^ np.roll(c, -2, 2) ^ np.roll(c, -3, 2)).reshape(100, 16)
        state = state ^ keys[number]
    assert state[0].tobytes().hex() == "3925841d02dc09fbdc118597196a0b32", "FIPS 197, appendix B"
    return {"out": np.ascontiguousarray(state).view(np.uint32)}


@_code
def lz_match(g: Given) -> dict[str, Array]:
    text, matches = g["text"].tobytes(), np.zeros((1000, 2), np.uint16)
    for position in range(1000):
        here, best = text[position : position + 32], (0, 0)
        for distance in range(1, min(128, position) + 1):
            earlier = text[position - distance :]
            length = next((k for k in range(len(here)) if here[k] != earlier[k]), len(here))
            if length > best[1]:
                best = (distance, length)
        matches[position] = best if best[1] >= 3 else (0, 0)
    return {"matches": matches}


@_code
def huffman_pack(g: Given) -> dict[str, Array]:
    bits = "".join(f"{code:0{length}b}" for code, length in g["codes"][g["symbols"]])
    padded = bits.ljust(6400, "0")
    stream = [int(padded[at : at + 32], 2) for at in range(0, 6400, 32)]
    return {"stream": np.array(stream, np.uint32), "bit_count": np.array([len(bits)], np.int32)}


@_code
def life_bitpacked(g: Given) -> dict[str, Array]:
    cells = np.unpackbits(g["cells"].view(np.uint8).reshape(24, 16), axis=1, bitorder="little").astype(np.int64)
    for _ in range(int(g["generations"])):
        count = convolve2d(cells, np.ones((3, 3)), "same", "wrap") - cells
        cells = ((count == 3) | ((count == 2) & (cells == 1))).astype(np.int64)
    return {"cells": np.packbits(cells.astype(np.uint8), axis=1, bitorder="little").view(np.uint32)}


@_code
def kmeans_assign(g: Given) -> dict[str, Array]:
    points, centres = g["data"].T.astype(F64), g["centres"].astype(F64)
    labels = ((points[:, None] - centres[None]) ** 2).sum(-1).argmin(1)
    sums = np.array([points[labels == c].sum(0) for c in range(7)])
    return {"labels": labels.astype(np.int32), "sums": sums, "sizes": np.bincount(labels, minlength=7).astype(np.uint32)}


@_code
def functor_transform(g: Given) -> dict[str, Array]:
    x, which = g["in"].astype(F64), g["which"] % 3
    chosen = np.choose(which, [-x, np.abs(x), np.clip(x, 0, 1)])
    return {"out": 0.5 * (2 * chosen - 1) + 3}


@_code
def printf_report(g: Given) -> dict[str, Array]:
    x = g["x"]
    finite = np.isfinite(x)
    beyond = finite & (np.abs(x) > g["limit"])
    return {"bad": np.array([(~finite).sum(), beyond.sum(), (finite & ~beyond & np.signbit(x)).sum()], np.int32)}


@_code
def pipeline_async(g: Given) -> dict[str, Array]:
    out, last = np.zeros((3, 5, 64)), np.zeros((3, 64))
    for tile in range(5):
        last = 0.75 * last + 0.25 * g["in"][:, tile].astype(F64)
        out[:, tile] = last
    return {"out": out}


@_code
def quicksort_recursive(g: Given) -> dict[str, Array]:
    return {"rows": np.sort(g["rows"], 1)}


@_code
def spin_lock_ledger(g: Given) -> dict[str, Array]:
    accounts, amounts = g["transfers"][:, 0], g["transfers"][:, 1]
    balances = g["balances"].copy()
    np.subtract.at(balances, accounts & 0xFFFFFFFF, amounts)
    np.add.at(balances, accounts >> 32, amounts)
    return {"balances": balances, "locks": np.zeros(20, np.int32)}


@_code
def big_integer_multiply(g: Given) -> dict[str, Array]:
    out, high = [], []
    for a, b in zip(g["a"], g["b"], strict=True):
        product = int.from_bytes(a.tobytes(), "little") * int.from_bytes(b.tobytes(), "little")
        out.append(np.frombuffer(product.to_bytes(64, "little"), np.uint32))
        x = product >> 448
        lowest = (x & -x).bit_length()
        high.append((x * 0x9E3779B97F4A7C15 >> 64) + x.bit_count() + (64 - x.bit_length()) * lowest)
    return {"out": np.array(out), "high": np.array(high, np.uint64)}
