# Every target sets itself up in .venv; nothing but Python 3.11 (or newer) and make is needed.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt $(PIP_OPTIONS)
PRODUCT := $(VENV)/.product
SETUP := $(VENV)/.complete
KERNELS := $(VENV)/.kernels
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix dashboards
TOOLS := dashboards/node_modules/.complete

.PHONY: demo test test-pythons agreement texts kernels coverage check format bench bench-peers soak serve docs gallery \
	validation screenshots clean

demo: $(PRODUCT)
	$(BIN)/tautline demo

test: $(SETUP) $(KERNELS)
	PYTHON=$(BIN)/python sh tests/run.sh

# With each interpreter that the machine has: .venv's, then the others, which must agree with it in all results.
test-pythons: test
	sh tests/interpreters.sh test agreement AGREEMENT=

# What may not depend on the version of Python, here and in .venv: words, digests, study files, a small search.
AGREEMENT = -m "not soak"
agreement: $(VENV)/.texts
	TAUTLINE_OTHER_PYTHON="$(CURDIR)/.venv/bin/python" $(BIN)/python -m pytest --quiet $(AGREEMENT) $(TEXTS) tests/test_interpreters.py

TEXTS := tests/test_errors.py tests/models/test_messages.py tests/models/test_units.py tests/studies/definition/test_toml_lines.py \
	tests/studies/definition/test_study_file.py tests/studies/definition/test_study_definition.py

texts: $(VENV)/.texts
	$(BIN)/python -m pytest --quiet -m "not soak" $(TEXTS)

kernels: $(KERNELS)

check: $(SETUP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pyrefly check
	$(BIN)/pyrefly check --config tests/pyrefly.toml
	$(BIN)/pyrefly check --config docs/pyrefly.toml
	$(BIN)/vulture
	$(BIN)/python -m docs.check
	@$(MAKE) --silent $(TOOLS)
	@if test -e $(TOOLS); then $(NPM) run --silent check; \
	else echo "The scripts of the pages were NOT checked: npm cannot reach its registry, and their tools are not installed."; fi

format: $(SETUP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	@$(MAKE) --silent $(TOOLS)
	@if test -e $(TOOLS); then $(NPM) run --silent format; \
	else echo "The scripts of the pages were NOT formatted: npm cannot reach its registry, and their tools are not installed."; fi

bench: $(SETUP)
	$(BIN)/python -m benchmarks

# The same work by the programs of others, in an environment of their own beside ours.
PEERS := .venv-peers/.complete
bench-peers: $(PEERS)
	.venv-peers/bin/python -m benchmarks.peers

$(PEERS): pyproject.toml constraints.txt benchmarks/peers.txt
	MAKEFLAGS= $(MAKE) VENV=.venv-peers .venv-peers/.product
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt $(PIP_OPTIONS) \
		--no-build-isolation --editable tests/plugins/analytic
	for peer in $$(grep -v "^#" benchmarks/peers.txt); do \
		.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt $(PIP_OPTIONS) $$peer \
		|| echo "$$peer cannot be installed here: its rows are left out"; done
	touch $(PEERS)

coverage: $(SETUP) $(KERNELS)
	PYTHON=$(BIN)/python sh tests/run.sh --cov --cov-report=term:skip-covered

soak: $(SETUP) $(KERNELS)
	$(BIN)/python -m pytest -m soak -n 0 tests

# The server on this machine alone, with a runner beside it; it prints a link that opens a session once.
serve: $(PRODUCT)
	$(BIN)/tautline serve

# Writes to site/ alone, which git ignores; what it says of a page is an error.
docs: $(SETUP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

# These write to build/, for processors and fonts differ in digits and pixels; UPDATE=1 replaces what differs in docs/.
UPDATES = $(if $(UPDATE),--update)

# The page of reference cases: minutes of work.
validation: $(SETUP)
	$(BIN)/python -m docs.validation $(UPDATES)

# The studies of docs/gallery, or those named in GALLERY: a quarter of an hour for all.
gallery: $(SETUP) $(KERNELS)
	$(BIN)/python -m docs.gallery_fronts $(UPDATES) $(GALLERY)

# The demo, its report and the pages, and the figures of papers: some minutes.
screenshots: $(SETUP) $(KERNELS)
	$(BIN)/python -m tests.screenshots $(UPDATES)

clean:
	rm -rf .venv .venv-3.* dashboards/node_modules

# A stamp is written only after pip has succeeded, so a broken installation is done again.
$(PRODUCT): pyproject.toml constraints.txt
	rm -f $(PRODUCT)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade pip hatchling editables # the pip of Python 3.11 takes twice as long for the rest
	$(PIP) --no-build-isolation --editable ".[server]"
	touch $(PRODUCT)

$(SETUP): $(PRODUCT) tests/plugins/analytic/pyproject.toml tests/plugins/cable_camera/pyproject.toml
	rm -f $(SETUP)
	$(PIP) --no-build-isolation --editable ".[test,check,bench,docs]" --editable tests/plugins/analytic \
		--editable tests/plugins/cable_camera
	touch $(SETUP)

# PyTorch, for the tests of optuna-gp: 5.5 GB and 40 s; `make test` names what it leaves out without it.
.PHONY: gp
gp: $(VENV)/.gp
$(VENV)/.gp: $(SETUP)
	$(PIP) --no-build-isolation --editable ".[gp]"
	touch $(VENV)/.gp

# The tests of texts need but a part of the test tools.
$(VENV)/.texts: $(PRODUCT)
	$(PIP) --no-build-isolation pytest pytest-timeout hypothesis --editable tests/plugins/analytic
	touch $(VENV)/.texts

# Kernels are kept among the user's caches, per version of the sources; a test that misses one compiles it.
$(KERNELS): $(PRODUCT) tests/compile_kernels.py $(shell find models -name '*.py')
	$(BIN)/python -m tests.compile_kernels
	touch $(KERNELS)

# Tools that check the scripts; npm itself comes with the wheel of node. Once they are installed, nothing but another
# list of them needs the registry again.
$(TOOLS): dashboards/package-lock.json | $(SETUP)
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh dashboards/install_tools.sh $(TOOLS)
