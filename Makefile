# Each command sets up first what it needs, and skips what is there already.
.DEFAULT_GOAL := help
.PHONY: help run rehearse test check check-types check-graph check-rest test-spoken test-graph test-agent test-rest test-pages openapi bench bench-judging bench-voice bench-phone train-intents train-judge lock clean set-up set-up-for-training set-up-for-tests

# Where the environment forbids it to keep what it compiled, every process of Viva and of a test compiles all of it anew.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
BIN := .venv/bin
PAGES := review/pages
# What a test of another group does waits while people speak, where the system can say so.
POLITELY = $(shell command -v chrt > /dev/null && echo chrt --idle 0) nice -n 10
MINILM = $(shell $(BIN)/python -c "from agent.model_files.prepare import ensure_models; from agent.settings import load_settings; print(ensure_models(load_settings()).embedder)")

help: ## Show these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: set-up ## Start Viva and print the address to open
	@exec $(BIN)/viva up

rehearse: set-up ## Let a synthetic candidate be interviewed in a real room
	@exec $(BIN)/viva rehearse

test: set-up-for-tests ## Run all tests, with real servers, models and a browser
	@$(MAKE) --no-print-directory --jobs=3 --keep-going test-spoken test-rest test-graph test-agent test-pages

# One after the other: people who speak and telephones that ring at the same time have gaps in what they hear.
test-spoken:
	$(BIN)/python -m pytest -m spoken --durations=10

# Politely: people who speak in the tests beside these are not made to wait for the processor. And each group by itself:
# processes that share out one group import and collect all of its tests, every one of them.
test-graph:
	$(POLITELY) $(BIN)/python -m pytest -m "not spoken" tests/graph --durations=10

test-agent:
	$(POLITELY) $(BIN)/python -m pytest -m "not spoken" tests/agent --durations=10

test-rest:
	$(POLITELY) $(BIN)/python -m pytest -m "not spoken" --ignore=tests/graph --ignore=tests/agent --durations=10

test-pages:
	cd $(PAGES) && $(POLITELY) npm run test

check: set-up ## Style, types, import rules and the fast tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=target check-graph check-rest check-types

check-types:
	$(BIN)/mypy
	cd $(PAGES) && npm run check

check-graph:
	$(BIN)/python -m pytest -m "not slow" tests/graph --hypothesis-profile=quick

check-rest:
	$(BIN)/python -m pytest -m "not slow" --ignore=tests/graph --hypothesis-profile=quick

bench: set-up ## Measure, and print a table
	@exec $(BIN)/python -m bench

bench-judging: set-up ## Measure the judge; VIVA_JUDGING_DATA names the folder of the public sets (docs/judging.md)
	@exec $(BIN)/python -m bench judging

bench-voice: set-up ## Measure the voice beside a default cascade: two hours on an idle machine (docs/voice.md)
	@exec $(BIN)/python -m bench voice

bench-phone: set-up ## Measure the telephone line beside the browser: ten minutes on an idle machine (docs/phone.md)
	@exec $(BIN)/python -m bench phone

train-judge: set-up-for-training ## Train the built-in judge anew (hours)
	$(BIN)/python -m training.judge.train $(MINILM)

train-intents: set-up-for-training ## Train the intent detector anew (a quarter of an hour)
	$(BIN)/python -m training.intents.train tests/graph/data/intents/training.jsonl $(MINILM)

openapi: set-up ## Describe the HTTP API anew, for its users and for the types of the pages
	@exec $(BIN)/python -m agent.http.openapi

lock: ## Resolve the dependencies anew and write the lock files
	@exec $(PYTHON) -m install.lock

clean: ## Delete what the set-up made; data/ stays
	rm -rf .venv .tools .cache $(PAGES)/node_modules $(PAGES)/dist $(PAGES)/src/generated .mypy_cache .pytest_cache .ruff_cache .hypothesis

set-up:
	@$(PYTHON) -m install run

set-up-for-training:
	@$(PYTHON) -m install train

set-up-for-tests:
	@$(PYTHON) -m install test
