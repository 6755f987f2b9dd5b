# mosaic_env: run 'make' to see what there is.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help demo test check lint types docs docs-check bench golden world train-encoder clean

help:  ## show this help
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/core: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/dev: $(VENV)/core
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

demo: $(VENV)/core  ## set up, play one Level 2 episode on the bundled world and show it
	@$(BIN)/mosaic demo --html demo.html

test: $(VENV)/dev  ## set up and run the fast tests (under 6 minutes on two cores)
	@$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow and not encoders"

check: lint types docs-check  ## lint, types, docs and all tests that run here
	@$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(VENV)/dev  ## format and lint checks
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .

types: $(VENV)/dev  ## static types (strict)
	@$(BIN)/mypy

docs: $(VENV)/dev  ## write the reference pages from the code
	@$(BIN)/python docs/generate.py

docs-check: $(VENV)/dev
	@$(BIN)/python docs/generate.py --check

bench: $(VENV)/dev  ## measure speed and recall, as ratios in one run
	@$(BIN)/python -m benchmarks

golden: $(VENV)/dev  ## write the golden episodes anew (needs a line in the CHANGELOG)
	@$(BIN)/python -m tests.golden.episodes --write

world: $(VENV)/dev  ## generate the bundled snapshot anew
	@$(BIN)/mosaic world make --entities 2000 --tasks 300 200 --filtered --out snapshots/bundled

train-encoder: pyproject.toml  ## train the joint encoder anew (torch; under an hour on two cores; stop and start at will)
	@test -d .venv-train || $(PYTHON) -m venv .venv-train
	@.venv-train/bin/python -m pip install --quiet --editable '.[train]'
	@OMP_WAIT_POLICY=PASSIVE .venv-train/bin/python -m mosaic_env.train.joint

clean:  ## remove everything that was made here
	rm -rf $(VENV) .venv-* build dist demo.html .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
