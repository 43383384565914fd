# `make demo` and `make test` do all the set-up themselves. Only relative paths here: make splits names at spaces.
SHELL := /bin/bash
BIN := .venv/bin
HEADLESS := QT_QPA_PLATFORM=offscreen

.PHONY: help demo run setup setup-dev test lint format bench full zig gpu screenshots pictures clean

help:
	@echo "make demo         install, then work on the shipped project; results in demo-out/"
	@echo "make run          open the window"
	@echo "make test         install, then run the whole test suite headless"
	@echo "make lint         ruff, mypy and the import contracts"
	@echo "make format       let ruff format the code"
	@echo "make bench        measure start-up, stalls, loop overhead and the emulator"
	@echo "make full         the suite with what takes long"
	@echo "make zig          the emulator's tests with the ziglang wheel as the C++ compiler"
	@echo "make gpu          the tests that need a CUDA GPU"
	@echo "make screenshots  pictures of every page into .screens/"
	@echo "make pictures     README's pictures, of the session measured on an H200"
	@echo "make clean        remove what was built; demo-out/ and .venv/ too"

setup:
	@bash scripts/setup.sh run

setup-dev:
	@bash scripts/setup.sh dev

demo: setup
	$(BIN)/kernel-ledger demo --out demo-out

run: setup
	$(BIN)/kernel-ledger

test: setup-dev
	$(HEADLESS) $(BIN)/python -m pytest -n auto --dist loadfile

lint: setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo importlinter.toml
	@if command -v shellcheck >/dev/null; then shellcheck scripts/*.sh .ci/run; fi

format: setup-dev
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: setup-dev
	$(HEADLESS) $(BIN)/python -m tests.speed

full: setup-dev
	$(HEADLESS) $(BIN)/python -m pytest -n auto --dist loadfile -m "not gpu"

zig: setup-dev
	bash scripts/zig.sh

gpu: setup-dev
	$(HEADLESS) $(BIN)/python -m pytest -m gpu

screenshots: setup-dev
	$(HEADLESS) $(BIN)/python -m tests.helpers.screenshots .screens

pictures: setup-dev
	$(HEADLESS) $(BIN)/python -m tests.helpers.readme_pictures docs/pictures

clean:
	rm -rf .venv demo-out build dist .screens .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
