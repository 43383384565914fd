"""What a candidate is tried on: a small plan that replays from its seed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.errors import WrongInput
from workbench.model.launch import Launch
from workbench.model.project import DTYPES, Argument, DeviceSettings, Kernel, Project, SizeRange, SweepSettings, ValueSpec
from workbench.proof import dtypes
from workbench.proof.inputs import MAX_ELEMENTS, CasePlan, input_elements, make_inputs, plan_cases, scalar_value
from workbench.proof.shapes import boundary_sizes, range_of, tile_extents

BLOCK = (16, 16, 1)
IMAGE = Project(
    "image",
    Path(),
    Kernel("cuda", "k.cu", "k", Launch(("ceil(width / 16)", "ceil(height / 16)", "batch"), BLOCK)),
    (
        Argument("src", "uint8", "input", ("batch", "height", "width", 3), None, ValueSpec("integers", 0, 256)),
        Argument("dst", "float32", "output", ("batch", "height", "width")),
        Argument("width", "int32", value="width"),
    ),
    {"width": SizeRange(1920, 1, 4096), "height": SizeRange(1080, 1, 4096), "batch": SizeRange(8, 1, 32)},
    devices={"emulator": DeviceSettings({"batch": 1})},
)


WIDE = Launch(("ceil(width / 32)", "ceil(height / 8)", "batch"), (32, 8, 1))


def vector(dtype: str = "float32", values: ValueSpec | None = None, low: int = 1, high: int = 100000) -> Project:
    """A project of one axis whose input has this type and distribution."""
    kernel = Kernel("cuda", "k.cu", "k", Launch(("ceil(n / 256)",), (256,)))
    arguments = (Argument("x", dtype, "input", ("n",), None, values), Argument("y", "float32", "output", ("n",)))
    return Project("vector", Path(), kernel, arguments, {"n": SizeRange(4096, low, high)})


def plan(distribution: str = "declared", seed: int = 1) -> CasePlan:
    return msgspec.convert({"sizes": {"n": 1000}, "distribution": distribution, "seed": seed, "purpose": "values"}, CasePlan)


def test_the_declared_case_comes_first_and_again_with_another_seed() -> None:
    first, second, *_ = plan_cases(IMAGE, "emulator", BLOCK, 7)
    assert first.sizes == second.sizes == {"width": 1920, "height": 1080, "batch": 1}
    assert (first.purpose, second.purpose) == ("declared", "second seed")
    assert first.seed != second.seed


def test_the_same_seed_gives_the_same_plan_and_no_seed_a_secret_one() -> None:
    assert plan_cases(IMAGE, "cuda", BLOCK, 7) == plan_cases(IMAGE, "cuda", BLOCK, 7)
    assert plan_cases(IMAGE, "cuda", BLOCK, 7) != plan_cases(IMAGE, "cuda", BLOCK, 8)
    assert plan_cases(IMAGE, "cuda", BLOCK)[0].seed != plan_cases(IMAGE, "cuda", BLOCK)[0].seed


def test_sizes_are_tried_around_the_block_of_their_own_axis() -> None:
    shapes = dict(reversed(boundary_sizes(IMAGE, IMAGE.default_sizes("cuda"), tile_extents(IMAGE, (32, 8, 1), WIDE), 10**7)))
    assert shapes["smallest"] == {"width": 1, "height": 1, "batch": 1}
    assert (shapes["block − 1"]["width"], shapes["block − 1"]["height"]) == (31, 7)
    assert (shapes["block"]["width"], shapes["block"]["height"]) == (32, 8)
    assert (shapes["block + 1"]["width"], shapes["block + 1"]["height"]) == (33, 9)
    assert shapes["prime"]["width"] == 37
    assert shapes["prime"]["height"] == 11
    assert any(label == "one" for label in shapes)
    assert any(label == "longest" for label in shapes)


def test_the_boundary_is_what_a_block_covers_not_how_many_threads_it_has() -> None:
    """Four pixels a thread: 128 wide tiles from blocks of 32."""
    launch = Launch(("ceil(width / (32 * 4))", "ceil(height / 8)", "batch"), (32, 8, 1))
    assert tile_extents(IMAGE, (32, 8, 1), launch) == {"width": 128, "height": 8, "batch": 1}
    widths = {case.sizes["width"] for case in plan_cases(IMAGE, "cuda", (32, 8, 1), 1, launch=launch)}
    assert {127, 128, 129} <= widths


def test_a_flat_grid_covers_every_size_it_names() -> None:
    launch = Launch(("ceil(width * height / 256)",), (256,))
    assert tile_extents(IMAGE, (256, 1, 1), launch) == {"width": 256, "height": 256, "batch": 1}


def test_a_grid_that_does_not_grow_leaves_the_block() -> None:
    launch = Launch(("min(width, 1)", "height // 100000 + 1", 4), (64, 2, 1))
    assert tile_extents(IMAGE, (64, 2, 1), launch) == {"width": 64, "height": 2, "batch": 1}


def test_a_grid_that_cannot_be_computed_at_one_leaves_the_block() -> None:
    launch = Launch(("width / 2", "height", "batch"), (64, 2, 1))
    assert tile_extents(IMAGE, (64, 2, 1), launch)["width"] == 64


def test_a_size_that_no_grid_axis_names_is_kept_small_and_tried_at_one() -> None:
    arguments = (Argument("a", "float32", "input", ("m", "k")), Argument("c", "float32", "output", ("m",)))
    kernel = Kernel("cuda", "k.cu", "k", Launch(("ceil(m / 64)",), (64,)))
    project = Project("sum", Path(), kernel, arguments, {"m": SizeRange(512, 1, 4096), "k": SizeRange(64, 1, 512)})
    extents = tile_extents(project, (64, 1, 1), kernel.launch)
    assert extents == {"m": 64, "k": 1}
    shapes = boundary_sizes(project, {"m": 512, "k": 64}, extents, 10**6)
    assert any(sizes["k"] == 1 and sizes["m"] > 64 for _, sizes in shapes)


def test_every_distribution_is_tried_that_a_float_input_can_take() -> None:
    tried = {case.distribution for case in plan_cases(vector(), "cuda", (256, 1, 1), 1)}
    assert tried == {"declared", "zeros", "ones", "small", "near overflow", "denormal"}


def test_integers_have_no_subnormal_numbers() -> None:
    tried = {case.distribution for case in plan_cases(IMAGE, "cuda", BLOCK, 1)}
    assert tried == {"declared", "zeros", "ones", "small", "near overflow"}


def test_values_stay_inside_the_declared_range() -> None:
    """An index of 0 where 5 to 9 is promised would be nobody's fault."""
    project = vector("int32", ValueSpec("integers", 5, 10))
    tried = {case.distribution for case in plan_cases(project, "cuda", (256, 1, 1), 1)}
    assert tried == {"declared", "near overflow"}
    largest = make_inputs(project.arguments, {"n": 100}, plan("near overflow"))["x"]
    assert set(largest.tolist()) == {9}


