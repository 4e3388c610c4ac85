#!/bin/sh
# Runs all tests that this machine can run and names what was left out; options are handed to pytest.
# TAUTLINE_REQUIRE_ALL=1 turns anything left out into a failure.
set -eu
: "${PYTHON:=.venv/bin/python}"
unset PYTHONDONTWRITEBYTECODE # many tests start Tautline anew; it need not be compiled each time
# OpenBLAS would start a thread for each core in each of the processes, and they spin while they wait.
export OPENBLAS_NUM_THREADS=1
# Files are handed out as tests/conftest.py says. Four processes share two cores: many tests wait for other
# processes, and another one works meanwhile.
"$PYTHON" -m pytest -n 4 --dist loadfile --no-loadscope-reorder -m "not soak and not interpreters" --durations=25 "$@" tests
