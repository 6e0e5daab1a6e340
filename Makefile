# The two commands of the README, and what a developer repeats.
#
#   make demo     build, compile the project's own model, chat with it
#   make test     build and run every test
#   make format   format the C++ in place
#   make check-format

SHELL := /bin/bash
ENV := scripts/environment.sh
BUILD := build
PRESET := dev
export CCACHE_NOHASHDIR := 1
export CCACHE_BASEDIR := $(CURDIR)

SOURCES = $(shell git ls-files '*.cpp' '*.h' '*.c')

.PHONY: all build demo test format check-format docs clean

all: build

build:
	@$(ENV) scripts/build.sh $(PRESET) $(BUILD)

demo:
	@$(ENV) scripts/build.sh $(PRESET) $(BUILD) rung-compile rung-run
	@$(ENV) scripts/demo.sh $(BUILD)

test: build
	@$(ENV) scripts/sanitize.sh build-asan
	@$(ENV) scripts/test.sh $(BUILD)

docs: build
	@$(ENV) cmake --build $(BUILD) --target mlir-doc

format:
	@$(ENV) clang-format -i $(SOURCES)

check-format:
	@$(ENV) clang-format --dry-run -Werror $(SOURCES)

clean:
	rm -rf build build-*
