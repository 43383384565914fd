"""NumPy's answers for the machine-learning kernels of the agreement set."""

from __future__ import annotations

import numpy as np
from scipy.signal import correlate

from tests.helpers.agreement.index import entry_named
from tests.helpers.agreement.inputs import as_real, to_bfloat16
from tests.helpers.agreement.references_basic import F64, Array, Given, Reference

LEARNING: dict[str, Reference] = {}


def _learning(reference: Reference) -> Reference:
    LEARNING[reference.__name__] = reference
    return reference


def _softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    result: Array = e / e.sum(-1, keepdims=True)
    return result


@_learning
def softmax_online(g: Given) -> dict[str, Array]:
    return {"out": _softmax(g["inp"].astype(F64))}


@_learning
def layernorm_welford_bf16(g: Given) -> dict[str, Array]:
    x, weight, bias = (as_real(g[name], "bfloat16") for name in ("inp", "weight", "bias"))
    mean, rstd = x.mean(1), 1 / np.sqrt(x.var(1) + 1e-5)
    return {"out": (x - mean[:, None]) * rstd[:, None] * weight + bias, "mean": mean, "rstd": rstd}


@_learning
def attention_flash(g: Given) -> dict[str, Array]:
    q, k, v = (g[name].astype(F64) for name in "qkv")
    scores = q @ k.transpose(0, 2, 1) * F64(g["scale"])
    scores[:, np.triu(np.ones((80, 80), bool), 1)] = -np.inf
    return {"out": _softmax(scores) @ v}


@_learning
def rope_interleaved(g: Given) -> dict[str, Array]:
    pairs = g["x"].astype(F64).reshape(20, 3, 16, 2)
    turn = np.exp(1j * g["positions"][:, None] * 10000.0 ** (-np.arange(16) / 16))[:, None, :]
    turned = (pairs[..., 0] + 1j * pairs[..., 1]) * turn
    return {"x": np.stack([turned.real, turned.imag], -1).reshape(20, 3, 32)}


@_learning
def cross_entropy_fused(g: Given) -> dict[str, Array]:
    logits, rows = g["logits"].astype(F64), np.arange(10)
    probability = _softmax(logits[:, :301])
    losses = -np.log(probability[rows, g["targets"]])
    probability[rows, g["targets"]] -= 1
    return {"logits": np.concatenate([probability * F64(g["dloss"]), logits[:, 301:]], 1), "losses": losses}


@_learning
def adamw_step(g: Given) -> dict[str, Array]:
    rate, b1, b2, c1, c2, epsilon, decay, seed = g["p"][()].tolist()
    grad, master = as_real(g["grads"], "bfloat16"), g["master"].astype(F64)
    m = b1 * g["m_memory"].astype(F64) + (1 - b1) * grad
    v = b2 * g["v_memory"].astype(F64) + (1 - b2) * grad**2
    new = master - rate * (m / c1 / (np.sqrt(v / c2) + epsilon) + decay * master)
    del seed  # which of the two neighbours is chosen is random: either is within the bound
    return {"params": to_bfloat16(new), "master": new, "m_memory": m, "v_memory": v}


@_learning
def embedding_scatter_add(g: Given) -> dict[str, Array]:
    table, tokens = np.zeros((30, 48)), g["tokens"]
    np.add.at(table, tokens[tokens >= 0], g["dout"][tokens >= 0].astype(F64))
    touched = np.bitwise_or.reduce(1 << tokens[tokens >= 0])
    return {"dtable": table, "touched": np.array([touched], np.int32)}


