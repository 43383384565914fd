"""A report of memory access as the emulator gives it, made by hand for the pages' tests: no measurement."""

from __future__ import annotations

import msgspec

from workbench.model.access import AccessReport, ArrayAccess, LineAccess, WarpPicture
from workbench.model.run import PassRecord
from workbench.texts import message

STRIDED = tuple(lane * 128 for lane in range(32))
COLUMN = tuple(lane * 128 for lane in range(32))

LOAD = LineAccess(
    3, "global", "read", requests=8, text="float v = in[i * 32];", arrays=("in",), widths=(4,), active_lanes=256,
    bytes_requested=1024, bytes_used=1024, sectors=256, ideal_sectors=32, first_touches=128, re_reads=128, exactness="exact",
)  # fmt: skip
STORE = LineAccess(
    4, "global", "write", requests=8, text="out[i] = v;", arrays=("out",), widths=(4,), active_lanes=200,
    bytes_requested=800, bytes_used=800, sectors=25, ideal_sectors=25, first_touches=25, exactness="exact",
)  # fmt: skip
CONFLICT = LineAccess(
    6, "shared", "read", requests=8, text="sum += tile[threadIdx.x][j];", arrays=("tile",), widths=(4,), active_lanes=256,
    bytes_requested=1024, bytes_used=1024, wavefronts=256, ideal_wavefronts=8, worst_ways=32,
    reason=message("The compiler’s list of accesses was not made: NVRTC is missing."),
)  # fmt: skip
PICTURES = (
    WarpPicture(3, "global", "read", "first", (0, 0, 0), 0, 0, "in", 4, STRIDED, sectors=STRIDED),
    WarpPicture(6, "shared", "read", "worst", (0, 0, 0), 0, 0, "tile", 4, COLUMN, banks=(0,) * 32, wavefronts=32),
)
REPORT = AccessReport(
    (4, 1, 1), (64, 1, 1), {"n": 256}, blocks=4, traced_blocks=4, lines=(LOAD, STORE, CONFLICT), totals={}, totals_exact=False,
    arrays=(ArrayAccess("in", 4096, 256, read_first_touches=128), ArrayAccess("out", 1024, written_sectors=25)),
    pictures=PICTURES, machine="SASS of sm_90, NVRTC 13.0",
)  # fmt: skip


def access_pass() -> PassRecord:
    """Return an access pass of the version "tile prefetch" of the sample session: SYNTHETIC numbers at its lines."""
    tile = "tile[k / 34][k % 34] = src[v * width + u];"
    load = msgspec.structs.replace(
        LOAD, line=12, text=tile, arrays=("src",), widths=(1,), requests=960, active_lanes=25_500, bytes_requested=25_500,
        bytes_used=25_500, sectors=1_700, ideal_sectors=960, first_touches=860, re_reads=840,
    )  # fmt: skip
    stored = msgspec.structs.replace(
        CONFLICT, line=12, kind="write", text=tile, requests=960, active_lanes=25_500, wavefronts=960, ideal_wavefronts=960,
        worst_ways=1, exactness="exact", reason=None,
    )  # fmt: skip
    summed = msgspec.structs.replace(
        CONFLICT, line=19, text="sum += tile[threadIdx.y + j][threadIdx.x + i];", requests=5_760, active_lanes=184_320,
        wavefronts=11_520, ideal_wavefronts=5_760, worst_ways=2,
    )  # fmt: skip
    store = msgspec.structs.replace(
        STORE, line=20, text="dst[y * width + x] = (sum / 9.0f - 118.0f) / 57.0f;", arrays=("dst",), requests=640,
        active_lanes=20_480, bytes_requested=81_920, bytes_used=81_920, sectors=2_560, ideal_sectors=2_560, first_touches=2_560,
    )  # fmt: skip
    near = WarpPicture(12, "global", "read", "worst", (1, 0, 0), 0, 0, "src", 1, tuple(range(31, 63)), sectors=(0, 32))
    pair = tuple(lane // 2 * 8 for lane in range(32))
    banks = WarpPicture(19, "shared", "read", "worst", (0, 0, 0), 1, 4, "tile", 4, pair, banks=tuple(a // 4 % 32 for a in pair))
    report = msgspec.structs.replace(
        REPORT, grid=(20, 45, 1), block=(32, 8, 1), sizes={"width": 640, "height": 360, "batch": 1}, blocks=900, traced_blocks=80,
        lines=(load, stored, summed, store), pictures=(near, banks), machine="SYNTHETIC SASS of sm_90",
        arrays=(ArrayAccess("src", 230_400, 1_700, read_first_touches=860), ArrayAccess("dst", 921_600, written_sectors=2_560)),
    )  # fmt: skip
    return PassRecord("access", "finished", "2026-11-29T10:05:00+00:00", 1.4, access=report)
