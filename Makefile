# All targets install missing Debian packages (see Scripts/bootstrap).
SHELL := /bin/bash
.DEFAULT_GOAL := help
# Package.swift says what for.
export OPTIMIZED := 1
# Asked for when they are used, since the first target installs what they need.
flags = $$(Scripts/build-flags)
.PHONY: help bootstrap build test faults soak endurance attack bench demo docs check format

help:  ## Show the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

bootstrap:
	@Scripts/bootstrap

build: bootstrap  ## Build the command line, .build/debug/santorio
	swift build $(flags) --product santorio

test: export SIMULATED ?= $(if $(filter Linux,$(shell uname -s)),,1)
test: bootstrap  ## Run the tests
	swift build $(flags) --build-tests $(if $(COVERAGE),--enable-code-coverage) $(if $(STRICT),--explicit-target-dependency-import-check error)
	Scripts/test --skip-build

faults: bootstrap  ## Run the long form of the fault suite (SEED=n repeats a run)
	swift build $(flags) --build-tests
	SANTORIO_FAULTS=long $(if $(SEED),SANTORIO_SEED=$(SEED)) Scripts/test --skip-build --filter 'SantorioFaultTests|TransferFaultTests|SimulatedSystemTests|A hub whose devices are in another process'

# Optimized, and without the other tests, which need not be compiled for it.
soak: export TESTS = HubSoakTests
soak: bootstrap  ## Run a gateway for a simulated month among 200 devices, and account for each reading in .build/soak.txt (SEED=n repeats a run)
	swift build -c release -Xswiftc -enable-testing --build-tests
	SANTORIO_SOAK=long SANTORIO_SOAK_LEDGER="$$PWD/.build/soak.txt" $(if $(SEED),SANTORIO_SEED=$(SEED)) Scripts/test -c release -Xswiftc -enable-testing --skip-build --filter HubSoakTests

# SANTORIO_ENDURANCE_TIMES multiplies the million.
endurance: export SANTORIO_ENDURANCE_TIMES ?= 100
endurance: bootstrap  ## Let each long-lived stream have a hundred million events or less, for hours (SANTORIO_ENDURANCE_TIMES=n has n million)
	Scripts/check endurance

attack: build  ## Attack a server started for this on this machine, and measure the effect on another user (LONG=1 takes longer)
	@Scripts/attack $(if $(LONG),--long)

bench: bootstrap  ## Run the benchmarks and compare with the limits (ONLY="json submit drain memory advertisements hub health" chooses)
	swift build --package-path Benchmarks -c release
	@bin="$$(swift build --package-path Benchmarks -c release --show-bin-path)"; status=0; \
	for benchmark in SessionBenchmark BluetoothBenchmark; do "$$bin/$$benchmark" $(ONLY) || status=1; done; \
	[ -n "$(ONLY)" ] && [ -z "$(findstring hub,$(ONLY))" ] || Scripts/bench-hub || status=1; \
	[ -n "$(ONLY)" ] && [ -z "$(findstring health,$(ONLY))" ] || Scripts/bench-health || status=1; exit $$status

demo: build  ## Watch readings of medical devices arrive on a server (ONCE=1 exits when all have arrived)
	@"$$(swift build --show-bin-path)/santorio" demo $(if $(ONCE),--once)

docs: bootstrap  ## Build the documentation site in .build/docs (BASE=/santorio if it is served there)
	Scripts/docs $(if $(BASE),--hosting-base-path $(BASE)) $(if $(REPOSITORY),--repository $(REPOSITORY))
	Scripts/check-links --site .build/docs

check: bootstrap  ## Run the stricter checks: format, warnings, documentation, sanitizers, fuzzing
	Scripts/check

format:  ## Format all Swift code
	git ls-files -z '*.swift' | xargs -0 swift format -i --parallel
