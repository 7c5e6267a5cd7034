# `make` without a target lists all targets. Everything is installed inside the clone, in .venv; nothing system-wide.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNELS := $(shell find aascompile -name '*_kernel.py' -o -name '*.pxd')
PIP := $(BIN)/python -m pip --disable-pip-version-check

PIP_STEPS = s/^Collecting ([^ ;<>=!~]+).*/  package \1/p; s/^Installing collected.*/  installing packages/p; \
	s/^  Building editable.*started/  compiling kernels/p; /^ *(ERROR|error)/p

JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
CORPUS := $(firstword $(wildcard $(or $(AASCOMPILE_CORPUS),../shared/corpus .corpus)))
REGRESS = $(BIN)/aas regress --jobs $(JOBS)
SAMPLES = --baseline samples/counts.json 'samples/*.bsp' --allow-leak
CHECKED := tests/test_kernels.py tests/geometry tests/graph tests/brushes tests/bsp tests/areas tests/sampling \
	tests/player tests/reach tests/cluster tests/quickbsp tests/nav/test_agents.py \
	tests/nav/test_fields.py tests/nav/test_tables.py tests/mapio/test_ibsp_md4.py tests/store/test_hdf_writer.py
MAPS = $(wildcard $(patsubst %,$(CORPUS)/%.bsp,$(shell $(PYTHON) tests/fetch_corpus.py --names)))
REAL = --baseline tests/corpus-counts.json $(MAPS)

.DEFAULT_GOAL := help
.PHONY: help setup build demo test checked fuzz lint types bench regress baselines samples pictures docs corpus dist site check clean

help: ## show this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

setup: $(VENV)/quick build ## create .venv, install everything, build the kernels

$(VENV)/ready: pyproject.toml aascompile/_build/kernel_build.py
	@command -v $(firstword $(CC)) >/dev/null || { echo "aascompile: its kernels need a C compiler: install gcc or clang (on Debian: apt-get install gcc)." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "aascompile: needs Python 3.11 or newer, this is $$($(PYTHON) --version)." >&2; exit 1; }
	@$(PYTHON) -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_paths()["include"] + "/Python.h"))' || { echo "aascompile: its kernels need Python's headers (on Debian: apt-get install python3-dev)." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setting up .venv (some minutes): packages, then kernels"
	@$(PIP) install -e '.[viewer,farm,dev]' 2>&1 | sed -u -n -E "$(PIP_STEPS)"
	@$(BIN)/python -c 'import aascompile.geometry.polygon_kernel' 2>/dev/null || { echo "aascompile: setting up .venv failed; run: $(BIN)/python -m pip install -e '.[viewer,farm,dev]'" >&2; exit 1; }
	@$(BIN)/python -m compileall -q aascompile viewer
	@mkdir -p build && touch build/kernels $@

$(VENV)/quick: aascompile/_build/quick_finder.py $(VENV)/ready
	@$(BIN)/python $<
	@touch $@

build: build/kernels ## compile changed kernels

build/kernels: $(KERNELS) | $(VENV)/ready
	@mkdir -p build
	@$(BIN)/python aascompile/_build/kernel_build.py
	@$(BIN)/python -m compileall -q aascompile viewer
	@touch $@

demo: setup ## compile a sample and print a summary
	@mkdir -p build/demo
	@$(BIN)/aascompile samples/pillars.bsp -o build/demo/pillars.aas.hdf --aas
	@$(BIN)/aas info build/demo/pillars.aas.hdf

test: setup ## run all tests
	@$(BIN)/pytest -n auto

checked: setup ## run the kernel tests with bounds-checked kernels
	@$(BIN)/python aascompile/_build/kernel_build.py --checked
	@PYTHONPATH=build/checked AASCOMPILE_EXPECT_CHECKED=1 $(BIN)/pytest -n auto $(CHECKED)

FLAVOUR := $(if $(SANITIZE),sanitized,checked)
fuzz: setup ## damage files of all kinds and use them; SEED=1, CASES=20000 or MINUTES=10, SANITIZE=1 for sanitizers
	@$(BIN)/python aascompile/_build/kernel_build.py --$(FLAVOUR)
	@PYTHONPATH=build/$(FLAVOUR):. \
	$(if $(SANITIZE),ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 LD_PRELOAD=$$($(or $(CC),gcc) -print-file-name=libasan.so)) \
	$(BIN)/python -P -m tests.fuzz --seed $(or $(SEED),1) --cases $(or $(CASES),0) --minutes $(or $(MINUTES),0)

regress: setup ## compare counts of samples, and of real maps if available, with the baselines
	@$(REGRESS) $(SAMPLES)
	@$(if $(MAPS),$(REGRESS) $(REAL),echo "no real maps: make corpus downloads some")

baselines: setup ## accept the changes that make regress shows
	@$(REGRESS) $(SAMPLES) --update
	@$(if $(MAPS),$(REGRESS) $(REAL) --update,echo "no real maps: make corpus downloads some")
	@$(BIN)/python -m tests.golden

lint: setup ## run ruff
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: setup ## run mypy; strict except for kernels
	@$(BIN)/mypy aascompile viewer

bench: setup ## measure the speed of kernels compared with C, of the compiler and of queries; SECTION=nav: only that
	@SIZES="$(SIZES)" $(BIN)/python -m tests.bench $(SECTION)

samples: setup ## regenerate samples/*.bsp from samples/*.map
	@$(BIN)/python -m tests.build_samples

pictures: setup ## redraw docs/pictures with the commands in docs/viewer.md
	@$(BIN)/python -m tests.build_pictures

docs: setup ## regenerate docs/settings.md, docs/commands.md, docs/api.md, and command output in README and docs
	@$(BIN)/aas settings --markdown > docs/settings.md
	@$(BIN)/python -m tests.build_commands > docs/commands.md
	@$(BIN)/python -m tests.build_api > docs/api.md
	@$(BIN)/python -m tests.pages

site: setup ## make a website of README and docs in build/site; every link is checked
	@$(BIN)/python -m tests.build_site

corpus: ## download the real maps of the baseline from Debian packages into .corpus
	@$(PYTHON) tests/fetch_corpus.py .corpus

dist: setup ## build dist/: an sdist and a wheel, and install the wheel in a fresh environment without a compiler
	@$(BIN)/python -m tests.build_dist $(if $(ALL),--all)

check: lint types test checked regress ## run everything that CI runs

clean: ## remove all build products
	@rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	@find aascompile viewer tests -name '*.so' -delete -o -name __pycache__ -type d -prune -exec rm -rf {} +
