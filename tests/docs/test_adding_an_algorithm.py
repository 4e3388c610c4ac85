"""The recipe for a search algorithm of another package, carried out as it is written."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from docs.code_blocks import ROOT, code_blocks, commands
from tests import forked

PAGE = ROOT / "docs" / "guide" / "adding-an-algorithm.md"


def test_the_recipe_makes_algorithms_that_pass_the_contract_and_run(tmp_path: Path) -> None:
    for block in code_blocks(PAGE):
        if block.title.endswith((".toml", ".py")):
            (tmp_path / block.title).write_text(block.text, encoding="utf-8")
    installed = tmp_path / "installed"  # stands for the environment, which other tests use meanwhile
    environment = os.environ | {"PYTHONPATH": str(installed)}

    def run(*command: str) -> str:
        result = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True,
            check=False, timeout=240,
        )  # fmt: skip
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout + result.stderr

    python = sys.executable
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--target", str(installed)]
    run(python, "-m", "pip", "install", *options, ".")
    (tmp_path / "more_search.py").unlink()  # what is imported from now on is what was installed
    assert "passed" in run(
        python, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0", "-W", "error", "test_more_search.py"
    )
    listed, shown, checked, ran = (
        forked.run(tmp_path, *shlex.split(line)[1:], env=environment, check=0) for line in commands(PAGE)
    )
    assert "more-search 1.0" in listed.stdout
    assert "0.001" in shown.stdout
    assert "is a valid study of 1 run" in checked.stderr
    assert "done" in ran.stdout
