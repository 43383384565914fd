"""NumPy's answers for images, stencils and particles of the agreement set."""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from tests.helpers.agreement.index import entry_named
from tests.helpers.agreement.references_basic import F64, Array, Given, Reference

FIELDS: dict[str, Reference] = {}


def _field(reference: Reference) -> Reference:
    FIELDS[reference.__name__] = reference
    return reference


@_field
def bilateral_filter(g: Given) -> dict[str, Array]:
    image = g["src"].astype(F64)
    padded = np.pad(image, 3, "edge")
    space = np.array([0.1353353, 0.4111123, 0.8007374, 1.0, 0.8007374, 0.4111123, 0.1353353])
    total, norm = np.zeros_like(image), np.zeros_like(image)
    for dy in range(7):
        for dx in range(7):
            value = padded[dy : dy + 28, dx : dx + 44]
            weight = space[dx] * space[dy] * np.exp(-((value - image) ** 2) * F64(g["range"]))
            total, norm = total + weight * value, norm + weight
    return {"dst": total / norm}


@_field
def gaussian_separable(g: Given) -> dict[str, Array]:
    weights = np.array(entry_named("gaussian_separable").constants["c_Kernel"], np.float32).astype(F64)
    return {"d_Dst": ndimage.convolve1d(g["d_Src"].astype(F64), weights, axis=1, mode="constant")}


@_field
def sobel_halo(g: Given) -> dict[str, Array]:
    image = g["image"].astype(np.int64)
    gx, gy = (ndimage.sobel(image, axis, mode="nearest") for axis in (1, 0))
    ax, ay = np.abs(gx), np.abs(gy)
    diagonal = np.where((gx > 0) == (gy > 0), 3, 1)
    direction = np.where(5 * ay > 12 * ax, 2, np.where(5 * ax <= 12 * ay, diagonal, 0))
    return {"magnitude": (ax + ay).astype(np.uint16), "direction": direction.astype(np.uint8)}


@_field
def morphology_packed(g: Given) -> dict[str, Array]:
    pixels = g["in"].view(np.uint8).reshape(21, 80)
    found = {}
    for name, of in (("eroded", ndimage.grey_erosion), ("dilated", ndimage.grey_dilation)):
        found[name] = of(pixels, size=(3, 3), mode="nearest").view(np.uint32)
    return found


@_field
def integral_image(g: Given) -> dict[str, Array]:
    rows = np.cumsum(g["image"], 1, dtype=np.uint32)
    return {"rows": rows, "table": np.cumsum(rows, 0, dtype=np.uint32)}


@_field
def texture_resample(g: Given) -> dict[str, Array]:
    y, x = np.mgrid[0:40, 0:56].astype(F64)
    u, v, c, s = x - 28 + 0.5, y - 20 + 0.5, F64(g["cosine"]), F64(g["sine"])
    at = [u * s + v * c + 20 - 0.5, u * c - v * s + 28 - 0.5]
    at = [np.clip(part, 0, size - 1) for part, size in zip(at, (40, 56), strict=True)]
    return {"out": ndimage.map_coordinates(g["image"].astype(F64), at, order=1, mode="nearest")}


@_field
def label_components(g: Given) -> dict[str, Array]:
    labels = np.zeros((3, 24, 32), np.int32)
    for image, found in zip(g["image"], labels, strict=True):
        parts, count = ndimage.label(image > 127)
        for part in range(1, count + 1):
            found[parts == part] = np.flatnonzero(parts == part)[0] + 1
    return {"labels": labels}


@_field
def stencil3d_jacobi(g: Given) -> dict[str, Array]:
    u, following = g["u"], g["next"].copy()
    centre = (slice(1, -1), slice(1, -1), slice(1, -1))
    sums = sum(np.roll(u, step, axis) for axis in range(3) for step in (1, -1))
    following[centre] = ((sums + F64(g["h2"]) * g["f"]) / 6)[centre]
    return {"next": following}


@_field
def lattice_boltzmann(g: Given) -> dict[str, Array]:
    source, solid = g["source"].astype(F64), g["solid"]
    ways = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
    weights = [4 / 9, *[1 / 9] * 4, *[1 / 36] * 4]
    came = []
    for q, (dx, dy) in enumerate(ways):
        back = ways.index((-dx, -dy))
        behind, wall = np.roll(source[q], (dy, dx), (0, 1)), np.roll(solid, (dy, dx), (0, 1))
        came.append(np.where(wall, source[back], behind))
    rho = sum(came)
    ux, uy = (sum(f * way[axis] for f, way in zip(came, ways, strict=True)) / rho for axis in (0, 1))
    target = []
    for f, way, weight in zip(came, ways, weights, strict=True):
        along = way[0] * ux + way[1] * uy
        settled = weight * rho * (1 + 3 * along + 4.5 * along**2 - 1.5 * (ux**2 + uy**2))
        target.append(np.where(solid, f, f + F64(g["omega"]) * (settled - f)))
    return {"target": np.array(target)}


@_field
def nbody_tiled(g: Given) -> dict[str, Array]:
    old, velocity, dt = g["oldPos"].astype(F64), g["vel"].astype(F64), F64(g["deltaTime"])
    apart = old[None, :, :3] - old[:, None, :3]
    scale = old[None, :, 3] * ((apart**2).sum(-1) + F64(g["softening2"])) ** -1.5
    velocity[:, :3] += dt * (apart * scale[..., None]).sum(1)
    new = old.copy()
    new[:, :3] += dt * velocity[:, :3]
    return {"newPos": new, "vel": velocity}


@_field
def fft_shared(g: Given) -> dict[str, Array]:
    found = np.fft.fft(g["in"][..., 0].astype(F64) + 1j * g["in"][..., 1].astype(F64))
    return {"out": np.stack([found.real, found.imag], -1)}
