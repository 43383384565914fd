"""A report of memory access as the emulator gives it, made by hand for the pages' tests: no measurement."""

from __future__ import annotations

from workbench.model.access import AccessReport, ArrayAccess, LineAccess, WarpPicture
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
