"""Compile, load, launch and check on a real GPU."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.gpu.conftest import MakeKernel
from workbench.model.launch import ResolvedLaunch
from workbench.model.project import DTYPES
from workbench.plugin_api import Argument, Array, Fault, GuardHit, ValueSpec

if TYPE_CHECKING:
    from plugins.cuda.in_worker import CudaDevice

pytestmark = pytest.mark.gpu

SAXPY = """
__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""


def in_blocks(count: int, block: int = 256) -> ResolvedLaunch:
    """Return a launch of one thread for each of `count` elements."""
    return ResolvedLaunch(((count + block - 1) // block, 1, 1), (block, 1, 1))


def test_saxpy_gives_what_numpy_gives(device: CudaDevice, make: MakeKernel) -> None:
    n = 100_003
    x, y = np.arange(n, dtype=np.float32), np.ones(n, np.float32)
    on_x, on_y = device.allocate(x.nbytes), device.allocate(y.nbytes)
    device.write(on_x, x)
    device.write(on_y, y)
    device.launch(make(SAXPY, "saxpy"), in_blocks(n), [np.int32(n), np.float32(2), on_x, on_y])
    np.testing.assert_array_equal(device.read(on_y, "float32", (n,)), 2 * x + 1)
    assert device.check_guards([on_x, on_y]) == []
    device.free(on_x)
    device.free(on_y)


def test_the_compiler_tells_resources_and_finds_its_binary_again(make: MakeKernel) -> None:
    first = make(SAXPY, "saxpy").compiled.data
    again = make(SAXPY, "saxpy").compiled.data
    assert (first.registers or 0) > 0
    assert first.spill_bytes == 0
    assert not first.cached
    assert again.cached
    assert again.binary_hash == first.binary_hash


def test_a_template_kernel_is_found_by_its_arguments(device: CudaDevice, make: MakeKernel) -> None:
    source = "template <class T, int N> __global__ void grow(T* y) { y[threadIdx.x] *= N; }"
    kernel = make(source, "grow", template=("double", "3"))
    buffer = device.allocate(64)
    device.write(buffer, np.full(8, 2.0))
    device.launch(kernel, ResolvedLaunch((1, 1, 1), (8, 1, 1)), [buffer])
    assert device.read(buffer, "float64", (8,)).tolist() == [6.0] * 8


def test_constants_are_filled_in_their_own_type(device: CudaDevice, make: MakeKernel) -> None:
    source = """
    __constant__ float weights[3];
    __constant__ int offset[1];
    __global__ void put(float* y) { y[threadIdx.x] = weights[threadIdx.x] + offset[0]; }
    """
    kernel = make(source, "put", constants={"weights": (0.5, 1.5, 2.5), "offset": (10,)})
    buffer = device.allocate(12)
    device.launch(kernel, ResolvedLaunch((1, 1, 1), (3, 1, 1)), [buffer])
    assert device.read(buffer, "float32", (3,)).tolist() == [10.5, 11.5, 12.5]


def test_too_many_values_for_a_constant_are_refused(make: MakeKernel) -> None:
    source = "__constant__ float w[2]; __global__ void put(float* y) { y[0] = w[0]; }"
    with pytest.raises(Fault) as told:
        make(source, "put", constants={"w": (1, 2, 3)})
    assert told.value.failure.kind == "LaunchRefused"


def test_writes_on_both_sides_of_a_buffer_are_seen(device: CudaDevice, make: MakeKernel) -> None:
    kernel = make("__global__ void stray(char* p, int n) { p[-3] = 0; p[-3] ^= 1; p[n + 5] = 1; p[n + 5] ^= p[n + 6]; }", "stray")
    good, bad = device.allocate(1000), device.allocate(1001)
    device.launch(kernel, ResolvedLaunch((1, 1, 1), (1, 1, 1)), [bad, np.int32(1001)])
    hits = device.check_guards([good, bad])
    assert hits == [GuardHit(1, -3), GuardHit(1, 1006)]


@pytest.mark.parametrize("block", [(2048, 1, 1), (1, 1, 128), (32, 32, 2)])
def test_a_block_beyond_the_limit_is_refused_with_both_numbers(
    device: CudaDevice, make: MakeKernel, block: tuple[int, int, int]
) -> None:
    buffer = device.allocate(4)
    with pytest.raises(Fault) as told:
        device.launch(make(SAXPY, "saxpy"), ResolvedLaunch((1, 1, 1), block), [np.int32(0), np.float32(0), buffer, buffer])
    assert told.value.failure.kind == "LaunchRefused"
    assert str(max(block)) in str(told.value.failure.message) or "2048" in str(told.value.failure.message)


def test_shared_memory_up_to_the_limit_runs_and_beyond_it_is_refused(device: CudaDevice, make: MakeKernel) -> None:
    source = """__global__ void far(int* y, int n) {
        extern __shared__ int s[];
        s[n / 4 - 1] = 7;
        __syncthreads();
        y[0] = s[n / 4 - 1];
    }"""
    kernel, limit = make(source, "far"), int(device.info.properties["shared_optin_bytes"])
    buffer = device.allocate(4)
    device.launch(kernel, ResolvedLaunch((1, 1, 1), (1, 1, 1), limit), [buffer, np.int32(limit)])
    assert device.read(buffer, "int32", (1,)).tolist() == [7]
    with pytest.raises(Fault) as told:
        device.launch(kernel, ResolvedLaunch((1, 1, 1), (1, 1, 1), limit + 4), [buffer, np.int32(limit)])
    assert told.value.failure.kind == "LaunchRefused"
    assert str(limit) in str(told.value.failure.message)
    assert str(limit + 4) in str(told.value.failure.message)


def test_arguments_that_do_not_match_the_signature_are_refused(device: CudaDevice, make: MakeKernel) -> None:
    kernel, buffer = make(SAXPY, "saxpy"), device.allocate(4)
    too_few: list[Argument] = [np.int32(0), np.float32(0), buffer]
    too_wide: list[Argument] = [np.int64(0), np.float32(0), buffer, buffer]
    for arguments in (too_few, too_wide):
        with pytest.raises(Fault) as told:
            device.launch(kernel, in_blocks(1), arguments)
        assert told.value.failure.kind == "LaunchRefused"


def test_the_device_still_works_after_refusals(device: CudaDevice, make: MakeKernel) -> None:
    test_saxpy_gives_what_numpy_gives(device, make)


STICKY = """
import sys, tempfile
from pathlib import Path
import numpy as np
from plugins.cuda.in_worker import open_cuda
from workbench.model.launch import Launch, ResolvedLaunch
from workbench.model.source import SourceText
from workbench.plugin_api import Code, Fault
device = open_cuda("cuda:0", may_measure=False)
source = sys.argv[1]
code = Code(SourceText(source), "cuda", "bad", Launch((1,), (1,)))
kernel = device.load(device.compile(code, Path(tempfile.mkdtemp())), {})
buffer = device.allocate(400)
for _ in range(2):
    try:
        device.launch(kernel, ResolvedLaunch((1, 1, 1), (64, 1, 1)), [buffer])
    except Fault as fault:
        print(fault.failure.kind)
"""


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("p[threadIdx.x * 1000000000ull] = 1.f;", "OutOfBounds"),
        ("p[1ull << 40] = 1.f;", "OutOfBounds"),
        ("*(double*)((char*)p + 4) = threadIdx.x;", "DeviceFault"),
        ("__trap();", "DeviceFault"),
    ],
)
def test_a_fault_in_a_kernel_is_told_by_its_code_and_sticks_to_its_process(body: str, kind: str) -> None:
    source = f"__global__ void bad(float* p) {{ {body} }}"
    done = subprocess.run([sys.executable, "-c", STICKY, source], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.split() == [kind, kind], done.stderr


@pytest.mark.parametrize("dtype", DTYPES)
def test_drawn_values_follow_the_seed_and_the_distribution(device: CudaDevice, dtype: str) -> None:
    n = 100_000
    buffers = [device.allocate(8 * n) for _ in range(3)]
    for buffer, seed in zip(buffers, (1, 1, 2), strict=True):
        device.draw(buffer, dtype, (n,), ValueSpec("integers", 0, 2 if dtype == "bool" else 100), seed)
    first, again, other = (device.read(buffer, dtype, (n,)) for buffer in buffers)
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    real = as_real(first, dtype)
    assert real.min() == 0
    assert real.max() == (1 if dtype == "bool" else 99)
    assert abs(real.mean() - real.max() / 2) < 1
    device.draw(buffers[0], dtype, (5,), ValueSpec("arange"), 0)
    device.draw(buffers[1], dtype, (5,), ValueSpec("ones"), 0)
    assert as_real(device.read(buffers[0], dtype, (5,)), dtype).tolist() == (
        [0, 1, 1, 1, 1] if dtype == "bool" else [0, 1, 2, 3, 4]
    )
    assert as_real(device.read(buffers[1], dtype, (5,)), dtype).tolist() == [1] * 5
    for buffer in buffers:
        device.free(buffer)


def as_real(values: Array, dtype: str) -> Array:
    """Return values as float64; bfloat16 comes as its bits."""
    if dtype == "bfloat16":
        return (values.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return values.astype(np.float64)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_normal_and_uniform_reals_have_their_moments(device: CudaDevice, dtype: str) -> None:
    n = 1_000_000
    buffer = device.allocate(8 * n)
    device.draw(buffer, dtype, (n,), ValueSpec("normal"), 5)
    normal = as_real(device.read(buffer, dtype, (n,)), dtype)
    assert abs(normal.mean()) < 0.01
    assert abs(normal.std() - 1) < 0.01
    assert abs((normal**4).mean() - 3) < 0.05
    device.draw(buffer, dtype, (n,), ValueSpec("uniform", -2, 4), 5)
    uniform = as_real(device.read(buffer, dtype, (n,)), dtype)
    assert -2 <= uniform.min() < -1.98
    assert 3.98 < uniform.max() <= 4
    assert abs(uniform.mean() - 1) < 0.02
    device.free(buffer)


def test_differing_counts_by_the_tolerance_and_treats_nan_and_infinity_as_kinds(device: CudaDevice) -> None:
    n = 1_000_001
    a = np.random.default_rng(3).standard_normal(n).astype(np.float32)
    b = a.copy()
    b[10] += 1
    b[20] *= np.float32(1 + 1e-6)
    a[30] = b[30] = np.nan
    a[40], b[40] = np.inf, -np.inf
    a[50], b[50] = np.nan, 0
    on_a, on_b = device.allocate(a.nbytes), device.allocate(b.nbytes)
    device.write(on_a, a)
    device.write(on_b, b)
    assert device.differing(on_a, on_b, "float32", 1e-4, 0.0) == 3
    assert device.differing(on_a, on_b, "float32", 0.0, 2.0) == 2
    assert device.differing(on_a, on_a, "float32", 0.0, 0.0) == 0


def test_large_integers_are_compared_exactly(device: CudaDevice) -> None:
    a = np.array([2**60, 2**60 + 1, -5, 0], np.int64)
    b = np.array([2**60 + 1, 2**60 + 1, -5, 0], np.int64)
    on_a, on_b = device.allocate(a.nbytes), device.allocate(b.nbytes)
    device.write(on_a, a)
    device.write(on_b, b)
    assert device.differing(on_a, on_b, "int64", 0.0, 0.0) == 1


def test_fill_and_copy_reach_every_byte(device: CudaDevice) -> None:
    source, target = device.allocate(1003), device.allocate(1003)
    device.fill(source, 0xA7)
    device.copy(target, source)
    assert set(device.read(target, "uint8", (1003,)).tolist()) == {0xA7}
    assert device.check_guards([source, target]) == []


def test_host_code_goes_through_nvcc_where_it_is(device: CudaDevice, make: MakeKernel) -> None:
    kernel = make("#include <iostream>\n" + SAXPY + 'int main() { std::cout << "x"; saxpy<<<1, 1>>>(0, 0, 0, 0); }\n', "saxpy")
    assert kernel.compiled.data.compiler.startswith("nvcc")
    assert kernel.compiled.symbol == "_Z5saxpyifPKfPf"
