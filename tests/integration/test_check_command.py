"""`kernel-ledger check`: what the emulator says of files that are in no project."""

from __future__ import annotations

from pathlib import Path

from tests.helpers.command_line import ledger

PROGRAM = """#include <cooperative_groups.h>
#include <cublas_v2.h>
#include "common/twice.cuh"
template <typename T, int N> __global__ void scale(T* y) { y[threadIdx.x] = TWICE(y[threadIdx.x]) * N; }
__global__ void timed(long long* y) {
  y[0] = clock64();
}
template <typename T> void host(T* d) { scale<T, 8><<<1, 8>>>(d); }
int main() { float* d; host<float>(d); scale<double, 2><<<1, 8>>>(nullptr); return 0; }
"""
REFUSED = """__global__ void good(int* y) { y[0] = 1; }
__global__ void whole(int* y) {
  asm volatile("nop;");
}
"""


def _write(folder: Path, text: str) -> Path:
    (folder / "common").mkdir()
    (folder / "common" / "twice.cuh").write_text("#pragma once\n#define TWICE(x) (2 * (x))\n", encoding="utf-8")
    file = folder / "my program.cu"
    file.write_text(text, encoding="utf-8")
    return file


def test_every_kernel_is_compiled_with_the_arguments_the_file_uses_it_with(tmp_path: Path) -> None:
    done = ledger("check", _write(tmp_path, PROGRAM), "--json")
    said = done.document
    assert done.code == 0
    assert (said["supported"], said["reasons"], said["exit_code"]) == (True, [], 0)
    found = [(kernel["name"], kernel["line"], kernel["template"], kernel["supported"]) for kernel in said["kernels"]]
    assert found == [("scale", 4, ["float", "8"], True), ("scale", 4, ["double", "2"], True), ("timed", 5, [], True)]
    assert said["notes"] == [
        {"kernel": "timed", "line": 6, "text": "Line 6: clock64 counts the host's nanoseconds here, not the cycles of a GPU."}
    ]


def test_what_stands_in_the_way_is_told_by_kernel_and_line(tmp_path: Path) -> None:
    file = _write(tmp_path, REFUSED)
    done = ledger("check", file, "--json")
    said = done.document
    assert done.code == 1
    assert said["supported"] is False
    assert [(kernel["name"], kernel["supported"]) for kernel in said["kernels"]] == [("good", True), ("whole", False)]
    sentence = "Line 3: the emulator cannot do inline assembly (asm); use a CUDA device for this kernel."
    assert said["reasons"] == [{"kernel": "whole", "line": 3, "text": sentence}]
    plain = ledger("check", file)
    assert (plain.code, plain.err.strip()) == (1, sentence)
    assert ledger("check", file, "--entry", "good").code == 0


def test_a_template_that_nobody_instantiates_is_tried_and_told_so(tmp_path: Path) -> None:
    file = _write(tmp_path, "template <class T, int N> __global__ void k(T* y) { y[0] = N; }\n")
    said = ledger("check", file, "--json").document
    assert [(kernel["template"], kernel["tried"]) for kernel in said["kernels"]] == [(["float", "32"], ["T", "N"])]
    given = ledger("check", file, "--entry", "k<double, (1 << 2)>", "--json").document
    assert [(kernel["template"], kernel["tried"]) for kernel in given["kernels"]] == [(["double", "(1 << 2)"], [])]


def test_a_template_whose_guess_does_not_compile_is_not_tried_rather_than_not_supported(tmp_path: Path) -> None:
    text = "struct Twice { __device__ int operator()(int x) const { return 2 * x; } };\n"
    text += "template <class F> __global__ void k(int* y, F f) { y[0] = f(y[0]); }\n"
    file = _write(tmp_path, text)
    done = ledger("check", file, "--json")
    said = done.document
    assert (done.code, said["supported"], said["reasons"]) == (0, True, [])
    assert [(kernel["template"], kernel["supported"]) for kernel in said["kernels"]] == [(["float"], None)]
    note = said["notes"][0]["text"]
    assert note.startswith("Line 2: k<float> could not be tried, since only the host program knows F and what was put in")
    assert note.endswith("name its arguments: --entry 'k<...>'.")
    assert "k<float>: not tried" in ledger("check", file).out
    given = ledger("check", file, "--entry", "k<Twice>", "--json")
    assert (given.code, [kernel["supported"] for kernel in given.document["kernels"]]) == (0, [True])
    file.write_text(text.replace("y[0] = f", 'asm("nop;"); y[0] = f'), encoding="utf-8")
    assert ledger("check", file).code == 1


def test_a_kernel_that_launches_or_clusters_is_refused_alone(tmp_path: Path) -> None:
    text = "__global__ void child(int* y) { y[0] = 1; }\n__global__ void parent(int* y) { child<<<1, 1>>>(y); }\n"
    text += "__global__ __cluster_dims__(2, 1, 1) void front(int* y) { }\n"
    text += "__global__ void __cluster_dims__(2, 1, 1) back(int* y) { }\n"
    said = ledger("check", _write(tmp_path, text), "--json").document
    found = [(kernel["name"], kernel["supported"]) for kernel in said["kernels"]]
    assert found == [("child", True), ("parent", False), ("front", False), ("back", False)]
    assert [(reason["kernel"], reason["line"]) for reason in said["reasons"]] == [("parent", 2), ("front", 3), ("back", 4)]


def test_a_header_that_is_not_there_is_a_reason_in_quotes_and_a_note_in_angle_brackets(tmp_path: Path) -> None:
    file = _write(tmp_path, "#include <nosuch.h>\n__global__ void k(int* y) { y[0] = 1; }\n")
    done = ledger("check", file, "--json")
    said = "Line 1: <nosuch.h> is not there and counts as empty on the emulator."
    assert (done.code, done.document["notes"]) == (0, [{"kernel": "k", "line": 1, "text": said}])
    file.write_text('#include "nosuch.h"\n__global__ void k(int* y) { y[0] = 1; }\n', encoding="utf-8")
    refused = ledger("check", file, "--json")
    assert (refused.code, refused.document["supported"], refused.document["reasons"][0]["line"]) == (1, False, 1)
    assert refused.document["reasons"][0]["text"].startswith('Line 1: the header "nosuch.h" lies neither beside')


def test_a_file_without_kernels_and_a_broken_one_are_not_supported(tmp_path: Path) -> None:
    empty = ledger("check", _write(tmp_path, "int main() { return 0; }\n"))
    assert (empty.code, empty.err.strip()) == (
        1, "my program.cu has no kernel: no function in it is marked __global__.",
    )  # fmt: skip
    (tmp_path / "my program.cu").write_text("__global__ void k(int* y) {\n  y[0] = nothing;\n}\n", encoding="utf-8")
    said = ledger("check", tmp_path / "my program.cu", "--json").document
    assert said["reasons"][0]["line"] == 2
    assert "nothing" in said["reasons"][0]["text"]


def test_a_missing_file_or_kernel_is_wrong_input(tmp_path: Path) -> None:
    file = _write(tmp_path, REFUSED)
    absent = ledger("check", file, "--entry", "none")
    assert (absent.code, absent.err.strip()) == (2, "my program.cu has no kernel named none; it has: good, whole.")
    assert ledger("check", file, "--entry", "3k").code == 2
    assert ledger("check", tmp_path / "gone.cu").code == 2
