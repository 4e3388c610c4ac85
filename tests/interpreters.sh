#!/bin/sh
# Makes targets with each other interpreter from 3.11 to 3.14 of this machine, in an environment of its own.
set -eu
known=$(.venv/bin/python -c 'import sys; print(sys.version_info[1])')
failed=""
for minor in 11 12 13 14; do
  [ "$minor" != "$known" ] || continue
  for python in "python3.$minor" /usr/bin/python3 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3."$minor".*/bin/python; do
    "$python" -c "import ensurepip, sys; sys.exit(sys.version_info[:2] != (3, $minor))" 2>/dev/null || continue
    echo "Python 3.$minor ($python)"
    make VENV=".venv-3.$minor" PYTHON="$python" "$@" || failed="$failed 3.$minor"
    continue 2
  done
  echo "Python 3.$minor: not on this machine"
done
[ -z "$failed" ] || { echo "failed with Python$failed"; exit 1; }
