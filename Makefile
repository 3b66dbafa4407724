# make run             set up, play one session on a copy of examples-vault, then serve it
# make run VAULT=DIR   the same on a vault of your own, without writing to it
# make test            every check; CI runs make whoosh3 as well
# make lock            pin newer versions
# make harness         play a session of the plugin in Chromium with the real daemon; SHOTS=DIR takes the pictures there;
#                      then look whether the text of canvas cards fits them, in another reader of canvases
# make whoosh3         the tests of the index over another edition of Whoosh
# make plugin-ship     build the Obsidian plugin and put it where the wheel takes it from

PYTHON ?= python3
VAULT ?=
SHOTS ?= harness/screenshots
BIN := .venv/bin

.PHONY: whoosh3 run test lint unit lock bench plugin plugin-ship harness

run: .venv/ready
ifeq ($(strip $(VAULT)),)
	@$(BIN)/vault-sidecar demo examples-vault
	@if [ -t 0 ]; then exec $(BIN)/vault-sidecar serve examples-vault; fi
else
	@$(BIN)/vault-sidecar demo --read-only "$(VAULT)"
	@if [ -t 0 ]; then exec $(BIN)/vault-sidecar serve "$(VAULT)"; fi
endif

test: .venv/ready lint unit plugin harness

lint: .venv/ready
	$(BIN)/ruff format --check sidecar tests bench
	$(BIN)/ruff check sidecar tests bench
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: .venv/ready
	$(BIN)/pytest -n auto

plugin: obsidian-plugin/node_modules/ready
	cd obsidian-plugin && npm run --silent check

harness: .venv/ready obsidian-plugin/node_modules/ready
	cd obsidian-plugin && npm run --silent build
	@# A busy machine may make one step late; late twice is a fault.
	cd obsidian-plugin && { npm run --silent harness -- "$(SHOTS)" || npm run --silent harness -- "$(SHOTS)"; }
	cd obsidian-plugin && npm run --silent canvas-fit

plugin-ship: obsidian-plugin/node_modules/ready
	cd obsidian-plugin && npm run --silent build && npm run --silent ship

obsidian-plugin/node_modules/ready: obsidian-plugin/package-lock.json
	@node -e "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)" || { echo "Node 20 or newer is needed."; exit 1; }
	cd obsidian-plugin && npm ci --no-audit --no-fund
	@touch $@

# The index over another edition of Whoosh, with the same import and the same files; the two are never both installed.
whoosh3: .venv-whoosh3/ready
	.venv-whoosh3/bin/pytest -n auto tests/index tests/pipeline tests/services tests/tools

.venv-whoosh3/ready: requirements.lock requirements-whoosh3.lock pyproject.toml
	$(PYTHON) -m venv .venv-whoosh3
	sed '/^whoosh==/,/# via/d' requirements.lock > .venv-whoosh3/requirements.txt
	cat requirements-whoosh3.lock >> .venv-whoosh3/requirements.txt
	.venv-whoosh3/bin/python -m pip install --quiet --require-hashes --requirement .venv-whoosh3/requirements.txt
	.venv-whoosh3/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

bench: .venv/ready
	$(BIN)/python -m bench

.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed.')"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

lock: .venv/ready
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header \
		--python-version 3.11 --upgrade --group dev --all-extras pyproject.toml --output-file requirements.lock
