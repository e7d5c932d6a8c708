# Each command sets up first what it needs, and skips what is there already.
.DEFAULT_GOAL := help
.PHONY: help run rehearse test check check-types check-tests bench lock clean set-up set-up-for-tests

PYTHON ?= python3
BIN := .venv/bin
PAGES := review/pages

help: ## Show these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: set-up ## Start Viva and print the address to open
	@exec $(BIN)/viva up

rehearse: set-up ## Let a synthetic candidate be interviewed in a real room
	@exec $(BIN)/viva rehearse

test: set-up-for-tests ## Run all tests, with real servers, models and a browser
	cd $(PAGES) && npm run test
	$(BIN)/python -m pytest

check: set-up ## Style, types, import rules and the fast tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(MAKE) --no-print-directory --jobs=2 check-types check-tests

check-types:
	$(BIN)/mypy
	cd $(PAGES) && npm run check

check-tests:
	$(BIN)/python -m pytest -m "not slow"

bench: set-up ## Measure, and print a table
	@exec $(BIN)/python -m bench

lock: ## Resolve the dependencies anew and write the lock files
	@exec $(PYTHON) -m install.lock

clean: ## Delete what the set-up made; data/ stays
	rm -rf .venv .tools .cache $(PAGES)/node_modules $(PAGES)/dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

set-up:
	@$(PYTHON) -m install run

set-up-for-tests:
	@$(PYTHON) -m install test
