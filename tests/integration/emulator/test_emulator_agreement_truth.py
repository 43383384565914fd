"""The agreement set on the emulator against what an H200 gave (tests/data/agreement). A dozen here, all in `make full`."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.agreement.comparing import compare
from tests.helpers.agreement.index import FOLDER, entries, entry_named
from tests.helpers.agreement.inputs import make_arguments
from tests.helpers.agreement.references import REFERENCES
from tests.helpers.agreement.running import compile_on, run_on
from tests.helpers.agreement.table import BEGIN, END, ROOT
from tests.helpers.agreement.truth import read_results, read_truth
from tests.helpers.emulator_bench import emulator
from workbench.paths import cache_folder

QUICK = [entry.name for entry in entries() if entry.quick]
REST = [entry.name for entry in entries() if not entry.quick]


def holds(name: str) -> None:
    """Check a kernel's results on the emulator against the GPU's."""
    entry, measured = entry_named(name), read_truth().kernels[name]
    assert measured.identity == entry.identity, f"{name} was changed after it was measured; measure again"
    assert measured.error == "", f"{name} has no truth"
    mine = run_on(emulator(), entry, compile_on(emulator(), entry, cache_folder() / "kernels"))
    closeness = compare(entry, mine, read_results(entry))
    assert closeness.agrees == (not entry.gpu_fault), f"{name}: {closeness.where}"


@pytest.mark.parametrize("name", QUICK)
def test_a_dozen_kernels_give_what_the_h200_gave(name: str) -> None:
    holds(name)


@pytest.mark.full
@pytest.mark.parametrize("name", REST)
def test_all_kernels_give_what_the_h200_gave(name: str) -> None:
    holds(name)


def test_the_h200s_luma_is_what_its_compiler_made_of_the_source() -> None:
    """The PTX of NVRTC 13.0 has `prmt` (red | green << 8) and (blue | alpha << 8) before `dp2a.lo.u32.u32` with 66 and 25."""
    entry = entry_named("rgba_to_yuv")
    red, green, blue, alpha = np.moveaxis(make_arguments(entry)["src"].astype(np.int64), -1, 0)
    wrong = 66 * (red + 256 * green) + 25 * (blue + 256 * alpha) + 129 * green + 128
    np.testing.assert_array_equal(read_results(entry)["luma"], np.minimum((wrong >> 8) + 16, 255))
    right = REFERENCES[entry.name](make_arguments(entry))
    np.testing.assert_array_equal(read_results(entry)["u_plane"], right["u_plane"])


def test_the_truth_is_of_an_h200_and_small() -> None:
    assert "H200" in read_truth().device
    assert (FOLDER / "truth.npz").stat().st_size < 4 * 2**20


def test_another_kernels_truth_does_not_agree() -> None:
    entry = entry_named("saxpy_grid_stride")
    right = read_results(entry)
    assert compare(entry, right, right).bits
    assert not compare(entry, {"y": right["y"][::-1].copy()}, right).agrees


def test_the_printed_tables_name_every_kernel_the_device_and_the_date() -> None:
    printed, truth = (ROOT / "docs" / "agreement.md").read_text(encoding="utf-8"), read_truth()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    short = readme.split(BEGIN, 1)[1].split(END, 1)[0]
    for entry in entries():
        assert f"| `{entry.name}` |" in printed
    for text in (printed, short):
        assert truth.device in text
        assert truth.date in text
        assert f"{len(entries())} kernels" in text
