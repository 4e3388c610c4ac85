#!/bin/sh
# Runs all tests that this machine can run and names what was left out; options are handed to pytest.
# TAUTLINE_REQUIRE_ALL=1 turns anything left out into a failure.
set -eu
: "${PYTHON:=.venv/bin/python}"
unset PYTHONDONTWRITEBYTECODE # many tests start Tautline anew; it need not be compiled each time
compile() {
    "$PYTHON" -c "import models; models.load('$1').prepare('all')"
}
echo "compiling kernels (once per version of the sources)"
compile continuum-statics &
compile hybrid-cable-robot
wait $! # fails when the first one did
# Files are handed out in the order that tests/conftest.py gives them, long ones first.
exec "$PYTHON" -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not soak" --durations=25 "$@" tests
