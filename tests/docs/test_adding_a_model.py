"""The recipe for a model of one's own, carried out as it is written."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from docs.code_blocks import ROOT, code_blocks, commands
from tests import forked

PAGE = ROOT / "docs" / "guide" / "adding-a-model.md"
FILES = ("pyproject.toml", "swinging_rod.py", "test_swinging_rod.py")


def test_the_recipe_makes_a_model_that_is_found_tested_and_evaluated(tmp_path: Path) -> None:
    written = {block.title: block.text for block in code_blocks(PAGE)}
    for name in FILES:
        (tmp_path / name).write_text(written[name], encoding="utf-8")
    installed = tmp_path / "installed"  # stands for the environment, which other tests use meanwhile
    environment = os.environ | {"PYTHONPATH": str(installed)}

    def run(*command: str) -> str:
        result = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True,
            check=False, timeout=240,
        )  # fmt: skip
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    python = sys.executable
    run(
        python,
        "-m",
        "pip",
        "install",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        str(installed),
        ".",
    )
    (tmp_path / "swinging_rod.py").unlink()  # what is imported from now on is what was installed
    assert "passed" in run(
        python, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0", "test_swinging_rod.py"
    )
    outputs = [
        forked.run(tmp_path, *shlex.split(line)[1:], env=environment, check=0).stdout
        for line in commands(PAGE)
    ]
    assert len(outputs) == 2
    assert "yes" in outputs[0]
    assert "period" in outputs[1]
    (tmp_path / "rods.toml").write_text(written["with the package"], encoding="utf-8")
    forked.run(tmp_path, "study", "run", "rods.toml", "--workers", "1", env=environment, check=0)
    assert "period" in forked.run(tmp_path, "study", "front", "rods", env=environment, check=0).stdout