def test_no_case_but_the_declared_one_is_larger_than_the_device_can_do() -> None:
    for case in plan_cases(IMAGE, "emulator", BLOCK, 1)[2:]:
        assert input_elements(IMAGE, case.sizes) <= MAX_ELEMENTS["emulator"]
    tight = msgspec.structs.replace(IMAGE, sweep=SweepSettings(max_elements=5000))
    for case in plan_cases(tight, "cuda", BLOCK, 1)[2:]:
        assert input_elements(tight, case.sizes) <= 5000


def test_a_project_without_sizes_is_tried_at_its_one_shape() -> None:
    kernel = Kernel("cuda", "k.cu", "k", Launch((1,), (256,)))
    project = Project("fixed", Path(), kernel, (Argument("x", "float32", "inout", (256,)),))
    cases = plan_cases(project, "cuda", (256, 1, 1), 1)
    assert all(case.sizes == {} for case in cases)
    assert {case.purpose for case in cases} == {"declared", "second seed", "values"}


def test_shapes_that_the_project_cannot_have_are_left_out() -> None:
    arguments = (Argument("x", "float32", "input", ("n - 300",)), Argument("y", "float32", "output", ("n",)))
    project = msgspec.structs.replace(vector(), arguments=arguments)
    shapes = boundary_sizes(project, {"n": 4096}, {"n": 256}, 10**6)
    assert shapes
    assert all(sizes["n"] >= 300 for _, sizes in shapes)


ranges = st.tuples(st.integers(1, 50), st.integers(0, 5000), st.integers(0, 5000))


