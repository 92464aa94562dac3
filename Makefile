# make demo    sets up what is missing, then turns an example image into a Prolog program and asks it
# make test    sets up what is missing, then runs every test (Python and Prolog)
# make check   format, lint and types
# make quick   check, and the tests that are red most often, in a minute
# make docs    builds the site from docs/ into out/site and runs its notebooks, without network; make links tries its links to elsewhere
# make playground  makes a folder that any web host can serve: the page without a server (docs/operating.md)
# make planted plants faults by name, one at a time, and says which the tests find (scripts/plant); takes half an hour
# make wheel   builds the wheel into build/; scripts/try-wheel installs and tries it
# make models  trains models like the shipped ones, over them
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
READY := $(VENV)/.ready

.PHONY: demo test check quick format docs links planted playground wheel models setup swipl chromium clean
MODELS := neural/models
.DEFAULT_GOAL := demo

setup: $(READY) swipl

swipl:
	@./scripts/setup-swipl

chromium: swipl # apt-get does one thing at a time
	@./scripts/setup-chromium

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	@echo "setting up $(VENV) (once; torch is large) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e '.[dev]'
	@touch $@

$(READY): $(INSTALLED)
	@$(BIN)/python -m compileall -q predinet_prolog/* # as installing a wheel does
	@$(BIN)/python scripts/bytecode
	@touch $@

demo: setup
	@./examples/demo.sh $(BIN)/predinet-prolog

test: setup chromium
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

quick: check
	$(BIN)/python -m pytest -q -x -n 3 --dist loadfile tests/test_layout.py tests/quoting tests/symbolic/test_plunit.py tests/symbolic/test_rules.py \
	    tests/symbolic/test_mistakes.py tests/bridge/test_program.py tests/bridge/test_relations.py \
	    tests/service/cli/test_process.py tests/service/cli/test_mistakes.py

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

EXTRAS := import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"])

# Named one by one: with `-e .[docs]` pip would build the project once more.
$(VENV)/.docs: $(INSTALLED)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt $$($(BIN)/python -c '$(EXTRAS)')
	@touch $@

docs: $(VENV)/.docs swipl
	$(BIN)/python -m sphinx -q -W --keep-going docs out/site
	@echo out/site/index.html

links: $(VENV)/.docs
	$(BIN)/python -m sphinx -q -b linkcheck -D nb_execution_mode=off docs out/links

playground: setup
	$(BIN)/python scripts/playground build/playground

planted: setup
	$(BIN)/python scripts/plant

wheel: setup
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build .

# About four hours on two cores, with what examples/ground/objects.py asks for. Interrupted, it goes on where it stopped.
# The cards stay as they are: they are of the shipped checkpoints.
models: setup
	$(BIN)/predinet-prolog train all --recipe symbols -o out/relations-game
	$(BIN)/predinet-prolog train between --steps 20000 -o out/between
	$(BIN)/predinet-prolog train between --heads 8 --relations 8 --steps 20000 -o out/between-small
	$(BIN)/predinet-prolog train scenes --seed 2 -o out/drawn-scenes
	$(BIN)/python -m examples.ground.finder out/drawn-scenes/model.safetensors out/scenes
	for name in relations-game between between-small scenes; do \
	    cp out/$$name/model.safetensors $(MODELS)/$$name.safetensors && $(BIN)/predinet-prolog ground $$name || exit 1; \
	done

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
