"""Colours: every text can be read on every ground it is put on, and the green of *proven* is nobody else's."""

from __future__ import annotations

from typing import get_args

import pytest
from PySide6.QtGui import QColor

from ui.theme import Name, contrast, load, palette, style_sheet
from ui.widgets.chip import TONES, colors
from workbench.model.ledger import Chip

THEMES: tuple[Name, ...] = ("dark", "light")
GROUNDS = ("window", "panel", "page", "raised")
DIFF_GROUNDS = ("proven_on", "wrong_on", "doubt_on")
TEXTS = ("text", "dim", "faint", "accent", "proven", "wrong", "doubt", "neutral")
CODE = ("code_keyword", "code_type", "code_function", "code_number", "code_comment", "code_directive")
STAGES = ("stage_cpu", "stage_h2d", "stage_kernel", "stage_other", "stage_sync", "stage_d2h", "stage_alloc", "stage_rest")
LEAST = 4.5


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("text", [*TEXTS, *CODE])
def test_every_text_has_four_and_a_half_to_one_on_every_ground(name: Name, text: str) -> None:
    look = load(name)
    for ground in (*GROUNDS, *DIFF_GROUNDS):
        assert contrast(look.color(text), look.color(ground)) >= LEAST, f"{text} on {ground} in {name}"


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("text", ["text", "dim", "accent", "proven", "wrong", "doubt"])
def test_a_selected_row_can_be_read(name: Name, text: str) -> None:
    look = load(name)
    assert contrast(look.color(text), look.color("selection")) >= LEAST


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("stage", [*STAGES, "accent"])
def test_words_on_bars_and_primary_buttons_can_be_read(name: Name, stage: str) -> None:
    look = load(name)
    assert contrast(look.text_on(stage), look.color(stage)) >= LEAST
    assert contrast(look.color("accent_on"), look.color("accent")) >= LEAST


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("chip", get_args(Chip))
def test_every_chip_of_the_closed_list_has_a_tone_that_can_be_read(name: Name, chip: Chip) -> None:
    look = load(name)
    text, ground = colors(TONES[chip])
    assert contrast(look.color(text), look.color(ground)) >= LEAST


def test_the_chips_are_exactly_the_closed_list() -> None:
    assert set(TONES) == set(get_args(Chip))


def test_green_belongs_to_faster_passed_and_accepted_alone() -> None:
    assert {chip for chip, tone in TONES.items() if tone == "proven"} == {"FASTER", "passed", "accepted"}


@pytest.mark.parametrize("name", THEMES)
def test_the_kernel_stage_is_the_accent_and_no_stage_is_green(name: Name) -> None:
    look = load(name)
    assert look.color("stage_kernel") == look.color("accent")
    assert look.color("proven") not in [look.color(stage) for stage in STAGES]


@pytest.mark.parametrize("name", THEMES)
def test_the_style_sheet_leaves_no_token_unreplaced(name: Name) -> None:
    assert "@" not in style_sheet(load(name))
    assert palette(load(name)).window().color() == load(name).color("panel")


def test_black_on_white_has_twenty_one_to_one() -> None:
    assert contrast(QColor("#000000"), QColor("#ffffff")) == pytest.approx(21.0)
    assert contrast(QColor("#777777"), QColor("#777777")) == pytest.approx(1.0)


def test_an_unknown_token_is_a_bug() -> None:
    with pytest.raises(KeyError):
        load("dark").color("mauve")
