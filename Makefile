# make demo    set up and open the bundled call
# make test    set up, then lint, types, import floors and all tests
# make lint    the checks without the tests
# make bench   speed, memory and accuracy as a table

PYTHON ?= python3
VENV   ?= .venv
JOBS   ?= 2
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test lint bench clean

demo: $(VENV)/.installed
	$(BIN)/hotato autopsy --demo
	@echo
	@echo 'next, with a recording of your own:'
	@echo '  . $(BIN)/activate'
	@echo '  hotato autopsy call.wav'

test: lint
	$(BIN)/pytest -n $(JOBS)

lint: $(VENV)/.developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.developing
	$(BIN)/python bench/run.py
	$(BIN)/python bench/accuracy.py --quick
	$(BIN)/python bench/dense.py
	$(BIN)/python bench/clips.py
	$(BIN)/python bench/contracts.py

clean:
	rm -rf $(VENV) build dist hotato-output .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(VENV)/.installed: pyproject.toml hatch_build.py src/hotato/timing/kernel.c
	sh .ci/environment $(PYTHON) $(VENV)
	$(PIP) install --editable .
	touch $@

# The group of pyproject.toml says what is needed, the lock which versions have been tested together.
$(VENV)/.developing: pyproject.toml requirements-dev.lock $(VENV)/.installed
	sh .ci/system
	$(PIP) install --constraint requirements-dev.lock --editable . --group dev
	touch $@
