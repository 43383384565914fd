"""Names of variables in a compiled kernel."""

from __future__ import annotations

import pytest

from plugins.emulator.variables import Variable, plain_name, variable_at


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_ZZ1kPfE4tile", "tile"),
        ("_ZZ1kPfE4tile_0", "tile"),
        ("_ZZ1kPfE6tile_0", "tile_0"),
        ("_ZZ1kIfLi4EEvPT_E2s1", "s1"),
        ("_ZZ1kPfE3a1b", "a1b"),
        ("_ZN2ns5tableE", "table"),
        ("_ZL5table", "table"),
        ("counter", "counter"),
        ("tile.0", "tile"),
    ],
)
def test_a_symbol_gives_the_name_in_the_source(symbol: str, name: str) -> None:
    assert plain_name(symbol) == name


def test_an_offset_behind_a_variable_belongs_to_the_one_before_it() -> None:
    a, b = Variable("a", 0, 32, shared=True), Variable("b", 4096, 32, shared=True)
    other = Variable("g", 0, 64, shared=False)
    names = [found.name for at in (0, 31, 32, 4095, 4100, 9000) if (found := variable_at([other, a, b], at, shared=True))]
    assert names == ["a", "a", "a", "a", "b", "b"]
    assert variable_at([other], 0, shared=True) is None
