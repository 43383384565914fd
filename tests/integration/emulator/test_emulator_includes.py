"""Headers of the project in a kernel: compiled with it, told at the line that includes them, part of the version."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from plugins.cuda.nvcc import find_nvcc
from tests.helpers.emulator_bench import code, compile_failure, compile_kernel, launch
from workbench.model.includes import read_includes
from workbench.plugin_api import SourceText

I32 = np.int32
KERNEL = '#include "../common/scale.cuh"\n\n__global__ void k(int* y) {\n  y[0] = scale(y[0]) + OFFSET;\n}\n'
HEADERS = {
    "../common/scale.cuh": SourceText(
        '#pragma once\n#include "factor.h"\n__device__ int scale(int x) {\n  // by a factor\n  return x * FACTOR;\n}\n'
    ),
    "../common/factor.h": SourceText("#define FACTOR 3\r\n#define OFFSET 4\r\n"),
}  # fmt: skip


def test_a_kernel_is_compiled_with_the_headers_of_its_version() -> None:
    kernel = compile_kernel(KERNEL, includes=HEADERS)
    assert launch(kernel, [np.full(1, 5, I32)]).arrays[0].tolist() == [19]
    changed = HEADERS | {"../common/factor.h": SourceText("#define FACTOR 2\n#define OFFSET 0\n")}
    assert launch(compile_kernel(KERNEL, includes=changed), [np.full(1, 5, I32)]).arrays[0].tolist() == [10]


def test_lines_of_the_kernel_stay_and_errors_of_a_header_stand_where_it_is_included() -> None:
    mine = compile_failure(KERNEL.replace("OFFSET;", "missing;"), includes=HEADERS)
    assert mine.lines[0].line == 4
    broken = HEADERS | {"../common/scale.cuh": SourceText("__device__ int scale(int x) {\n  return y;\n}\n#define OFFSET 1\n")}
    assert compile_failure(KERNEL, includes=broken).lines[0].line == 1


def test_a_header_that_is_not_there_is_named() -> None:
    failure = compile_failure(KERNEL, includes={"../common/scale.cuh": HEADERS["../common/scale.cuh"]})
    assert failure.kind == "CompileFailed"
    assert str(failure.message) == (
        'Line 1: the header "factor.h" lies neither beside the source nor in the project; put it there, or take this line out if '
        "the kernel needs nothing from it."
    )
    assert failure.lines[0].line == 1


def test_a_header_in_quotes_that_is_not_there_fails_where_nothing_is_needed_from_it_too() -> None:
    source = '#ifdef ELSEWHERE\n#include "other.h"\n#endif\n#include "nosuch.h"\n__global__ void k(int* y) { y[0] = 1; }\n'
    failure = compile_failure(source)
    assert failure.kind == "CompileFailed"
    assert str(failure.message).startswith('Line 4: the header "nosuch.h" lies neither beside')
    assert [(line.line, line.text) for line in failure.lines] == [(4, '#include "nosuch.h"')]
    known = source.replace("nosuch.h", "cuda_runtime.h")
    assert launch(compile_kernel(known), [np.zeros(1, I32)]).arrays[0].tolist() == [1]


def test_a_header_in_angle_brackets_that_nobody_has_is_a_warning() -> None:
    kernel = compile_kernel("#include <math.h>\n#include <nosuch.h>\n__global__ void k(int* y) { y[0] = 1; }\n")
    assert kernel.compiled.data.warnings == ("2: <nosuch.h> is not there and counts as empty on the emulator",)


def test_nvcc_finds_the_same_headers(tmp_path: Path) -> None:
    for name, header in HEADERS.items():
        place = tmp_path / "kernels" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(header.text, encoding="utf-8")
    found = read_includes(KERNEL, "kernels/k.cu", tmp_path)
    assert sorted(found) == sorted(HEADERS)
    assert code(KERNEL, "k", includes=found).hash != code(KERNEL, "k").hash
    nvcc = find_nvcc()
    if nvcc is not None and shutil.which("gcc"):  # nvcc calls it; a machine that compiles with ziglang has none
        assert nvcc.build(KERNEL.encode(), ["-arch=sm_90"], None, found).cubin
        assert not nvcc.build(KERNEL.encode(), ["-arch=sm_90"], None).cubin
