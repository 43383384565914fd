"""The application: a rig of `batch` cameras delivers frames; each becomes patch means for a network.

Written as one writes it first: one frame after the other, memory allocated and freed for each, ordinary (pageable)
host arrays, one stream, a wait after the kernels.
"""

from functools import lru_cache

import numpy as np

FRAMES = 4
MARGIN = 8
PATCH = 8


@lru_cache(maxsize=1)
def captured(batch, height, width):
    """Return what the cameras have delivered: FRAMES arrays (batch, height, width, 3) uint8, the last row first."""
    rng = np.random.default_rng(2026)
    return [rng.integers(0, 256, (batch, height, width, 3), dtype=np.uint8) for _ in range(FRAMES)]


def crop_and_flip(raw):
    """Return the images without their margin and with the first row first, as contiguous memory."""
    images = np.empty((raw.shape[0], raw.shape[1] - 2 * MARGIN, raw.shape[2] - 2 * MARGIN, 3), np.uint8)
    for image, out in zip(raw, images, strict=True):
        out[:] = image[::-1][MARGIN:-MARGIN, MARGIN:-MARGIN]
    return images


def run(p):
    """Process every captured frame and return the patch means (FRAMES, batch, 3, rows, columns) float32."""
    batch, height, width = (p.sizes[name] for name in ("batch", "height", "width"))
    small_height, small_width = -(-height // 2), -(-width // 2)
    rows, columns = -(-height // PATCH), -(-width // PATCH)
    block = (16, 16, 1)
    results = []

    for raw in captured(batch, small_height + 2 * MARGIN, small_width + 2 * MARGIN):
        with p.stage("crop and flip", kind="cpu"):
            images = crop_and_flip(raw)

        d_images = p.upload(images)
        d_frame = p.allocate((batch, height, width, 3), "uint8")
        p.launch_fixed(
            "kernels/resize.cu",
            "resize",
            [d_images, d_frame, np.int32(small_width), np.int32(small_height), np.int32(width), np.int32(height)],
            grid=(-(-width // 16), -(-height // 16), batch),
            block=block,
        )

        d_planes = p.allocate((batch, 3, height, width), "float32")
        p.launch("preprocess", d_frame, d_planes, width, height)

        d_patches = p.allocate((batch, 3, rows, columns), "float32")
        p.launch_fixed(
            "kernels/patches.cu",
            "patches",
            [d_planes, d_patches, np.int32(width), np.int32(height), np.int32(columns), np.int32(rows)],
            grid=(-(-columns // 16), -(-rows // 16), batch * 3),
            block=block,
        )
        p.synchronize()

        results.append(p.download(d_patches))
        for buffer in (d_images, d_frame, d_planes, d_patches):
            p.free(buffer)

    return {"patches": np.stack(results)}
