import os
import subprocess
import sys
from pathlib import Path

import pytest

TAUTLINE = [str(Path(sys.executable).parent / "tautline")]


@pytest.fixture
def tautline(tmp_path):
    """Runs the command line in an empty folder, as a user does."""

    def run(*arguments, check=None, timeout=240, env=None):
        result = subprocess.run(
            [*TAUTLINE, *map(str, arguments)],
            cwd=tmp_path, capture_output=True, text=True, timeout=timeout, check=False,
            env={**os.environ, "COLUMNS": "200", **(env or {})},
        )  # fmt: skip
        if check is not None:
            assert result.returncode == check, result.stdout + result.stderr
        return result

    return run


@pytest.fixture
def start(tmp_path):
    """Starts the command line in an empty folder and does not wait."""

    def begin(*arguments):
        return subprocess.Popen(
            [*TAUTLINE, *map(str, arguments)],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    return begin
