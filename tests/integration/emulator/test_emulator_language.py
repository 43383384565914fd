"""CUDA C++ that must compile and mean the same as on a GPU."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.emulator_bench import compile_failure, compile_kernel, launch, run

F32 = np.float32


def test_a_kernel_without_extern_c_is_found_by_its_name() -> None:
    source = "__global__ void k(float* y, float a) { y[threadIdx.x] = a * threadIdx.x; }"
    assert run(source, np.zeros(4, F32), F32(2), block=4).tolist() == [0, 2, 4, 6]


def test_a_template_is_instantiated_with_the_projects_arguments() -> None:
    source = "template <typename T, int N> __global__ void k(T* y) { y[threadIdx.x] = T(N) / T(2); }"
    assert run(source, np.zeros(2, F32), block=2, compiling={"template": ("float", "5")}).tolist() == [2.5, 2.5]
    assert run(source, np.zeros(2, np.int32), block=2, compiling={"template": ("int", "5")}).tolist() == [2, 2]


def test_a_template_without_arguments_says_what_is_missing() -> None:
    failure = compile_failure("template <typename T> __global__ void k(T* y) { y[0] = 1; }")
    assert failure.kind == "CompileFailed"
    assert "[kernel] template must give its arguments" in str(failure.message)


def test_structs_methods_and_device_functions_work() -> None:
    source = """
    struct Rgb { float r, g, b; __device__ float luma() const { return 0.5f * r + 0.25f * g + 0.25f * b; } };
    namespace tools { template <typename T> __device__ __forceinline__ T twice(T x) { return x + x; } }
    extern "C" __global__ void k(float* y, const Rgb* p) { y[threadIdx.x] = tools::twice(p[threadIdx.x].luma()); }
    """
    pixels = np.array([[2, 4, 8], [0, 0, 4]], F32)
    assert run(source, np.zeros(2, F32), pixels, block=2).tolist() == [8, 2]


def test_a_kernel_in_a_namespace_is_found_with_and_without_it() -> None:
    source = "namespace image { __global__ void k(int* y) { *y = 7; } }"
    assert run(source, np.zeros(1, np.int32), entry="image::k").tolist() == [7]
    assert run(source, np.zeros(1, np.int32), entry="k").tolist() == [7]


def test_constant_arrays_are_filled_and_device_variables_start_fresh() -> None:
    source = """
    __constant__ float weights[3]; __constant__ int bias; __device__ int calls = 0;
    __global__ void k(float* y) { calls += 1; y[0] = weights[0] + weights[1] * 10 + weights[2] * 100 + bias + calls * 1000; }
    """
    constants = {"weights": (1.0, 2.0, 3.0), "bias": (5.0,)}
    kernel = compile_kernel(source, constants=constants)
    assert launch(kernel, [np.zeros(1, F32)]).arrays[0][0] == 1326
    assert launch(kernel, [np.zeros(1, F32)]).arrays[0][0] == 2326
    assert launch(compile_kernel(source, constants=constants), [np.zeros(1, F32)]).arrays[0][0] == 1326


def test_a_constant_that_is_not_there_names_those_that_are() -> None:
    failure = compile_failure("__constant__ float w[2]; __global__ void k(float* y) { y[0] = w[0]; }", constants={"v": (1.0,)})
    assert "does not declare as __constant__; it has: w." in str(failure.message)


def test_grids_and_blocks_have_three_dimensions() -> None:
    source = """
    __global__ void k(int* y) {
      int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
      int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
      y[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 100 + thread;
    }"""
    got = run(source, np.zeros(24 * 24, np.int32), grid=(2, 3, 4), block=(4, 3, 2))
    assert got.tolist() == [block * 100 + thread for block in range(24) for thread in range(24)]


def test_vector_types_have_cudas_sizes_and_alignments() -> None:
    source = """
    template <class T> __device__ int both() { return int(sizeof(T)) * 100 + int(alignof(T)); }
    __global__ void k(int* y) {
      int i = 0;
      y[i++] = both<float2>(); y[i++] = both<float3>(); y[i++] = both<float4>(); y[i++] = both<uchar3>(); y[i++] = both<uchar4>();
      y[i++] = both<short4>(); y[i++] = both<double2>(); y[i++] = both<longlong2>(); y[i++] = both<int3>();
        y[i++] = both<ushort2>();
    }"""
    assert run(source, np.zeros(10, np.int32)).tolist() == [808, 1204, 1616, 301, 404, 808, 1616, 1616, 1204, 404]


def test_float4_loads_and_make_functions_work() -> None:
    source = """
    __global__ void k(float* y, const float* x) {
      float4 v = reinterpret_cast<const float4*>(x)[threadIdx.x];
      reinterpret_cast<float4*>(y)[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
    }"""
    x = np.arange(8, dtype=F32)
    assert run(source, np.zeros(8, F32), x, block=2).tolist() == [3, 2, 1, 0, 7, 6, 5, 4]


def test_shared_memory_is_static_or_dynamic_or_named_at_file_scope() -> None:
    source = """
    extern __shared__ float all[];
    __device__ float other(int n) { return all[n - 1 - threadIdx.x]; }
    __global__ void k(float* y, const float* x, int n) {
      __shared__ float still[64];
      extern __shared__ __align__(16) float mine[];
      mine[threadIdx.x] = x[threadIdx.x];
      still[threadIdx.x] = x[threadIdx.x] * 10;
      __syncthreads();
      y[threadIdx.x] = other(n) + still[n - 1 - threadIdx.x];
    }"""
    x = np.arange(64, dtype=F32)
    kernel = compile_kernel(source)
    assert kernel.compiled.data.static_shared_bytes == 256
    got = launch(kernel, [np.zeros(64, F32), x, np.int32(64)], block=64, shared=256).arrays[0]
    assert got.tolist() == (11 * x[::-1]).tolist()


def test_loops_qualifiers_and_pragmas_of_real_kernels_are_understood() -> None:
    source = """
    #define BLOCK 32
    #define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
    enum { LEFT = 1, RIGHT };
    typedef unsigned int word;
    constexpr int STEPS[3] = {1, 2, 3};
    static __device__ __noinline__ word add(word a, word b) { return a + b; }
    template <class T> __global__ void __launch_bounds__(BLOCK, 2) k(T* __restrict__ y, const int n) {
      word total = 0;
      #pragma unroll 4
      for (int i = 0; i < CEIL_DIV(n, 4); ++i) { if (i == 3) continue; total = add(total, STEPS[i % 3]); }
      const auto f = [&](int x) { return x * RIGHT; };
      do { total -= 1; } while (total > 100);
      switch (total) { case 3: total += LEFT; break; default: total += f(10); }
      y[threadIdx.x] = T(total);
    }"""
    assert run(source, np.zeros(1, np.int32), np.int32(16), compiling={"template": ("int",)}).tolist() == [25]


def test_printf_comes_out_after_the_launch(capfd: pytest.CaptureFixture[str]) -> None:
    source = '#include <stdio.h>\n__global__ void k(int* y) { printf("thread %d of %s: %.1f\\n", threadIdx.x, "a block", 1.5f); }'
    run(source, np.zeros(1, np.int32), block=2)
    out = capfd.readouterr().out
    assert out == "thread 0 of a block: 1.5\nthread 1 of a block: 1.5\n"


def test_options_set_macros_and_say_what_they_do_not_mean_here() -> None:
    source = "__global__ void k(int* y) { y[0] = WIDTH; }"
    kernel = compile_kernel(source, options=("-std=c++17", "-DWIDTH=12", "--use_fast_math", "-lineinfo"))
    assert launch(kernel, [np.zeros(1, np.int32)]).arrays[0].tolist() == [12]
    warnings = kernel.compiled.data.warnings
    assert [warning.split(": ")[1] for warning in warnings] == ["-lineinfo"]


def test_the_arch_option_chooses_the_path() -> None:
    source = "__global__ void k(int* y) {\n#if __CUDA_ARCH__ >= 800\n  y[0] = 80;\n#else\n  y[0] = 70;\n#endif\n}"
    assert run(source, np.zeros(1, np.int32)).tolist() == [70]
    assert run(source, np.zeros(1, np.int32), compiling={"options": ("-arch=sm_90",)}).tolist() == [80]


def test_every_way_to_write_a_shared_variable_compiles() -> None:
    source = """
    __global__ void k(float* y) {
      static __shared__ float a[4];
      volatile __shared__ float b[4];
      float __shared__ c[4];
      __shared__ __align__(16) float d[4];
      __align__(16) __shared__ float e[4];
      __shared__ alignas(16) float f[4];
      __shared__ struct { int q; float w; } st;
      __shared__ int i1, i2;
      a[threadIdx.x] = 1; b[threadIdx.x] = 2; c[threadIdx.x] = 3; d[threadIdx.x] = 4; e[threadIdx.x] = 5; f[threadIdx.x] = 6;
      st.q = 1; st.w = 2; i1 = 3; i2 = 4;
      __syncthreads();
      y[threadIdx.x] = a[0] + b[1] + c[2] + d[3] + e[0] + f[1] + st.q + st.w + i1 + i2;
    }"""
    assert run(source, np.zeros(4, F32), block=4).tolist() == [31] * 4


def test_host_members_of_a_struct_are_left_out() -> None:
    source = """
    #include <iostream>
    struct V {
      float x, y;
      __host__ __device__ V(float a, float b) : x(a), y(b) {}
      __host__ __device__ V operator+(const V& o) const { return V(x + o.x, y + o.y); }
      void show() const { std::cout << x << std::endl; }
      friend std::ostream& operator<<(std::ostream& out, const V& v) { return out << v.x; }
    };
    __global__ void k(float* y) { V v = V(1, 2) + V(3, 4); y[0] = v.x * v.y; }
    """
    assert run(source, np.zeros(1, F32)).tolist() == [24]


def test_a_pointer_to_rows_of_an_array_may_be_declared_without_a_space() -> None:
    source = """
    __global__ void k(int* y) {
      extern __shared__ int all[];
      int(*rows)[4] = reinterpret_cast<int(*)[4]>(all);
      int (*more)[4] = reinterpret_cast<int (*)[4]>(all + 8);
      rows[1][threadIdx.x] = 10 + threadIdx.x; more[0][threadIdx.x] = 20;
      y[threadIdx.x] = all[4 + threadIdx.x] + all[8 + threadIdx.x];
    }"""
    assert launch(compile_kernel(source), [np.zeros(4, np.int32)], block=4, shared=64).arrays[0].tolist() == [30, 31, 32, 33]
