"""Texture objects: what is read between, at and beyond the texels."""

from __future__ import annotations

import numpy as np
import pytest

from plugins.emulator.textures import Address, EmulatorTexture, Sampling
from tests.helpers.emulator_bench import Array, compile_kernel, launch
from workbench.plugin_api import Fault

SOURCE = """
__global__ void k(float* y, cudaTextureObject_t picture, const float* x, const float* z, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = tex2D<float>(picture, x[i], z[i]);
}"""
PICTURE = np.arange(12, dtype=np.float32).reshape(3, 4)


def read(sampling: Sampling, x: list[float], y: list[float]) -> list[float]:
    """Return what tex2D gives at (x, y) of a picture that counts its texels by rows of four."""
    texture = EmulatorTexture(PICTURE, 2, sampling)
    places = [np.array(values, np.float32) for values in (x, y)]
    given: list[Array | np.generic] = [np.zeros(len(x), np.float32), texture.handle, *places, np.int32(len(x))]
    result: list[float] = launch(compile_kernel(SOURCE), given, block=len(x), checked=True).arrays[0].tolist()
    return result


def test_points_take_the_texel_they_lie_in_and_the_edge_beyond_it() -> None:
    assert read(Sampling(), [0.5, 3.99, -7, 99, 1.0], [0.5, 2.5, 1.5, 99, 0.0]) == [0, 11, 4, 11, 1]
    assert read(Sampling("border"), [0.5, -0.01, 4.0, 1.5], [0.5, 0.5, 0.5, 3.0]) == [0, 0, 0, 0]


def test_linear_reads_mix_neighbours_around_centres_with_weights_of_256ths() -> None:
    linear = Sampling(linear=True)
    assert read(linear, [0.5, 1.0, 1.0, 0.0], [0.5, 0.5, 1.0, 0.5]) == [0, 0.5, 2.5, 0]
    assert read(linear, [0.5 + 0.3], [0.5]) == [round(0.3 * 256) / 256]
    assert read(Sampling("border", linear=True), [0.0, 4.0], [0.5, 0.5]) == [0, 1.5]


def test_unit_coordinates_wrap_and_mirror() -> None:
    x = [0.125, 1.125, -0.125, 1.875, -0.875]
    y = [1 / 6] * 5
    assert read(Sampling("wrap", unit_coordinates=True), x, y) == [0, 0, 3, 3, 0]
    assert read(Sampling("mirror", unit_coordinates=True), x, y) == [0, 3, 0, 0, 3]
    assert read(Sampling("wrap", linear=True, unit_coordinates=True), [0.0], [1 / 6]) == [1.5]


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("address", ["clamp", "border", "wrap", "mirror"])
def test_coordinates_that_are_no_numbers_or_far_too_large_stay_inside(address: Address, linear: bool) -> None:
    wild = [float("nan"), float("inf"), -float("inf"), 3e38, -3e38]
    got = np.array(read(Sampling(address, linear=linear, unit_coordinates=True), wild, wild))
    assert ((got >= 0) & (got <= PICTURE.max())).all()


def test_corners_of_a_volume_share_their_weights_as_on_an_h200() -> None:
    source = """__global__ void k(float* y, cudaTextureObject_t v, float x, float z) {
      y[0] = tex3D<float>(v, x, x, z);
    }"""
    corners = np.zeros((2, 2, 2), np.float32)
    corners[0, 1, 1] = 256
    texture = EmulatorTexture(corners, 3, Sampling(linear=True))
    places = np.float32(0.5 + 129 / 256), np.float32(0.5 + 1 / 256)
    got = launch(compile_kernel(source), [np.zeros(1, np.float32), texture.handle, *places]).arrays[0]
    assert got.tolist() == [65]  # of 129 * 129 * 255 / 256^2 = 64.75: along x and z 128.496, cut to 128, then y: 64.5, up


def test_channels_integers_and_unit_values_come_as_their_vector_types() -> None:
    source = """
    __global__ void k(float4* y, uchar4* z, cudaTextureObject_t units, cudaTextureObject_t bytes) {
      y[0] = tex1D<float4>(units, 1.5f); y[1] = tex1Dfetch<float4>(units, 5); z[0] = tex1D<uchar4>(bytes, 0.5f);
    }"""
    data = np.array([[0, 51, 102, 255], [255, 0, 51, 1]], np.uint8)
    units, plain = EmulatorTexture(data, 1, Sampling(unit_values=True)), EmulatorTexture(data, 1)
    given: list[Array | np.generic] = [np.zeros((2, 4), np.float32), np.zeros(4, np.uint8), units.handle, plain.handle]
    got = launch(compile_kernel(source), given).arrays
    np.testing.assert_allclose(got[0], np.array([[1, 0, 0.2, 1 / 255], [0, 0, 0, 0]]), rtol=1e-6)
    assert got[1].tolist() == [0, 51, 102, 255]


def test_a_volume_is_read_by_three_coordinates() -> None:
    source = "__global__ void k(float* y, cudaTextureObject_t v) { y[0] = tex3D<float>(v, 1.5f, 0.5f, 1.f); }"
    volume = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    texture = EmulatorTexture(volume, 3, Sampling(linear=True))
    assert launch(compile_kernel(source), [np.zeros(1, np.float32), texture.handle]).arrays[0].tolist() == [4]


@pytest.mark.parametrize(
    ("data", "axes", "sampling", "sentence"),
    [
        (np.zeros((2, 2), np.float64), 2, Sampling(), "CUDA has no texture of float64 read like this"),
        (np.zeros((2, 2), np.uint8), 2, Sampling(linear=True), "linear filtering needs float32 or unit values"),
        (np.zeros((2, 2), np.uint32), 2, Sampling(unit_values=True), "unit values need 8 or 16 bit integers"),
        (np.zeros((2, 2, 3), np.float32), 2, Sampling(), "cannot be made from an array of shape 2x2x3"),
        (np.zeros((0,), np.float32), 1, Sampling(), "A texture of 1 axes cannot be made"),
    ],
)
def test_textures_that_cuda_does_not_have_are_refused(data: Array, axes: int, sampling: Sampling, sentence: str) -> None:
    with pytest.raises(Fault) as raised:
        EmulatorTexture(data, axes, sampling)
    assert raised.value.failure.kind == "LaunchRefused"
    assert sentence in str(raised.value.failure.message)
