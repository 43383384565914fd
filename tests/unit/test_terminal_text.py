"""Ledger and account as a terminal prints them, from the synthetic sessions."""

from __future__ import annotations

import pytest

from tests.helpers.sample_session import emulator_runs, gpu_runs, sample_versions
from workbench.analysis.ledger import build_ledger
from workbench.cli.text import print_account, print_ledger
from workbench.model.ledger import Ledger


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "140")


def gpu_ledger() -> Ledger:
    return build_ledger(None, sample_versions(), gpu_runs(), "cuda:0")


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_gates_are_counted_over_those_that_apply_with_what_was_not_run_beside(capsys: pytest.CaptureFixture[str]) -> None:
    print_ledger(gpu_ledger())
    assert "FASTER 8 of 9 1 8.1e-6" in said(capsys)


def test_the_ledger_says_what_its_ratios_are_of(capsys: pytest.CaptureFixture[str]) -> None:
    print_ledger(gpu_ledger())
    assert "interleaved pairs" in said(capsys)
    print_ledger(build_ledger(None, sample_versions(), emulator_runs(), "emulator"))
    assert "interleaved pairs" not in said(capsys)


def test_the_account_has_both_sides_the_clock_and_what_next(capsys: pytest.CaptureFixture[str]) -> None:
    account = gpu_ledger().account
    assert account is not None
    print_account(account)
    text = said(capsys)
    for part in (
        "before, ms after, ms",
        "108.000 16.400 −91.600",
        "Share of the ceiling reached: 66 %",
        "Other GPU kernels, 1.72×",
    ):
        assert part in text
    assert "The traced kernel took 108.0 ms → 16.40 ms a call" in text


def test_a_baselines_account_has_one_column_and_its_ceiling(capsys: pytest.CaptureFixture[str]) -> None:
    print_account(gpu_ledger().accounts[sample_versions()[0].hash])
    text = said(capsys)
    assert "stage time, ms" in text
    assert "A free kernel would give (predicted): 1.44×" in text
    for word in ("after", "change", "Share of the ceiling", "Application", "→", "—"):
        assert word not in text


def test_the_emulators_account_says_that_it_is_cpu_time_and_has_no_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    account = build_ledger(None, sample_versions(), emulator_runs(), "emulator").account
    assert account is not None
    print_account(account)
    text = said(capsys)
    assert "CPU time" in text
    assert "×" not in text
