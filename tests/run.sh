#!/bin/sh
# Runs all tests that this machine can run and names what was left out; options are handed to pytest.
# TAUTLINE_REQUIRE_ALL=1 turns anything left out into a failure.
set -eu
: "${PYTHON:=.venv/bin/python}"
unset PYTHONDONTWRITEBYTECODE # many tests start Tautline anew; it need not be compiled each time
# OpenBLAS would start a thread for each core in each of the processes, and they spin while they wait.
export OPENBLAS_NUM_THREADS=1
# Stores wait for the disk at each commit: cores are idle 7 % of the time, and 3 % with files in memory, if it has 4 GB.
free=$(df -k -P /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ "${free:-0}" -gt 4000000 ]; then
  TMPDIR=$(mktemp -d /dev/shm/tautline-XXXXXX)
  export TMPDIR
  trap 'rm -rf "$TMPDIR"' EXIT
  trap 'exit 130' INT TERM
fi
# Files are handed out as tests/conftest.py says and in its order. Four processes share two cores:
# many tests wait for other processes, and another one works meanwhile. Plugins that no test asks for take
# part in each of them all the same.
"$PYTHON" -m pytest -p no:anyio -p no:benchmark -p no:platformdirs \
  -n 4 --dist loadfile --no-loadscope-reorder -m "not soak and not interpreters" --durations=25 "$@" tests
