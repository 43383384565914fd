"""What NVIDIA's compute-sanitizer finds in the planted faults: run on a GPU machine, from the repository's root.

    PYTHONPATH=. python tests/data/faults/measure.py OUT_FOLDER

Each pair is built twice with nvcc (-lineinfo, plain cudaMalloc, outputs and scratch not written to before the launch) and run
under memcheck, racecheck, initcheck and synccheck; OUT_FOLDER/compute-sanitizer.json says who found what, at which lines. A
kernel that hangs is ended after LIMIT seconds and noted as such. Needs numpy, nvcc and compute-sanitizer.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.helpers.fault_kernels import FaultKernel, Parameter, every_kernel, values_of

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
TWIN_TOOLS = ("memcheck", "racecheck")
LIMIT = 25.0
ARCHITECTURE = "sm_90"
_HOST = """
#include <cstdio>
#include <cstring>
{source}
struct as {{    // a pointer that becomes what the kernel's parameter wants
    void* p;
    as(void* q) : p(q) {{}}
    template <class T> operator T*() const {{ return static_cast<T*>(p); }}
}};
#line 1 "host.cu"
int main() {{
{body}
    cudaError_t launched = cudaGetLastError(), ran = cudaDeviceSynchronize();
    printf("launch: %s, run: %s\\n", cudaGetErrorString(launched), cudaGetErrorString(ran));
    return launched == cudaSuccess && ran == cudaSuccess ? 0 : 1;
}}
"""
_C = {"float": "float", "double": "double", "int": "int", "uchar": "unsigned char"}
_PLACE = re.compile(r"(\w+)\.cu:(\d+)")
_HEADING = re.compile(
    r"^=+ +(Invalid .*|Misaligned .*|Uninitialized .*|Barrier error.*|(?:Error|Warning|Info): Race.*"
    r"|(?:ERROR|WARN(?:ING)?|INFO): .*|Program hit .*|Potential .*|.*Address .*|.*misaligned.*)$",
    re.MULTILINE,
)
_SUMMARY = re.compile(r"^=+ +((?:ERROR|RACECHECK|LEAK) SUMMARY: .*)$", re.MULTILINE)


def host_program(pair: FaultKernel) -> str:
    """Return one translation unit with the kernel at its own line numbers and a main that launches it once."""
    body, arguments = [], []
    for one in pair.parameters:
        if one.role == "scalar":
            arguments.append(f"({_C[one.ctype]}){one.value}")
            continue
        body += _array(one)
        arguments.append(f"as({one.name})")
    grid, block = (", ".join(map(str, part)) for part in (pair.grid, pair.block))
    body.append(f"    k<<<dim3({grid}), dim3({block}), {pair.shared}>>>({', '.join(arguments)});")
    return _HOST.format(source=f'#line 1 "{pair.name}.cu"\n{pair.source}', body="\n".join(body))


def _array(one: Parameter) -> list[str]:
    kind = _C[one.ctype]
    lines = [f"    {kind}* {one.name};", f"    cudaMalloc(&{one.name}, {one.count} * sizeof({kind}));"]
    if one.role in ("input", "inout"):
        values = ", ".join(str(int(value)) for value in values_of(one))
        lines += [
            f"    {kind} host_{one.name}[] = {{{values}}};",
            f"    cudaMemcpy({one.name}, host_{one.name}, sizeof host_{one.name}, cudaMemcpyHostToDevice);",
        ]
    return lines


def build(pair: FaultKernel, folder: Path, *, faulty: bool) -> Path:
    """Compile one of a pair's programs. Raises RuntimeError with nvcc's words."""
    name = f"{pair.name}-{'fault' if faulty else 'clean'}"
    (folder / f"{name}.cu").write_text(host_program(pair), encoding="utf-8")
    flags = ["-arch=" + ARCHITECTURE, "-lineinfo", "-std=c++17", "-w", *(["-DFAULT"] if faulty else [])]
    done = subprocess.run(
        ["nvcc", *flags, f"{name}.cu", "-o", name], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"{name}: {done.stdout[-500:]}{done.stderr[-500:]}")
    return folder / name


def find_sanitizer() -> str | None:
    """Return compute-sanitizer's path, None where there is none."""
    nvcc = shutil.which("nvcc")
    beside = [str(Path(nvcc).resolve().parent)] if nvcc else []
    homes = [f"{os.environ[name]}/bin" for name in ("CUDA_HOME", "CUDA_PATH") if name in os.environ]
    folders = [*beside, *homes, "/usr/local/cuda/bin", "/usr/local/cuda/compute-sanitizer"]
    return shutil.which("compute-sanitizer") or shutil.which("compute-sanitizer", path=os.pathsep.join(folders))


