"""A wild access in a plain launch ends the child with a report that the parent can read."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np

from plugins.emulator.fault_report import EXIT_CODE, read_fault
from tests.helpers.emulator_bench import compile_kernel, emulator
from workbench.plugin_api import ResolvedLaunch

ROOT = Path(__file__).parents[3]
WRITE = (
    "__global__ void k(float* y, const float* x, long long n) {\n\n  if (blockIdx.x == 2 && threadIdx.x == 5)\n    y[n] = 1.f;\n}"
)
READ = (
    "__global__ void k(float* y, const float* x, long long n) {\n  if (blockIdx.x == 1 && threadIdx.x == 0)\n    y[0] = x[n];\n}"
)


def child(tmp_path: Path, source: str, offset: int) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Run a kernel in a child of its own; the runtime is already built by this process."""
    assert emulator().info.available
    report = tmp_path / "fault report.txt"
    command = [sys.executable, "-m", "tests.helpers.wild_kernel", str(report), source, str(offset)]
    done = subprocess.run(
        command, cwd=ROOT, env=dict(os.environ), capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    return done, report


def test_a_wild_write_names_argument_offset_block_thread_and_line(tmp_path: Path) -> None:
    done, report = child(tmp_path, WRITE, 5000)
    assert done.returncode == EXIT_CODE, done.stderr
    failure = read_fault(report)
    assert failure is not None
    assert failure.kind == "OutOfBounds"
    assert str(failure.message) == (
        "Line 4: Out of bounds: the kernel wrote at byte 20000 of argument 1, which has 400 bytes, in block "
        "(2, 0, 0), thread (5, 0, 0)."
    )
    assert [(line.line, line.text) for line in failure.lines] == [(4, "y[n] = 1.f;")]


def test_a_wild_read_is_told_from_a_write(tmp_path: Path) -> None:
    done, report = child(tmp_path, READ, -70000)
    assert done.returncode == EXIT_CODE, done.stderr
    failure = read_fault(report)
    assert failure is not None
    assert "the kernel read at byte -280000 of argument 2, which has 200 bytes, in block (1, 0, 0)" in str(failure.message)


def test_an_address_far_from_everything_is_named_as_it_is(tmp_path: Path) -> None:
    done, report = child(tmp_path, WRITE, -(1 << 36))
    assert done.returncode == EXIT_CODE, done.stderr
    failure = read_fault(report)
    assert failure is not None
    assert failure.kind == "OutOfBounds"
    assert "far from every argument" in str(failure.message)


def test_too_much_stack_is_a_fault_of_its_own(tmp_path: Path) -> None:
    deep = """__device__ __noinline__ float down(float x, int n) { volatile float a[500]; a[n % 500] = x;
      return n > 0 ? down(a[n % 500] + 1, n - 1) * 2 : a[0]; }
    __global__ void k(float* y, const float* x, long long n) { y[0] = down(x[0], int(n)); }"""
    done, report = child(tmp_path, deep, 100000)
    assert done.returncode == EXIT_CODE, done.stderr
    failure = read_fault(report)
    assert failure is not None
    assert failure.kind == "DeviceFault"
    assert "needs more stack than the 524288 bytes" in str(failure.message)


BIG = """__device__ __noinline__ float fill(float x, int n) { volatile float a[COUNT]; a[n % COUNT] = x;
  return a[n % COUNT] + 1; }
__global__ void k(float* y, const float* x, long long n) { y[0] = fill(x[0], int(n)); }"""


def test_a_local_array_of_200_kb_fits_as_on_a_gpu_and_one_of_700_kb_is_told_as_too_much_stack(tmp_path: Path) -> None:
    done, _ = child(tmp_path, BIG.replace("COUNT", "50000"), 7)
    assert (done.returncode, done.stdout) == (0, "survived\n"), done.stderr
    done, report = child(tmp_path, BIG.replace("COUNT", "175000"), 7)
    assert done.returncode == EXIT_CODE, done.stderr
    failure = read_fault(report)
    assert failure is not None
    assert failure.kind == "DeviceFault"
    assert "needs more stack than the 524288 bytes" in str(failure.message)


def test_a_good_kernel_leaves_an_empty_report(tmp_path: Path) -> None:
    done, report = child(tmp_path, WRITE, 3)
    assert (done.returncode, done.stdout) == (0, "survived\n")
    assert read_fault(report) is None
    assert read_fault(tmp_path / "never written") is None


def test_an_address_that_cannot_exist_is_told_from_a_far_one(tmp_path: Path) -> None:
    done, report = child(tmp_path, WRITE, 1 << 50)
    assert done.returncode == EXIT_CODE, done.stderr
    failure = read_fault(report)
    assert failure is not None
    assert "an address that cannot exist" in str(failure.message)


def test_while_a_kernel_runs_the_process_opens_no_file(tmp_path: Path) -> None:
    source = "__global__ void k(volatile int* y) { while (y[0] == 0) { } y[1] = 1; }"
    kernel, device = compile_kernel(source), emulator()
    buffer = device.allocate(8)
    device.fill(buffer, 0)
    runner = threading.Thread(target=device.launch, args=(kernel, ResolvedLaunch((1, 1, 1), (1, 1, 1)), [buffer]))
    runner.start()
    refused = None
    while refused is None:
        try:
            (tmp_path / "file").write_text("text")
        except OSError as error:
            refused = error
    device.write(buffer, np.array([1, 0], np.int32))
    runner.join()
    assert refused.errno == errno.EMFILE
    (tmp_path / "file").write_text("text")
    assert device.read(buffer, "int32", (2,)).tolist() == [1, 1]
    device.free(buffer)