def _eight_bits(x: Array, mantissa: int, bias: int, largest: float) -> Array:
    """Round to an 8-bit float by its table of values: nearest, ties to the even code, clamped to the largest."""
    codes = np.arange(127)
    exponent, fraction = codes >> mantissa, codes & ((1 << mantissa) - 1)
    normal = (1 + fraction / (1 << mantissa)) * 2.0 ** (exponent - bias)
    values = np.where(exponent == 0, fraction / (1 << mantissa) * 2.0 ** (1 - bias), normal)
    values, codes = values[values <= largest], codes[values <= largest]
    magnitude = np.minimum(np.abs(x), largest)
    above = np.minimum(np.searchsorted(values, magnitude), values.size - 1)
    below = np.maximum(above - 1, 0)
    up, down = values[above] - magnitude, magnitude - values[below]
    nearer = np.where((up < down) | ((up == down) & (codes[above] % 2 == 0)), above, below)
    return (codes[nearer] | np.where(np.signbit(x), 128, 0)).astype(np.uint8)


@_learning
def quantize_fp8(g: Given) -> dict[str, Array]:
    scale = (np.abs(g["in"]).max(1) / np.float32(448)).astype(np.float32)
    q = _eight_bits((g["in"] / scale[:, None]).astype(F64), 3, 7, 448.0)
    values = np.array([0.0] * 128)
    for code in range(127):
        e, f = code >> 3, code & 7
        values[code] = f / 8 * 2.0**-6 if e == 0 else (1 + f / 8) * 2.0 ** (e - 7)
    back = np.where(q & 128, -values[q & 127], values[q & 127]).astype(np.float32) * scale[:, None]
    q5 = _eight_bits(g["in"].astype(F64), 2, 15, 57344.0)
    return {"q": q, "q5": q5, "back": back.astype(np.float16), "scales": scale}


@_learning
def im2col_loop(g: Given) -> dict[str, Array]:
    padded = np.pad(g["data_im"], ((0, 0), (1, 1), (2, 2)))
    rows = [padded[c, 2 * i : 2 * i + 11 : 2, j : j + 15 : 2] for c in range(3) for i in range(3) for j in range(3)]
    return {"data_col": np.array([row.reshape(48) for row in rows], np.float32)}


@_learning
def conv_direct_constant(g: Given) -> dict[str, Array]:
    constants = entry_named("conv_direct_constant").constants
    filters = np.array(constants["filters"], np.float32).astype(F64).reshape(4, 3, 3, 3)
    padded = np.pad(g["in"].astype(F64), ((0, 0), (0, 0), (1, 1), (1, 1)))
    out = [[correlate(image, filters[o], "valid")[0] + constants["bias"][o] for o in range(4)] for image in padded]
    return {"out": np.maximum(np.array(out), 0)}


@_learning
def maxpool_with_index(g: Given) -> dict[str, Array]:
    padded = np.pad(g["bottom"], ((0, 0), (0, 0), (1, 2), (1, 2)), constant_values=-np.inf)
    place = np.pad(np.arange(13 * 15).reshape(13, 15), ((1, 2), (1, 2)))
    slide = np.lib.stride_tricks.sliding_window_view
    windows = slide(padded, (3, 3), (2, 3))[:, :, :13:2, :15:2].reshape(2, 3, 7, 8, 9)
    places = slide(place, (3, 3))[:13:2, :15:2].reshape(7, 8, 9)
    at = np.where(np.isnan(windows), np.inf, windows).argmax(-1)
    top = np.take_along_axis(windows, at[..., None], -1)[..., 0]
    mask = np.take_along_axis(np.broadcast_to(places, windows.shape), at[..., None], -1)[..., 0]
    return {"top": top, "mask": mask.astype(np.int32)}


@_learning
def nms_bitmask(g: Given) -> dict[str, Array]:
    b = g["dev_boxes"]
    low, high = np.maximum(b[:, None, :2], b[None, :, :2]), np.minimum(b[:, None, 2:], b[None, :, 2:])
    side = np.maximum(high - low, np.float32(0))
    inter, area = side[..., 0] * side[..., 1], (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    over = inter > g["threshold"] * ((area[:, None] + area[None]) - inter)
    index = np.arange(150)
    over &= (index[None] > index[:, None]) | (index[None] // 64 != index[:, None] // 64)
    mask = np.zeros((150, 3), np.uint64)
    for column in range(150):
        mask[over[:, column], column // 64] |= np.uint64(1) << np.uint64(column % 64)
    return {"dev_mask": mask}
