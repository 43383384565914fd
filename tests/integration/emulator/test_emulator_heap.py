"""malloc, free, new and delete inside kernels, and every way of getting them wrong."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.emulator_bench import compile_kernel, launch, launch_failure, run

I32 = np.int32
LIST = """struct Node { int value; Node* next; __device__ Node(int v, Node* n) : value(v), next(n) {} };
__global__ void k(int* y) {
  Node* first = nullptr;
  for (int i = 0; i < 10; ++i) first = new Node(i, first);
  int sum = 0;
  while (first) { sum += first->value; Node* gone = first; first = first->next; delete gone; }
  y[threadIdx.x] = sum;
}"""


@pytest.mark.parametrize("checked", [False, True])
def test_every_thread_makes_and_frees_a_list(checked: bool) -> None:
    found = launch(compile_kernel(LIST), [np.zeros(64, I32)], block=64, checked=checked).arrays[0]
    assert found.tolist() == [45] * 64


def test_malloc_gives_memory_aligned_to_16_bytes_that_another_block_may_free() -> None:
    source = """__device__ int* kept[4];
    __global__ void k(int* y) { int b = blockIdx.x;
      if (b < 4) { kept[b] = (int*)malloc(20 + b); kept[b][4] = b; y[b] = (size_t)kept[b] % 16; }
      else { y[b] = kept[b - 4][4]; free(kept[b - 4]); } }"""
    assert run(source, np.full(8, -1, I32), grid=8).tolist()[:4] == [0, 0, 0, 0]


def test_the_heap_has_8_mib_and_then_gives_nullptr_until_something_is_freed() -> None:
    source = """__device__ int* big; __global__ void k(int* y) { void* taken[16]; int n = 0;
      while (n < 16 && (taken[n] = malloc(1 << 20)) != nullptr) ++n;
      y[0] = n; y[1] = malloc(1 << 20) == nullptr; big = new int[1 << 20]; y[2] = big == nullptr;
      free(taken[0]); void* again = malloc(1 << 20); y[3] = again != nullptr; free(again);
      for (int i = 1; i < n; ++i) free(taken[i]);
      void* most = malloc(7 << 20); y[4] = most != nullptr; free(most); free(nullptr); y[5] = malloc(0) == nullptr; }"""
    assert run(source, np.zeros(6, I32)).tolist() == [7, 1, 1, 1, 1, 1]


def test_a_write_behind_a_block_of_the_heap_is_out_of_bounds() -> None:
    kernel = compile_kernel("__global__ void k(int* y) {\n  int* p = (int*)malloc(16);\n  p[4] = 1;\n  free(p);\n}")
    failure = launch_failure(kernel, np.zeros(1, I32), checked=True)
    assert failure.kind == "OutOfBounds"
    assert failure.lines[0].line == 3


def test_a_read_of_freed_memory_is_out_of_bounds() -> None:
    body = "int* p = (int*)malloc(16);\n  p[0] = 1;\n  free(p);\n  y[0] = p[0];"
    kernel = compile_kernel(f"__global__ void k(int* y) {{\n  {body}\n}}")
    failure = launch_failure(kernel, np.zeros(1, I32), checked=True)
    assert (failure.kind, failure.lines[0].line) == ("OutOfBounds", 5)


@pytest.mark.parametrize(("give", "line"), [("free(p);\n  free(p);", 4), ("free(p + 1);", 3), ("delete y;", 3)])
def test_giving_back_what_is_no_block_of_the_heap_is_a_fault(give: str, line: int) -> None:
    kernel = compile_kernel(f"__global__ void k(int* y) {{\n  int* p = (int*)malloc(64);\n  {give}\n}}")
    failure = launch_failure(kernel, np.zeros(1, I32))
    assert "given back to the device heap, which has no block in use there" in str(failure.message)
    assert str(failure.message).startswith(f"Line {line}: ")
