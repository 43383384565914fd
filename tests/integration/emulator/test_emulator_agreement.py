"""The agreement set on the emulator: what kernels of many styles must give. A dozen here, all of them in `make full`."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import pytest

from tests.helpers.agreement.comparing import compare
from tests.helpers.agreement.index import FOLDER, entries, entry_named
from tests.helpers.agreement.inputs import Array, make_arguments
from tests.helpers.agreement.references import REFERENCES
from tests.helpers.agreement.running import compile_on, run_on
from tests.helpers.emulator_bench import emulator
from workbench.paths import cache_folder
from workbench.plugin_api import Argument, ArrayFacts, Loaded, ResolvedLaunch

QUICK = [entry.name for entry in entries() if entry.quick]
REST = [entry.name for entry in entries() if not entry.quick]


@functools.cache
def emulated(name: str) -> dict[str, Array]:
    """Return what the emulator gives for a kernel of the set."""
    entry = entry_named(name)
    return run_on(emulator(), entry, compile_on(emulator(), entry, cache_folder() / "kernels"))


def holds(name: str) -> None:
    """Check a kernel's results on the emulator against NumPy's."""
    entry = entry_named(name)
    closeness = compare(entry, emulated(name), REFERENCES[name](make_arguments(entry)), relative=entry.reference)
    assert closeness.agrees, f"{name}: {closeness.where}"


@pytest.mark.parametrize("name", QUICK)
def test_a_dozen_kernels_give_what_numpy_gives(name: str) -> None:
    holds(name)


@pytest.mark.full
@pytest.mark.parametrize("name", REST)
def test_all_kernels_give_what_numpy_gives(name: str) -> None:
    holds(name)


RACES_ON_PURPOSE = {"union_find"}
"""Plain reads and writes beside atomics of the same words: harmless in this algorithm, and a race all the same."""


@pytest.mark.full
@pytest.mark.parametrize("name", [*QUICK, *REST])
def test_the_sanitizer_finds_nothing_in_kernels_that_are_right(name: str) -> None:
    entry, device, found = entry_named(name), emulator(), set[str]()
    given = make_arguments(entry)
    facts = [ArrayFacts(one.name, given[one.name].dtype.itemsize, one.role != "output") for one in entry.arguments]

    def sanitized(kernel: Loaded, launch: ResolvedLaunch, arguments: Sequence[Argument]) -> None:
        found.update(finding.kind for finding in device.sanitize(kernel, launch, arguments, facts).findings)

    run_on(device, entry, compile_on(device, entry, cache_folder() / "kernels"), launch=sanitized)
    assert found == ({"RaceInBlock"} if name in RACES_ON_PURPOSE else set())


def test_the_index_names_every_kernel_file_once_and_each_has_a_reference() -> None:
    names = [entry.name for entry in entries()]
    assert sorted(names) == sorted(path.stem for path in (FOLDER / "kernels").glob("*.cu"))
    assert set(names) == set(REFERENCES)
    assert len(QUICK) == 12


def test_every_entry_says_its_style_and_the_reason_of_its_bound() -> None:
    for entry in entries():
        assert entry.style, entry.name
        assert entry.why, entry.name
        assert any(argument.is_result for argument in entry.arguments), entry.name


def test_inputs_are_the_same_each_time_and_differ_between_arguments() -> None:
    entry = entry_named("saxpy_grid_stride")
    first, second = make_arguments(entry), make_arguments(entry)
    np.testing.assert_array_equal(first["x"], second["x"])
    assert not np.array_equal(first["x"], first["y"])


def test_a_result_that_is_off_by_more_than_its_bound_does_not_agree() -> None:
    entry = entry_named("saxpy_grid_stride")
    right = {"y": np.linspace(1, 2, 5000, dtype=np.float32)}
    off = {"y": right["y"].copy()}
    off["y"][17] *= np.float32(1 + 3e-6)
    assert compare(entry, right, right).bits
    told = compare(entry, off, right)
    assert not told.agrees
    assert told.where.startswith("y[17]")
    off["y"][17] = np.nan
    assert not compare(entry, off, right).agrees


def test_an_integer_that_is_off_by_one_does_not_agree() -> None:
    entry = entry_named("histogram_shared")
    right = {"histogram": np.arange(256, dtype=np.uint32)}
    off = {"histogram": right["histogram"] + np.uint32(1)}
    assert compare(entry, right, right).agrees
    assert compare(entry, off, right).steps == 1
    assert not compare(entry, off, right).agrees
