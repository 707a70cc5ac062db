# The front door. The build itself is CMake's (CMakePresets.json) and Ninja's.
.DEFAULT_GOAL := build
.PHONY: help deps build dev install package run test variants bench format lint clean

PREFIX ?= /usr/local

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 16

deps:
	@tools/install-deps --build

build: deps ## build/release/bin/heddle, lib/ (libcudart.so.13, libcublas.so.13 and others) and workloads/ (the default)
	cmake --preset release
	cmake --build --preset release --target cli/all shim/cudart/all shim/cuda/all shim/static/all shim/blas/all shim/rand/all workloads/all bench/all

dev: deps ## build/dev: for work on one policy, built anew in seconds (docs/adding-a-scheduler.md)
	cmake --preset dev
	cmake --build --preset dev --target heddle heddle_cudart heddle_static_runtime workloads/all

install: build ## into PREFIX (/usr/local), below DESTDIR where that is set (docs/install.md)
	cmake --build --preset release --target heddle_pages
	cmake --install build/release --prefix $(PREFIX)

package: build ## build/release/heddle_VERSION_ARCHITECTURE.deb
	cmake --build --preset release --target heddle_pages
	cd build/release && cpack

run: build ## LWM11 Figure 8: twelve CUDA programs under five mechanisms, a table and a report in results/
	build/release/bin/heddle reproduce lwm11 --figure 8 -o results

test: ## all checks and tests
	tools/install-deps
	tools/check-format
	tools/check-layers
	tools/test-sanitized
	cmake --preset release
	cmake --build --preset release
	ctest --preset release -j$$(($$(nproc) + 1)) # some of them wait, for Slurm or a browser

variants: build ## the workloads compiled in other ways (docs/workloads.md), for `heddle reproduce --readings`
	cmake --build --preset release --target variants

bench: build ## simulated warp instructions a second
	build/release/bin/heddle-bench

format: ## lay the sources out by .clang-format
	tools/check-format --fix

lint: build ## clang-tidy over the sources
	tools/lint

clean: ## remove what was built
	rm -rf build
