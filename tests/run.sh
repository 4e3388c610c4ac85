#!/bin/sh
# Runs all tests that this machine can run and names what was left out.
# TAUTLINE_REQUIRE_ALL=1 turns anything left out into a failure.
set -eu
: "${PYTHON:=.venv/bin/python}"
unset PYTHONDONTWRITEBYTECODE # many tests start Tautline anew; it need not be compiled each time
echo "compiling kernels (once per version of the sources)"
"$PYTHON" -c "import models; [models.load(name).prepare('all') for name in ('hybrid-cable-robot', 'continuum-statics')]"
exec "$PYTHON" -m pytest -n 2 --dist loadfile -m "not soak" --cov --cov-report=term:skip-covered --durations=25 "$@" tests
