# The front door. Each target is a few lines over CMake (CMakePresets.json) and scripts/.

PREFIX  ?= /usr/local
DESTDIR ?=
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
ARGS    ?=

PROGRAM  = build/release/afterstate
C_FILES  = $(shell find src include tests bench site -name '*.[ch]' 2>/dev/null)

.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory
PYTHON  ?= /usr/bin/python3

.PHONY: help build python play serve site package dist test test-long test-package bench install format \
        format-check clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

build: ## build the program: build/release/afterstate
	@scripts/setup build
	@cmake --preset release >build/release.log 2>&1 || { cat build/release.log; exit 1; }
	@cmake --build --preset release -j $(JOBS)

build: | build/
build/:
	@mkdir -p $@

play: build ## build and watch it play; ARGS="--me" plays yourself
	@scripts/offer_endgame $(PROGRAM)
	@$(PROGRAM) play $(ARGS)

serve: build ## build and serve the page on http://127.0.0.1:2048/
	@$(PROGRAM) serve $(ARGS)

python: ## build the Python package in place and say how to use it
	@scripts/setup python
	@cmake --preset release >build/release.log 2>&1 || { cat build/release.log; exit 1; }
	@cmake --build --preset release -j $(JOBS) --target afterstate >/dev/null
	@cd python && AFTERSTATE_LIBRARY_DIR=../build/release \
	    $(PYTHON) -W ignore setup.py -q build_ext --inplace --build-temp ../build/python-temp >/dev/null
	@echo 'export PYTHONPATH=$(CURDIR)/python'
	@echo '$(PYTHON) -c "import afterstate as af; print(af.VectorEnv(2, seed=1).reset()[0])"'

python: | build/

site: build ## the page without a server: build/site/ for any host, build/site/afterstate.html for anywhere
	@scripts/setup site
	@scripts/site

package: ## Debian packages for any processor of this kind: build/package/*.deb
	@scripts/setup package
	@scripts/package

dist: ## the sources of the last commit: build/afterstate-VERSION.tar.gz
	@scripts/dist

test: ## every build and every test (about 11 minutes on two cores)
	@scripts/test

test-long: ## make test, then ten million boards of each size, the large solved boards, valgrind, an hour of load, each fuzzer for a minute
	@scripts/test
	@build/gcc/test_boards long
	@build/gcc/test_search long
	@build/gcc/test_ribbon long
	@build/gcc/test_query long
	@build/gcc/test_web_load long
	@AFTERSTATE_LONG_TESTS=1 python/run_tests build/gcc -k 3x3
	@AFTERSTATE_LONG_TESTS=1 tests/mpi/run build/gcc/afterstate build/gcc/afterstate-mpi solve solve_killed || [ $$? = 77 ]
	@JOBS=$(JOBS) cmake --build --preset asan -j $(JOBS) --target afterstate >/dev/null && python/run_tests build/asan
	@tests/faults/run build/gcc/afterstate build/gcc/inject.so whole
	@tests/faults/run build/asan/afterstate build/asan/inject.so verbs
	@tests/determinism/run gcc=build/gcc/afterstate clang-portable=build/portable/afterstate \
	    sanitizers=build/asan/afterstate $$([ ! -x build/gcc/afterstate-mpi ] || echo ranks=build/gcc/afterstate-mpi)
	@cmake --preset levels >build/levels.log && cmake --build --preset levels -j $(JOBS) >>build/levels.log
	@tests/install/check_hardening "$(CURDIR)" build/levels/afterstate build/levels/glibc-hwcaps/x86-64-v3/libafterstate.so.1
	@tests/install/check_levels build/levels/afterstate
	@JOBS=$(JOBS) scripts/aarch64 || [ $$? = 77 ]
	@scripts/memcheck
	@scripts/coverage
	@tests/load/soak build/gcc/afterstate 3600 10000
	@scripts/fuzz 60

test-package: package ## installs, uses and removes the packages in a fresh Debian (as root; fetches it)
	@tests/install/check_packages build/package

bench: build ## speeds of the parts beside this machine's limits
	@$(PROGRAM) bench --network 4x6 --network 8x6 $(ARGS)

install: build ## install below PREFIX=/usr/local; DESTDIR is honoured
	@cmake --preset release -DCMAKE_INSTALL_PREFIX="$(PREFIX)" >/dev/null
	@cmake --build --preset release -j $(JOBS) >/dev/null
	DESTDIR="$(DESTDIR)" cmake --install build/release

format: ## format the C files in place
	@clang-format -i $(C_FILES)

format-check: ## fail if a C file is not formatted
	@clang-format --dry-run --Werror $(C_FILES)

clean: ## remove build/
	@rm -rf build
