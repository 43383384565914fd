"""NumPy's answers for the elementwise kernels, reductions, scans and sorts of the agreement set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import erf

Array = npt.NDArray[Any]
Given = Mapping[str, Array]
Reference = Callable[[Given], dict[str, Array]]
BASIC: dict[str, Reference] = {}
F64 = np.float64


def _basic(reference: Reference) -> Reference:
    BASIC[reference.__name__] = reference
    return reference


@_basic
def saxpy_grid_stride(g: Given) -> dict[str, Array]:
    return {"y": F64(g["a"]) * g["x"].astype(F64) + g["y"].astype(F64)}


@_basic
def gelu_half2(g: Given) -> dict[str, Array]:
    x = g["in"].astype(F64)
    return {"out": 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))}


@_basic
def rgba_to_yuv(g: Given) -> dict[str, Array]:
    image = g["src"].astype(np.int64)
    r, green, b = image[..., 0], image[..., 1], image[..., 2]
    y = ((66 * r + 129 * green + 25 * b + 128) >> 8) + 16
    u = ((-38 * r - 74 * green + 112 * b + 128) >> 8) + 128
    v = ((112 * r - 94 * green - 18 * b + 128) >> 8) + 128
    found = {"luma": np.clip(y, 0, 255).astype(np.uint8)}
    for name, plane in (("u_plane", u), ("v_plane", v)):
        even = np.pad(plane, ((0, plane.shape[0] % 2), (0, plane.shape[1] % 2)), "edge")
        sums = even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2]
        found[name] = np.clip((sums + 2) >> 2, 0, 255).astype(np.uint8)
    return found


@_basic
def horner_constant(g: Given) -> dict[str, Array]:
    return {"y": np.polynomial.polynomial.polyval(g["x"], [1.0, -0.5, 0.25, 3.0, -1.75, 0.125, 2.0, -0.0625])}


@_basic
def black_scholes(g: Given) -> dict[str, Array]:
    stock, strike, years = (g[name].astype(F64) for name in ("stocks", "strikes", "years"))
    rate, sigma = 0.02, 0.30
    d1 = (np.log(stock / strike) + (rate + sigma**2 / 2) * years) / (sigma * np.sqrt(years))
    n1, n2 = (0.5 + 0.5 * erf(d / np.sqrt(2)) for d in (d1, d1 - sigma * np.sqrt(years)))
    discount = strike * np.exp(-rate * years)
    return {"calls": stock * n1 - discount * n2, "puts": discount * (1 - n2) - stock * (1 - n1)}


def _fused(a: Array, b: Array, c: Array) -> Array:
    """Multiply and add float32 with one rounding: exact in float64 up to a double rounding that these values do not meet."""
    return (a.astype(F64) * b.astype(F64) + c.astype(F64)).astype(np.float32)


@_basic
def mandelbrot(g: Given) -> dict[str, Array]:
    left, top, step, width, height, limit = g["view"][()].tolist()
    f32 = np.float32
    cr = np.broadcast_to(f32(left) + np.arange(width, dtype=f32) * f32(step), (height, width))
    ci = np.broadcast_to((f32(top) + np.arange(height, dtype=f32) * f32(step))[:, None], (height, width))
    zr, zi = np.zeros_like(cr), np.zeros_like(ci)
    counts, alive = np.zeros((height, width), np.uint16), np.ones((height, width), bool)
    for _ in range(limit):
        with np.errstate(over="ignore", invalid="ignore"):
            rr, ii = zr * zr, zi * zi
            alive &= ~(rr + ii > f32(4))
            zi, zr = _fused(zr + zr, zi, ci), (rr - ii) + cr
        counts += alive
    return {"counts": counts}


def _xorshift(state: Array) -> Array:
    state ^= state << np.uint32(13)
    state ^= state >> np.uint32(17)
    state ^= state << np.uint32(5)
    return state


@_basic
def monte_carlo_pi(g: Given) -> dict[str, Array]:
    seeds = np.arange(1, 8 * 128 + 1, dtype=np.uint32)
    state = seeds * np.uint32(2654435761) ^ np.uint32(0x9E3779B9)
    state[state == 0] = 1
    inside = 0
    for _ in range(int(g["points"])):
        x = (_xorshift(state) >> np.uint32(1)).astype(np.uint64)
        y = (_xorshift(state) >> np.uint32(1)).astype(np.uint64)
        inside += int(np.count_nonzero(x * x + y * y < np.uint64(1 << 62)))
    return {"inside": np.array([inside], np.uint64)}


@_basic
def philox_normal(g: Given) -> dict[str, Array]:
    n, seed = int(g["n"]), int(g["seed"])
    low = np.uint64(0xFFFFFFFF)
    c = [np.arange(n, dtype=np.uint64), *(np.zeros(n, np.uint64) for _ in range(3))]
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    for _ in range(10):
        first, second = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [
            (second >> np.uint64(32)) ^ c[1] ^ np.uint64(k0), second & low,
            (first >> np.uint64(32)) ^ c[3] ^ np.uint64(k1), first & low,
        ]  # fmt: skip
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    bits = np.stack(c, 1).astype(np.uint32)
    u = [((column.astype(F64) + (0.5 if i % 2 == 0 else 0)) * 2.3283064e-10).astype(np.float32) for i, column in enumerate(c)]
    parts = []
    for a, b in ((u[0], u[1]), (u[2], u[3])):
        radius = np.sqrt(-2 * np.log(a.astype(F64)))
        parts += [radius * np.sin(2 * np.pi * b.astype(F64)), radius * np.cos(2 * np.pi * b.astype(F64))]
    return {"bits": bits, "normals": np.stack(parts, 1)}


@_basic
def reduce_shared_unrolled(g: Given) -> dict[str, Array]:
    padded = np.zeros(6 * 512, np.int64)
    padded[:3000] = g["g_idata"]
    return {"g_odata": padded.reshape(6, 512).sum(1).astype(np.int32)}


@_basic
def reduce_cooperative(g: Given) -> dict[str, Array]:
    parts = np.array_split(g["data"], range(192, 900, 192))
    found = {name: np.array([of(part) for part in parts]) for name, of in (("lowest", np.min), ("highest", np.max))}
    return {**found, "sums": np.array([part.astype(F64).sum() for part in parts])}


def _exclusive(rows: Array) -> Array:
    return (np.cumsum(rows, 1) - rows).astype(np.int32)


@_basic
def scan_blelloch(g: Given) -> dict[str, Array]:
    return {"out": _exclusive(g["in"]), "totals": g["in"].sum(1).astype(np.int32)}


@_basic
def scan_decoupled_lookback(g: Given) -> dict[str, Array]:
    return {"out": np.cumsum(g["in"]).astype(np.int32)}


@_basic
def scan_cub_block(g: Given) -> dict[str, Array]:
    return {"out": _exclusive(g["in"]), "aggregates": g["in"].sum(1).astype(np.int32)}


@_basic
def sort_cub_radix(g: Given) -> dict[str, Array]:
    keys = g["keys_in"].copy()
    keys[:, int(g["valid"]) :] = 0xFFFFFFFF
    order = np.argsort(keys, 1, kind="stable")
    keys, values = np.take_along_axis(keys, order, 1), np.take_along_axis(g["values_in"], order, 1)
    gaps = np.diff(keys.reshape(4, 64, 4), axis=2).max((1, 2))
    striped = np.ascontiguousarray(values.reshape(4, 64, 4).transpose(0, 2, 1)).reshape(4, 256)
    return {"keys_out": keys, "values_out": striped, "largest_gap": gaps}


@_basic
def sort_bitonic(g: Given) -> dict[str, Array]:
    return {"data": -np.sort(-g["data"], 1)}


@_basic
def sort_radix_ballot(g: Given) -> dict[str, Array]:
    return {"keys": np.sort(g["keys"], 1)}


@_basic
def histogram_shared(g: Given) -> dict[str, Array]:
    return {"histogram": np.bincount(g["data"], minlength=256).astype(np.uint32)}


@_basic
def histogram_match_any(g: Given) -> dict[str, Array]:
    sums = np.zeros(20, np.int64)
    np.add.at(sums, g["keys"], g["values"])
    return {"counts": np.bincount(g["keys"], minlength=20).astype(np.int32), "sums": sums}
