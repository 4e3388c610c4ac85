"""The page of own robots can be followed to the letter."""

import json
import shlex
from pathlib import Path

from docs.code_blocks import ROOT, code_blocks, commands
from tests.forked import run

PAGE = ROOT / "docs" / "guide" / "own-robot.md"


LESS = {
    "population = 40": "population = 6",
    "generations = 25": "generations = 2",
    "seeds = [1, 2, 3, 4, 5]": "seeds = [1]",
}
"""A shorter search, so that the test takes seconds."""


def test_every_command_of_the_page_works_in_order(tmp_path: Path) -> None:
    for block in code_blocks(PAGE, "csv"):
        (tmp_path / block.title).write_text(block.text, encoding="utf-8")
    for line in commands(PAGE):
        words = shlex.split(line)
        limit = ["--workers", "1"] if words[1:3] == ["study", "run"] else []
        result = run(tmp_path, *words[1:], *limit)
        assert result.returncode == 0, f"{line}\n{result.stderr}"
        if words[1:3] == ["study", "new"]:
            _shorten(tmp_path / words[3])
    assert 'data-figure="robot-1"' in (tmp_path / "own-robot-robot.html").read_text(encoding="utf-8")
    assert "eight" in (tmp_path / "own-robot.html").read_text(encoding="utf-8")
    front = json.loads(run(tmp_path, "study", "front", "own-robot", "--format", "json").stdout)
    assert {design["layout"] for design in front} == {"six", "eight"}
    for design in front:
        cables, variables = {"six": (6, 6), "eight": (8, 8)}[design["layout"]]
        assert len(design["variables"]) == variables
        symmetric = {**design["variables"], **design["linked"]}
        assert {f"pulleys.{cable}.1" for cable in range(cables)} <= set(symmetric)
        assert symmetric["pulleys.2.0"] == -symmetric["pulleys.0.0"]
        assert symmetric[f"attachments.{cables - 1}.1"] < 0


def _shorten(study: Path) -> None:
    """Check what the page shows of the study file, and make its search shorter."""
    text = study.read_text(encoding="utf-8")
    (shown,) = code_blocks(PAGE, "text")
    assert shown.text in text
    for line, less in LESS.items():
        assert line in text
        text = text.replace(line, less)
    study.write_text(text, encoding="utf-8")
