# Two commands do everything: `make run` and `make test`. Python 3.11 or newer must be there: the one that is found, or the
# one that is asked for (`make test PYTHON=python3.13`), which gets an environment of its own.
ifeq ($(origin PYTHON),undefined)
PYTHON := $(shell for known in python3.11 python3.12 python3.13 python3 python; do \
	$$known -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$known && break; done)
VENV := .venv
else
VENV := .venv-$(notdir $(PYTHON))
endif
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install -q --disable-pip-version-check

.PHONY: run test lint lock bench bench-load bench-models browser docs wheel clean

run: $(VENV)/run.done
	$(BIN)/python app.py

# The tests start the program again and again: without its bytecode kept, each start compiles all of it anew.
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/dev.done node_modules/.done browser
	$(BIN)/python -m pytest -n 3 --dist worksteal

lint: $(VENV)/dev.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The documentation as a site in build/site; a link that leads nowhere is an error.
docs: $(VENV)/docs/done
	NO_MKDOCS_2_WARNING=1 $(VENV)/docs/bin/mkdocs build --strict -q

# The wheel, and the tests marked `wheel` against it in an environment that has nothing else of ours.
wheel: | $(VENV)/bin/python
	rm -rf build/lib build/bdist.* build/wheel dist
	$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps -w dist .
	$(BIN)/python -m venv build/wheel/venv
	build/wheel/venv/bin/python -m pip install -q --disable-pip-version-check "$$(ls dist/*.whl)[server]" \
		$$(grep -E "^(pytest|hypothesis)[^;]*==" requirements-dev.txt | cut -d" " -f1) krippendorff
	$(BIN)/python tests/helpers/wheel_tests.py build/wheel/tests build/wheel/venv/bin/python
	cd build/wheel/tests && ../venv/bin/python -m pytest -q -m wheel

$(VENV)/docs/done: requirements-docs.lock | $(VENV)/bin/python
	$(BIN)/python -m venv $(VENV)/docs
	$(VENV)/docs/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-docs.lock
	@touch $@

# Speed and coverage as ratios measured in one run. crowd-kit has an environment of its own: its packages never enter ours.
bench: $(VENV)/run.done $(VENV)/crowdkit/done
	$(BIN)/python bench/eval_speed.py --crowdkit $(VENV)/crowdkit/bin/python
	$(BIN)/python bench/coverage.py
	$(BIN)/python bench/coverage_judges.py
	$(BIN)/python bench/bad_workers.py

# People over real HTTP against the servers of this program: about ten minutes for each database, with a backup in the middle,
# and with kills for the second.
bench-load: $(VENV)/dev.done
	$(BIN)/python bench/load.py --database sqlite --backup
	$(BIN)/python bench/load.py --database postgres --backup --servers 2 --kills 10 --database-restarts 2

# Asking models, beside other programs in environments of their own, against one local server: about five minutes.
bench-models: $(VENV)/dev.done $(VENV)/askers/done
	$(BIN)/python bench/model_requests.py --openai $(VENV)/askers/openai/bin/python \
		--inspect $(VENV)/askers/inspect/bin/python --lm-eval $(VENV)/askers/lm-eval/bin/python
	$(BIN)/python bench/batches.py

$(VENV)/askers/done: | $(VENV)/bin/python
	for name in openai inspect lm-eval; do $(BIN)/python -m venv $(VENV)/askers/$$name || exit 1; done
	$(VENV)/askers/openai/bin/python -m pip install -q --disable-pip-version-check "openai[aiohttp]==3.52.0"
	$(VENV)/askers/inspect/bin/python -m pip install -q --disable-pip-version-check inspect-ai==0.3.285 openai==3.54.0
	$(VENV)/askers/lm-eval/bin/python -m pip install -q --disable-pip-version-check "lm-eval[api]==0.4.13"
	@touch $@

$(VENV)/crowdkit/done: | $(VENV)/bin/python
	$(BIN)/python -m venv $(VENV)/crowdkit
	$(VENV)/crowdkit/bin/python -m pip install -q --disable-pip-version-check crowd-kit==1.4.2
	@touch $@

# The browser tests need a Chromium. Debian has one without a desktop around it, which takes half of the processor's time;
# where that cannot be had, a whole one does.
browser:
	@command -v chromium-headless-shell >/dev/null \
		|| (apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium-headless-shell) >/dev/null 2>&1 \
		|| command -v chromium >/dev/null || apt-get install -y -qq --no-install-recommends chromium \
		|| (echo "install chromium and try again" >&2; exit 1)

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || (echo "install Python 3.11 or newer and try again" >&2; exit 1)
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.done: requirements.lock | $(VENV)/bin/python
	$(INSTALL) --require-hashes -r requirements.lock
	@touch $@

$(VENV)/dev.done: requirements-dev.lock requirements.lock | $(VENV)/bin/python
	$(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@ $(VENV)/run.done

# What requirements*.txt name and all that it needs in turn, each with its digests, for every Python and system. What is
# locked already stays as it is unless it no longer fits: to bring it all up to date, remove the locks first.
lock: LOCK := $(VENV)/uv/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header
lock: | $(VENV)/bin/python
	$(BIN)/python -m venv $(VENV)/uv
	$(VENV)/uv/bin/python -m pip install -q --disable-pip-version-check uv==0.13.9
	$(LOCK) requirements.txt -o requirements.lock
	$(LOCK) requirements-dev.txt -c requirements.lock -o requirements-dev.lock
	$(LOCK) requirements-docs.txt -o requirements-docs.lock

# What the tests of the pages' scripts need. The program itself needs nothing from npm.
node_modules/.done: package.json package-lock.json
	@command -v npm >/dev/null || (echo "install node and npm and try again" >&2; exit 1)
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
