"""Tools that check the scripts of the pages are missing only where npm cannot reach its registry."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "dashboards" / "install_tools.sh"
NPM = "what npm writes"


@pytest.fixture
def install(tmp_path):
    """install(status, ping): the script with an npm that ends so, and that writes this when it is pinged; its stamp."""

    def run(status, ping=""):
        npm = tmp_path / "npm"
        npm.write_text(
            f'#!/bin/sh\nif [ "$1" = ping ]; then echo "{ping}" >&2; else echo "{NPM}" >&2; exit {status}; fi\n',
            encoding="utf-8",
        )
        npm.chmod(0o755)
        stamp = tmp_path / "stamp"
        stamp.touch()  # of tools that were installed before
        path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
        command = ["sh", str(SCRIPT), str(stamp)]
        done = subprocess.run(
            command, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
        )
        return done, stamp

    return run


def test_the_stamp_is_written_when_npm_has_installed_them(install):
    done, stamp = install(0)
    assert done.returncode == 0
    assert stamp.exists()


@pytest.mark.parametrize("code", ["ENOTFOUND", "ECONNREFUSED", "ETIMEDOUT"])
def test_a_registry_out_of_reach_is_no_failure(install, code):
    done, stamp = install(1, f"npm error code {code}")
    assert (done.returncode, done.stderr) == (0, "")
    assert not stamp.exists()


def test_any_other_failure_shows_the_message_of_npm(install):
    done, stamp = install(1, "npm notice PONG 20ms")
    assert done.returncode == 1
    assert done.stderr == f"{NPM}\n"
    assert not stamp.exists()
