# Everything here installs the Debian packages it misses by itself (see Scripts/bootstrap).
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help bootstrap build test faults attack bench demo check format

help:  ## Show what can be made
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

bootstrap:
	@Scripts/bootstrap

build: bootstrap
	swift build --product santorio

test: bootstrap  ## Run every test a newcomer needs to trust the package
	swift build --build-tests
	Scripts/test --skip-build

faults: bootstrap  ## Run the long form of the fault suite (SEED=n repeats a run)
	swift build --build-tests
	SANTORIO_FAULTS=long $(if $(SEED),SANTORIO_SEED=$(SEED)) Scripts/test --skip-build --filter SantorioFaultTests

attack: build  ## Attack a server of its own on this machine, and judge what another user feels (LONG=1 takes longer)
	@Scripts/attack $(if $(LONG),--long)

bench: bootstrap  ## Measure against the gates (ONLY="json submit drain memory advertisements" chooses)
	swift build --package-path Benchmarks -c release
	@bin="$$(swift build --package-path Benchmarks -c release --show-bin-path)"; status=0; \
	for benchmark in SessionBenchmark BluetoothBenchmark; do "$$bin/$$benchmark" $(ONLY) || status=1; done; exit $$status

demo: build  ## Watch readings of medical devices arrive on a server (ONCE=1 ends by itself)
	@"$$(swift build --show-bin-path)/santorio" demo $(if $(ONCE),--once)

check: bootstrap  ## Run the stricter checks: format, warnings, documentation, sanitizers, fuzzing
	Scripts/check

format:  ## Format all Swift code
	git ls-files -z '*.swift' | xargs -0 swift format -i --parallel
