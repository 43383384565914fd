"""What the access page, the margin and the cards say."""

from __future__ import annotations

import msgspec

from tests.helpers.sample_access import CONFLICT, LOAD, REPORT, STORE
from ui.tables import access_words as words
from workbench.model.cache import CachePrediction, CacheShape, Traffic


def test_the_longest_bar_belongs_to_the_line_that_costs_most() -> None:
    bars = words.bars(REPORT)
    assert set(bars) == {2, 3, 5}
    assert bars[5].fraction == 1.0
    assert bars[3].fraction < bars[2].fraction < 1.0


def test_a_bar_is_wrong_where_most_work_is_wasted_and_plain_where_none_is() -> None:
    bars = words.bars(REPORT)
    assert (bars[2].tone, bars[3].tone, bars[5].tone) == ("wrong", "neutral", "wrong")
    assert "32-way" in bars[5].said
    assert "32 sectors per request, ideal 4" in bars[2].said


def test_a_line_without_global_or_shared_memory_has_no_bar() -> None:
    local = msgspec.structs.replace(LOAD, space="local", sectors=0)
    assert words.bars(msgspec.structs.replace(REPORT, lines=(local,))) == {}


def test_the_headline_names_the_line_and_what_its_addresses_cost() -> None:
    said = words.headline(REPORT)
    assert "Line 6" in said
    assert "97 %" in said
    calm = words.headline(msgspec.structs.replace(REPORT, lines=(STORE,)))
    assert "close to ideal" in calm
    assert "neither" in words.headline(msgspec.structs.replace(REPORT, lines=()))


def test_a_sample_is_said_to_be_one() -> None:
    assert words.below(REPORT).startswith("All 4 blocks traced; n=256.")
    assert "4 of 9 blocks traced" in words.below(msgspec.structs.replace(REPORT, blocks=9))


def test_every_row_has_a_cell_for_every_column_and_says_how_it_was_counted() -> None:
    rows = words.rows(REPORT)
    assert {len(row) for row in rows} == {len(words.COLUMNS)}
    assert [row[-1].chip for row in rows] == ["exact", "exact", "source-level"]
    assert "NVRTC" in rows[2][-1].tip
    assert rows[0][4].text == rows[2][4].text == "32"
    assert "sectors" in rows[0][4].tip
    assert "wavefronts" in rows[2][4].tip
    assert rows[0][8].text == "50 %"


def test_where_one_line_has_a_bar_all_have_so_that_their_texts_align() -> None:
    local = msgspec.structs.replace(LOAD, space="local", sectors=0)
    both = words.rows(msgspec.structs.replace(REPORT, lines=(LOAD, local)))
    assert [row[1].bar and row[1].bar[0] for row in both] == [1.0, 0.0]
    assert words.rows(msgspec.structs.replace(REPORT, lines=(local,)))[0][1].bar is None


def test_what_the_cache_would_do_is_marked_predicted_and_missing_without_a_prediction() -> None:
    shape = CacheShape(128, 32, 16, 8)
    traffic = Traffic(256, 128, 64, 0)
    prediction = CachePrediction("H200", shape, shape, 4, 4, traffic, {"in": traffic}, {}, 1.0, (), 0)
    predicted = msgspec.structs.replace(REPORT, cache=prediction)
    with_it, without = words.array_rows(predicted), words.array_rows(REPORT)
    assert "(predicted)" in words.cache_note(predicted)
    assert words.cache_note(REPORT) == ""
    assert (with_it[0][-1].text, with_it[0][-1].chip) == ("50 %", "predicted")
    assert without[0][-1].text == with_it[1][-1].text == "—"


def test_the_card_of_shared_memory_speaks_of_banks_and_that_of_global_of_sectors() -> None:
    shared, given = words.facts(CONFLICT), words.facts(LOAD)
    assert any(fact.value == "32-way" for fact in shared)
    assert not any("Sectors" in fact.title for fact in shared)
    assert any(fact.value == "32 · ideal 4" for fact in given)
    assert given[-1].chip == "exact"
