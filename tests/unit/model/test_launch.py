"""Grid and block as expressions, and the comment with which a source asks for its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import WrongInput
from workbench.model.launch import Launch, ResolvedLaunch, launch_in_source

DEFAULT = Launch(("ceil(width / 16)", "ceil(height / 16)", "batch"), (16, 16, 1), 128)
SIZES = {"width": 1920, "height": 1080, "batch": 8}


def test_expressions_become_three_numbers_each() -> None:
    assert DEFAULT.resolve(SIZES) == ResolvedLaunch((120, 68, 8), (16, 16, 1), 128)
    assert Launch(("width",), (256,)).resolve(SIZES) == ResolvedLaunch((1920, 1, 1), (256, 1, 1), 0)
    assert DEFAULT.resolve(SIZES).threads_per_block == 256


@pytest.mark.parametrize(
    "launch",
    [Launch((0,), (1,)), Launch(("width - 1920",), (1,)), Launch((1,), (-1,)), Launch((2**31,), (1,)), Launch((1,), (1,), -4)],
)
def test_a_launch_that_no_device_can_do_is_refused(launch: Launch) -> None:
    with pytest.raises(WrongInput):
        launch.resolve(SIZES)


def test_a_source_brings_its_own_launch() -> None:
    text = "// tile\n// ledger: block=32,8,1 grid=ceil(width/32),ceil(height / 8),batch shared_bytes=4096\n__global__ void k() {}"
    assert launch_in_source(text, DEFAULT) == Launch(("ceil(width/32)", "ceil(height / 8)", "batch"), (32, 8, 1), 4096)


def test_fields_that_the_comment_does_not_name_stay() -> None:
    assert launch_in_source("// ledger: block=32,8\nint x;", DEFAULT) == Launch(DEFAULT.grid, (32, 8), 128)


def test_commas_inside_parentheses_do_not_split() -> None:
    found = launch_in_source("// ledger: grid=min(width, 8),max(1,height)\n", DEFAULT)
    assert found.grid == ("min(width, 8)", "max(1,height)")


def test_a_comment_after_the_first_code_line_is_a_comment_only() -> None:
    assert launch_in_source("int x;\n// ledger: block=32\n", DEFAULT) == DEFAULT
    assert launch_in_source("", DEFAULT) == DEFAULT


def test_windows_line_ends_do_not_matter() -> None:
    assert launch_in_source("// ledger: block=64\r\nint x;\r\n", DEFAULT).block == (64,)


@pytest.mark.parametrize("body", ["blocks=32", "grid=1,2,3,4"])
def test_a_wrong_field_or_too_many_parts_are_refused_by_name(body: str) -> None:
    with pytest.raises(WrongInput, match="The ledger comment of the source"):
        launch_in_source(f"// ledger: {body}\n", DEFAULT)


blocks = st.lists(st.integers(1, 1024), min_size=1, max_size=3)


@given(blocks, blocks, st.integers(0, 99999))
def test_a_written_launch_is_read_back(block: list[int], grid: list[int], shared: int) -> None:
    text = f"// ledger: block={','.join(map(str, block))} grid={','.join(map(str, grid))} shared_bytes={shared}\n"
    assert launch_in_source(text, DEFAULT) == Launch(tuple(grid), tuple(block), shared)
