"""NumPy's answers for selection and linear algebra in the agreement set."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, shortest_path

from tests.helpers.agreement.references_basic import F64, Array, Given, Reference

ALGEBRA: dict[str, Reference] = {}


def _algebra(reference: Reference) -> Reference:
    ALGEBRA[reference.__name__] = reference
    return reference


@_algebra
def compact_ballot(g: Given) -> dict[str, Array]:
    out, index, kept = np.zeros(1024, np.float32), np.zeros(1024, np.int32), np.zeros(4, np.int32)
    for block in range(4):
        part = np.flatnonzero(g["in"][256 * block : 256 * (block + 1)] > g["threshold"]) + 256 * block
        out[256 * block :][: part.size], index[256 * block :][: part.size] = g["in"][part], part
        kept[block] = part.size
    return {"out": out, "out_index": index, "kept": kept}


@_algebra
def filter_coalesced_group(g: Given) -> dict[str, Array]:
    values = g["values"]
    even = int(np.count_nonzero(values % 2 == 0))
    bits = (values.reshape(100, 8) & 1) << np.arange(8)
    return {
        "negative": np.array([np.count_nonzero(values < 0)], np.int32),
        "even": np.array([even], np.int32),
        "handed_out": (np.arange(800) < even).astype(np.int32),
        "votes": bits.sum(1).astype(np.uint32),
    }


@_algebra
def topk_rows(g: Given) -> dict[str, Array]:
    columns = np.argsort(-g["scores"], 1, kind="stable")[:, :5]
    return {"values": np.take_along_axis(g["scores"], columns, 1), "columns": columns.astype(np.int32)}


@_algebra
def argmax_packed_atomic(g: Given) -> dict[str, Array]:
    column = g["x"].argmax(1)
    bits = np.take_along_axis(g["x"], column[:, None], 1)[:, 0].view(np.uint32).astype(np.uint64)
    assert (bits < 1 << 31).all(), "every row's largest value is positive"
    return {"best": (bits | np.uint64(1 << 31)) << np.uint64(32) | (~column.astype(np.uint32)).astype(np.uint64)}


@_algebra
def segmented_sum_double(g: Given) -> dict[str, Array]:
    return {"sums": np.diff(np.concatenate([[0], np.cumsum(g["values"])])[g["offsets"]])}


@_algebra
def matmul_tiled(g: Given) -> dict[str, Array]:
    product = g["A"].astype(F64) @ g["B"].astype(F64)
    return {"C": F64(g["alpha"]) * product + F64(g["beta"]) * g["C"].astype(F64)}


@_algebra
def matmul_register_blocked(g: Given) -> dict[str, Array]:
    return {"C": g["A"].astype(F64) @ g["B"].astype(F64)}


@_algebra
def matmul_wmma(g: Given) -> dict[str, Array]:
    product = g["a"].astype(F64) @ g["b"].astype(F64).T
    return {"d": F64(g["alpha"]) * product + F64(g["beta"]) * g["c"].astype(F64)}


@_algebra
def gemv_half_warp(g: Given) -> dict[str, Array]:
    return {"y": g["weights"].astype(F64) @ g["x"].astype(F64)}


@_algebra
def transpose_padded(g: Given) -> dict[str, Array]:
    return {"odata": np.ascontiguousarray(g["idata"].T)}


@_algebra
def spmv_csr_vector(g: Given) -> dict[str, Array]:
    matrix = csr_array((g["Ax"].astype(F64), g["Aj"], g["Ap"]), shape=(120, 120))
    return {"y": matrix @ g["x"].astype(F64)}


@_algebra
def spmv_ell(g: Given) -> dict[str, Array]:
    columns, values = g["columns"][:, :150], g["values"][:, :150].astype(F64)
    return {"y": np.where(columns >= 0, values * g["x"].astype(F64)[columns], 0).sum(0)}


@_algebra
def lu_in_block(g: Given) -> dict[str, Array]:
    m = g["matrices"].astype(F64)
    for k in range(23):
        m[:, k + 1 :, k] /= m[:, k, k, None]
        m[:, k + 1 :, k + 1 :] -= m[:, k + 1 :, k, None] * m[:, None, k, k + 1 :]
    return {"matrices": m}


@_algebra
def gemm_int8_dp4a(g: Given) -> dict[str, Array]:
    sums = g["a"].astype(np.int64) @ g["b"].astype(np.int64).T + g["bias"]
    scaled = np.rint(sums.astype(np.float32) * g["scales"]).astype(np.int64) + int(g["zero_point"])
    return {"out": np.clip(scaled, -128, 127).astype(np.int8)}


@_algebra
def floyd_warshall_tile(g: Given) -> dict[str, Array]:
    distances, previous = [], []
    for weights in g["weights"]:
        found, before = shortest_path(weights.astype(F64) * (1 - np.eye(32)), return_predecessors=True)
        distances.append(np.where(np.isinf(found), 1 << 28, found))
        previous.append(np.where(before < 0, -1, before))
    return {"distances": np.array(distances).astype(np.int32), "previous": np.array(previous).astype(np.int32)}


@_algebra
def union_find(g: Given) -> dict[str, Array]:
    ones = np.ones(300)
    _, label = connected_components(coo_array((ones, (g["edges"][:, 0], g["edges"][:, 1])), shape=(400, 400)), directed=False)
    smallest = np.full(400, 400)
    np.minimum.at(smallest, label, np.arange(400))
    return {"label": smallest[label].astype(np.int32)}
