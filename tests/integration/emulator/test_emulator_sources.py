"""Sources as people bring them: host code around the kernel, odd encodings, odd places."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.helpers.emulator_bench import code, compile_failure, compile_kernel, emulator, launch, run
from workbench.model.source import decode, read_source
from workbench.plugin_api import ResolvedLaunch

F32, I32 = np.float32, np.int32

PROGRAM = """#include <stdio.h>
#include <iostream>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::cerr << cudaGetErrorString(e); exit(1); } } while (0)

const float SCALE = 3.0f;
std::vector<float> host_data(100);
struct Timer { std::chrono::steady_clock::time_point start; double seconds() const { return 0.0; } };
void usage(const char* name) { std::cout << "use: " << name << std::endl; }

__global__ void saxpy(int n, float a, float *x, float *y) {
  int i = blockIdx.x*blockDim.x + threadIdx.x;
  if (i < n) y[i] = a*x[i] + y[i] * SCALE;
}

int main(void) {
  float *x, *y;
  CHECK(cudaMalloc(&x, 100 * sizeof(float)));
  saxpy<<<(100 + 255) / 256, 256>>>(100, 2.0f, x, y);
  CHECK(cudaDeviceSynchronize());
  return 0;
}
"""


def test_a_whole_program_runs_its_kernel_and_sets_main_aside() -> None:
    kernel = compile_kernel(PROGRAM, "saxpy")
    x, y = np.arange(10, dtype=F32), np.ones(10, F32)
    assert launch(kernel, [I32(10), F32(2), x, y], block=16).arrays[1].tolist() == (2 * x + 3).tolist()


def test_a_kernel_error_below_host_code_keeps_its_line() -> None:
    failure = compile_failure(PROGRAM.replace("a*x[i]", "b*x[i]"), "saxpy")
    assert failure.lines[0].line == 14


@pytest.mark.parametrize("ends", ["\r\n", "\r", "\n"])
def test_every_kind_of_line_end_compiles_and_keeps_its_lines(ends: str) -> None:
    source = "#define TWICE(x) \\\n  ((x) * 2)\n__global__ void k(int* y) {\n  y[0] = TWICE(21);\n}\n"
    assert run(source.replace("\n", ends), np.zeros(1, I32)).tolist() == [42]
    failure = compile_failure(source.replace("21", "nothing").replace("\n", ends))
    assert failure.lines[0].line == 4


def test_a_byte_order_mark_and_latin_1_comments_compile() -> None:
    body = "// Größe, 5 µs\n__global__ void k(int* y) { y[0] = 1; } // ±\n"
    for content in (b"\xef\xbb\xbf" + body.encode(), body.encode("latin-1"), body.encode()):
        kernel = compile_kernel(decode(content))
        assert launch(kernel, [np.zeros(1, I32)]).arrays[0].tolist() == [1]


def test_folders_with_spaces_quotes_and_other_scripts_work(tmp_path: Path) -> None:
    folder = tmp_path / "Ordner mit Leerzeichen" / "ядро カーネル ü" / "it's (v2)"
    folder.mkdir(parents=True)
    path = folder / "my kernel 'final'.cu"
    path.write_text("__global__ void k(float* y, int n) {\n  y[n + threadIdx.x] = 2.f;\n}\n", encoding="utf-8")
    wanted = code(read_source(path), "k")
    device = emulator()
    kernel = device.load(device.compile(wanted, folder / "cache", name=path.name), {})
    assert launch(kernel, [np.zeros(4, F32), I32(0)], block=4, checked=True).arrays[0].tolist() == [2.0] * 4
    assert {file.suffix for file in (folder / "cache").iterdir()} == {".so", ".cpp", ".cu", ".json"}


def test_a_second_compile_comes_from_the_cache_and_a_killed_one_leaves_nothing_half(tmp_path: Path) -> None:
    device = emulator()
    wanted = code("__global__ void k(int* y) { y[0] = 11; }", "k")
    first = device.compile(wanted, tmp_path, name="a.cu")
    second = device.compile(wanted, tmp_path, name="a.cu")
    assert (first.data.cached, second.data.cached) == (False, True)
    assert second.binary == first.binary
    assert second.data.binary_hash == first.data.binary_hash
    first.binary.with_suffix(".json").write_bytes(b'{"half')
    assert device.compile(wanted, tmp_path, name="a.cu").data.cached is False
    assert not list(tmp_path.glob("build-*"))


def test_other_options_or_templates_are_other_binaries(tmp_path: Path) -> None:
    device = emulator()
    source = "__global__ void k(int* y) { y[0] = N; }"
    one = device.compile(code(source, "k", options=("-DN=1",)), tmp_path, name="a.cu")
    two = device.compile(code(source, "k", options=("-DN=2",)), tmp_path, name="a.cu")
    assert one.binary != two.binary
    assert launch(device.load(two, {}), [np.zeros(1, I32)]).arrays[0].tolist() == [2]


def test_a_compiled_kernel_can_be_loaded_by_its_files_alone(tmp_path: Path) -> None:
    device = emulator()
    compiled = device.compile(code("__global__ void k(int* y) { y[0] = 3; }", "k"), tmp_path, name="a.cu")
    moved = tmp_path / "else"
    moved.mkdir()
    for file in tmp_path.glob(f"{compiled.binary.stem}.*"):
        (moved / file.name).write_bytes(file.read_bytes())
    kernel = device.load(type(compiled)(moved / compiled.binary.name, compiled.symbol, compiled.data), {})
    buffer = device.allocate(4)
    device.launch(kernel, ResolvedLaunch((1, 1, 1), (1, 1, 1)), [buffer])
    assert device.read(buffer, "int32", (1,)).tolist() == [3]
    device.free(buffer)


def test_a_language_other_than_cuda_is_refused() -> None:
    device = emulator()
    wanted = type(code("", "k"))(code("", "k").source, "triton", "k", code("", "k").launch)
    with pytest.raises(Exception, match="runs CUDA C"):
        device.compile(wanted, Path("unused"), name="k.py")