def sanitize(sanitizer: str, program: Path, tool: str, line: int) -> dict[str, Any]:
    """Run one program under one tool and return what it said, with the kernel's lines it named."""
    options = ["--racecheck-report", "all"] if tool == "racecheck" else []
    command = [sanitizer, "--tool", tool, "--print-limit", "50", *options, str(program)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired as error:
        said = error.stdout.decode(errors="replace") if isinstance(error.stdout, bytes) else (error.stdout or "")
        return read_output(said, line) | {"ended": "time limit"}
    return read_output(done.stdout + done.stderr, line) | {"ended": done.returncode}


def read_output(text: str, line: int) -> dict[str, Any]:
    """Return headings, the kernel's lines, the summary, and whether the planted line is among them."""
    lines = sorted({int(number) for name, number in _PLACE.findall(text) if name != "host"})
    headings = list(dict.fromkeys(re.sub(r"\+?0x[0-9a-f]+", "0x…", found) for found in _HEADING.findall(text)))
    summaries = _SUMMARY.findall(text)
    found = any(not re.search(r"SUMMARY: 0 (?:errors|hazards)", summary) for summary in summaries if "LEAK" not in summary)
    return {
        "found": found, "right_line": found and line in lines, "lines": lines, "headings": headings[:8],
        "summary": summaries, "output": text[:800],
    }  # fmt: skip


def measure_pair(pair: FaultKernel, sanitizer: str, folder: Path) -> dict[str, Any]:
    """Return everything about one pair; a step that fails is told and does not end the rest."""
    result: dict[str, Any] = {"source": pair.digest, "fault": {}, "clean": {}}
    for variant, tools in (("fault", TOOLS), ("clean", TWIN_TOOLS)):
        try:
            program = build(pair, folder, faulty=variant == "fault")
            for tool in tools:
                result[variant][tool] = sanitize(sanitizer, program, tool, pair.line)
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            result[variant]["error"] = str(error)
    told = " ".join(f"{tool}:{'line' if one['right_line'] else 'found' if one['found'] else '-'}"
                    for tool, one in result["fault"].items() if isinstance(one, dict))  # fmt: skip
    print(f"{pair.name}: {told}", flush=True)
    return result


def _said(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout.strip()
    except OSError as error:
        return str(error)


def main(out: Path) -> int:
    """Measure every pair and write the table; 1 where compute-sanitizer is missing."""
    out.mkdir(parents=True, exist_ok=True)
    sanitizer = find_sanitizer()
    if sanitizer is None:
        print("compute-sanitizer was not found")
        return 1
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count() or 4) as pool:
        pairs = every_kernel()
        measured = pool.map(lambda pair: measure_pair(pair, sanitizer, Path(folder)), pairs)
        kernels = {pair.name: result for pair, result in zip(pairs, measured, strict=True)}
    table = {
        "date": datetime.now(UTC).date().isoformat(),
        "device": _said("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"),
        "compute-sanitizer": _said(sanitizer, "--version").splitlines()[-1:],
        "nvcc": _said("nvcc", "--version").splitlines()[-1:],
        "kernels": kernels,
    }
    (out / "compute-sanitizer.json").write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    caught = sum(
        any(one.get("found") for one in result["fault"].values() if isinstance(one, dict)) for result in kernels.values()
    )
    print(f"{caught} of {len(kernels)} faults found; written to {out / 'compute-sanitizer.json'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
