"""Measure the kernels of this folder with Nsight Compute on a GPU and write what its counters say.

From the repository's root, on a machine with ncu, nvcc and CuPy:
    PYTHONPATH=. python tests/data/access/measure.py OUT_FOLDER
It compiles each file with nvcc for the GPU at hand, starts itself under ncu, and writes OUT_FOLDER/truth.json; OUT_FOLDER/sass
holds the machine code. Takes a minute or two. What fails is written down and the rest goes on.
"""

from __future__ import annotations

import csv
import importlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from tests.helpers.access_launches import FOLDER, KernelLaunch, draw_arrays, probe_launches, probe_maps, read_launches

_GLOBAL = tuple(f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum" for op in ("ld", "st") for what in ("requests", "sectors"))
_SHARED = tuple(
    f"l1tex__data_{what}_mem_shared_op_{op}.sum"
    for op in ("ld", "st")
    for what in ("pipe_lsu_wavefronts", "bank_conflicts_pipe_lsu")
)
METRICS = (*_GLOBAL, *_SHARED, "smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_st.sum",
           "smsp__inst_executed_op_global_ld.sum", "smsp__inst_executed_op_global_st.sum")  # fmt: skip
MORE = tuple(
    name.replace("_op_ld", f"_op_{op}")
    for name in (_GLOBAL[0], _GLOBAL[1], "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum")
    for op in ("atom", "red")
)
CACHES = tuple(f"lts__t_sectors_srcunit_tex_op_{op}{what}.sum" for op in ("read", "write") for what in ("", "_lookup_hit"))
"""What the second-level cache was asked for by the multiprocessors, from cold caches: ncu empties them before every pass."""
SETS = {"plain": ("plain.cu", "hard.cu"), "probes": ("probes.cu",)}


def launches_of(group: str) -> tuple[KernelLaunch, ...]:
    """Return the launches of a group, in order."""
    return probe_launches() if group == "probes" else read_launches()


def launch_all(group: str, out: Path, compiler: str) -> None:
    """Launch a group once; runs under ncu."""
    cp: Any = importlib.import_module("cupy")  # a parent without it still writes down that it failed
    arrays, sizes = draw_arrays()
    device = {name: cp.asarray(array) for name, array in arrays.items()}
    maps = {name: cp.asarray(array) for name, array in probe_maps().items()}
    modules = {}
    for file in SETS[group]:
        source = (FOLDER / file).read_text(encoding="utf-8")
        made = (
            {"path": str(out / file.replace(".cu", ".cubin"))}
            if compiler == "nvcc"
            else {"code": source, "options": ("-std=c++17",)}
        )
        modules[file] = cp.RawModule(**made)
    for one in launches_of(group):
        known = {**device, "map": maps.get(one.pattern), **{name: np.int32(value) for name, value in sizes.items()}}
        kernel = modules[one.file].get_function(one.entry)
        kernel(one.grid, one.block, tuple(known[name] for name in one.arguments), shared_mem=one.shared_bytes)
        cp.cuda.Device().synchronize()


def measure(group: str, out: Path, compiler: str, metrics: tuple[str, ...]) -> list[dict[str, float]]:
    """Return one row of counters for each launch of a group. Raises RuntimeError with ncu's words when it cannot."""
    names = "|".join(sorted({one.entry for one in launches_of(group)}))
    command = [
        "ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
        "--kernel-name", f"regex:^({names})$", "--metrics", ",".join(metrics),
        sys.executable, __file__, str(out), group, compiler,
    ]  # fmt: skip
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=400)
    print(f"{group} by {compiler}: {time.perf_counter() - started:.0f} s, status {done.returncode}", flush=True)
    lines = done.stdout.splitlines()
    start = next((number for number, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise RuntimeError((done.stdout + done.stderr)[-2000:])
    rows = list(csv.DictReader(lines[start:]))[1:]  # the first row holds the units
    wanted = launches_of(group)
    if [row["Kernel Name"].split("(")[0] for row in rows] != [one.entry for one in wanted]:
        raise RuntimeError(f"{len(rows)} rows for {len(wanted)} launches: {[row['Kernel Name'] for row in rows][:5]}")
    return [{name: float(row[name].replace(",", "")) for name in metrics if row.get(name)} for row in rows]


def compile_all(out: Path) -> dict[str, str]:
    """Compile every file for the GPU at hand; returns what failed."""
    failed = {}
    for file in ("plain.cu", "hard.cu", "probes.cu"):
        cubin = out / file.replace(".cu", ".cubin")
        command = ["nvcc", "-arch=native", "-std=c++17", "-lineinfo", "-cubin", "-o", str(cubin), str(FOLDER / file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode != 0:
            failed[file] = done.stderr[-2000:]
            continue
        (out / "sass").mkdir(exist_ok=True)
        try:
            listing = subprocess.run(["cuobjdump", "-sass", str(cubin)], capture_output=True, text=True, check=False, timeout=300)
            (out / "sass" / file.replace(".cu", ".txt")).write_text(listing.stdout or listing.stderr, encoding="utf-8")
        except OSError as error:
            print(f"no machine code of {file}: {error}", flush=True)
    return failed


def said(*command: str) -> str:
    """Return the last line that a program prints about itself."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except OSError as error:
        return str(error)
    return (done.stdout.strip() or done.stderr.strip()).splitlines()[-1] if done.stdout.strip() or done.stderr.strip() else ""


def main(out: Path) -> None:
    """Measure everything and write truth.json."""
    out.mkdir(parents=True, exist_ok=True)
    result: dict[str, object] = {
        "device": said("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"),
        "nvcc": said("nvcc", "--version"),
        "ncu": said("ncu", "--version"),
        "failed": compile_all(out),
    }
    tasks = (
        ("plain", "nvcc", METRICS),
        ("plain", "nvcc", MORE),
        ("plain", "nvcc", CACHES),
        ("probes", "nvcc", METRICS),
        ("plain", "cupy", METRICS),
    )
    for group, compiler, metrics in tasks:
        key = f"{group} {compiler}" + {MORE: " more", CACHES: " caches"}.get(metrics, "")
        try:
            rows = measure(group, out, compiler, metrics)
            result[key] = [{"kernel": one.name, **row} for one, row in zip(launches_of(group), rows, strict=True)]
        except (RuntimeError, OSError, ValueError, subprocess.TimeoutExpired) as error:
            result[key] = []
            print(f"{key} failed: {error}", flush=True)
            result[f"{key} failed"] = str(error)
        (out / "truth.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(f"wrote {out / 'truth.json'}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        launch_all(sys.argv[2], Path(sys.argv[1]), sys.argv[3])
    else:
        os.environ.setdefault("PYTHONPATH", str(FOLDER.parents[2]))
        main(Path(sys.argv[1]))
