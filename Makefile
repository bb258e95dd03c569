# Everything needed is set up in .venv; Python 3.11 or newer and git are enough to begin with.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
# One more than the two processors of the machine that tests a change: some tests wait for processes, servers and browsers.
WORKERS ?= 3
# Where this is set, each of the hundreds of processes that tests start would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test check docs bench clean

help:  ## Show the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed 's/:.*##/ -/'

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.11 ..."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt setuptools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt --no-build-isolation --editable '.[dev,docs]'
	-$(BIN)/python -m compileall -q -j 0 .venv/lib >/dev/null 2>&1  # on all processors, where pip takes one
	touch $(READY)

demo: $(READY)  ## Make 20 dialogues, show one, and export them all
	$(BIN)/interplay demo --workspace workspaces/demo
	$(BIN)/interplay export --workspace workspaces/demo --format openai --to workspaces/demo-openai

test: $(READY)  ## Run the tests
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

check: $(READY)  ## Run linter, formatter, type checker and import contract
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PYTHONPATH=.typing $(BIN)/lint-imports

docs: $(READY)  ## Write the generated pages and the outputs that pages show, and build the site in build/site
	$(BIN)/python docs/reference.py
	DOCS=write $(BIN)/pytest tests/test_docs.py -n 0
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(READY)  ## Measure speed and memory, and what becomes of real API descriptions
	$(BIN)/python bench/records.py --quick
	$(BIN)/python bench/real_apis.py --quick

clean:  ## Remove the virtual environment and all caches
	rm -rf .venv build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis *.egg-info
