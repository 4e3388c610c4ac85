"""Generators of gest-api pass the contract of search algorithms, and search a study."""

import os
import subprocess
import sys
from pathlib import Path

from tests import forked

PACKAGE = Path(__file__).parent / "gest_walk"
CONTRACT = """
from studies.search.testing import SearchContract

class TestWalk(SearchContract):
    algorithms = ("gest-walk", "gest-walk-objectives", "gest-walk-singles")
"""
STUDY = """
name = "walk"
model = "mixed"
seeds = [1]
[variables]
turns = { lower = 0, upper = 8, type = "integer" }
slide = { lower = 0, upper = 1 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
algorithm = "gest-walk"
population = 6
generations = 4
"""


def test_the_package_passes_the_contract_and_searches_a_study(tmp_path):
    installed = tmp_path / "installed"  # stands for the environment, which other tests use meanwhile
    environment = os.environ | {"PYTHONPATH": str(installed)}
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--quiet", "--target", str(installed)]
    (tmp_path / "test_walk.py").write_text(CONTRACT)
    (tmp_path / "walk.toml").write_text(STUDY)
    for command in (
        ["pip", "install", *options, str(PACKAGE)],
        ["pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "-W", "error", "test_walk.py"],
    ):
        result = subprocess.run(
            [sys.executable, "-m", *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=280,
        )  # fmt: skip
        assert result.returncode == 0, result.stdout + result.stderr
    assert "passed" in result.stdout
    ran = forked.run(tmp_path, "study", "run", "walk.toml", "--workers", "1", env=environment, check=0)
    assert "done" in ran.stdout