@given(ranges, ranges, st.tuples(st.integers(1, 1024), st.integers(1, 32)), st.integers(200, 10**6))
@settings(max_examples=40)
def test_boundary_shapes_are_distinct_and_inside_their_ranges(
    w: tuple[int, int, int], h: tuple[int, int, int], block: tuple[int, int], limit: int
) -> None:
    sizes = {name: SizeRange(low + extra, low, low + extra + more) for name, (low, extra, more) in (("width", w), ("height", h))}
    project = msgspec.structs.replace(IMAGE, sizes={**sizes, "batch": SizeRange(1)})
    shapes = boundary_sizes(project, project.default_sizes("cuda"), {"width": block[0], "height": block[1], "batch": 1}, limit)
    assert len({tuple(sorted(shape.items())) for _, shape in shapes}) == len(shapes)
    for _, shape in shapes:
        assert shape != project.default_sizes("cuda")
        assert input_elements(project, shape) <= limit
        for name, value in shape.items():
            low, high = range_of(project.sizes[name])
            assert low <= value <= high


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("distribution", ["declared", "zeros", "ones", "small", "near overflow", "denormal"])
def test_inputs_have_the_declared_type_and_replay_from_their_seed(dtype: str, distribution: str) -> None:
    arguments = vector(dtype).arguments
    made = make_inputs(arguments, {"n": 1000}, plan(distribution))["x"]
    again = make_inputs(arguments, {"n": 1000}, plan(distribution))["x"]
    assert made.dtype == dtypes.storage(dtype)
    assert made.shape == (1000,)
    assert made.flags["C_CONTIGUOUS"]
    assert np.array_equal(made, again)
    if dtypes.is_float(dtype):
        assert np.all(np.isfinite(dtypes.to_float64(made, dtype)))


def test_another_seed_gives_other_values_and_arrays_do_not_share_theirs() -> None:
    arguments = (Argument("a", "float32", "input", (100,)), Argument("b", "float32", "inout", (100,)))
    first, second = make_inputs(arguments, {}, plan(seed=1)), make_inputs(arguments, {}, plan(seed=2))
    assert not np.array_equal(first["a"], second["a"])
    assert not np.array_equal(first["a"], first["b"])
    assert set(first) == {"a", "b"}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_the_edges_of_the_floats_are_where_they_say(dtype: str) -> None:
    arguments = vector(dtype).arguments
    denormal = np.abs(dtypes.to_float64(make_inputs(arguments, {"n": 1000}, plan("denormal"))["x"], dtype))
    assert 0 < denormal.max() < dtypes.smallest_normal(dtype)
    large = np.abs(dtypes.to_float64(make_inputs(arguments, {"n": 1000}, plan("near overflow"))["x"], dtype))
    assert large.max() ** 2 <= dtypes.largest(dtype) / 63
    assert large.max() ** 2 > dtypes.largest(dtype) / 200


def test_declared_distributions_are_what_they_say() -> None:
    def drawn(dtype: str, spec: ValueSpec) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return make_inputs(vector(dtype, spec).arguments, {"n": 2000}, plan())["x"].astype(np.float64)

    uniform = drawn("float32", ValueSpec("uniform", 2.0, 3.0))
    assert 2.0 <= uniform.min() < uniform.max() <= 3.0
    integers = drawn("uint8", ValueSpec("integers", 0, 256))
    assert (integers.min(), integers.max()) == (0, 255)
    assert drawn("int32", ValueSpec("arange"))[-1] == 1999
    assert set(drawn("float32", ValueSpec("ones"))) == {1.0}
    assert set(drawn("float32", ValueSpec("zeros"))) == {0.0}
    assert abs(drawn("float64", ValueSpec("normal")).mean()) < 0.1


def test_the_whole_range_of_64_bit_integers_can_be_drawn() -> None:
    made = make_inputs(vector("uint64", ValueSpec("integers", 0, 2.0**64)).arguments, {"n": 1000}, plan())["x"]
    assert made.max() > 2**63


def test_a_scalar_is_computed_in_its_type() -> None:
    assert scalar_value(Argument("n", "int32", value="w * 2"), {"w": 21}) == np.int32(42)
    assert scalar_value(Argument("n", "int32", value="w * 2"), {"w": 21}).dtype == np.int32
    assert scalar_value(Argument("s", "float32", value=0.5), {}) == np.float32(0.5)
    assert scalar_value(Argument("s", "bfloat16", value=1.0), {}) == np.uint16(0x3F80)
    assert scalar_value(Argument("flag", "bool", value=1), {}) == np.bool_(True)


@pytest.mark.parametrize(("dtype", "value"), [("int8", 200), ("uint32", -1), ("int32", "n / 2")])
def test_a_scalar_that_its_type_cannot_hold_is_refused_in_one_sentence(dtype: str, value: str | int) -> None:
    with pytest.raises(WrongInput) as caught:
        scalar_value(Argument("count", dtype, value=value), {"n": 3})
    assert str(caught.value).startswith("The argument count is ")
    assert dtype in str(caught.value)
