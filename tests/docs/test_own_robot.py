"""The page of own robots can be followed to the letter."""

import json
import shlex
from pathlib import Path

from docs.fences import ROOT, commands, fences
from tests.forked import run

PAGE = ROOT / "docs" / "own-robot.md"


def test_every_command_of_the_page_works_in_order(tmp_path: Path) -> None:
    for block in fences(PAGE, "csv", "toml"):
        (tmp_path / block.title).write_text(block.text, encoding="utf-8")
    for line in commands(PAGE):
        words = shlex.split(line)
        limit = ["--workers", "2"] if words[1:3] == ["study", "run"] else []
        result = run(tmp_path, *words[1:], *limit)
        assert result.returncode == 0, f"{line}\n{result.stderr}"
    assert 'data-figure="robot-1"' in (tmp_path / "first-robot.html").read_text(encoding="utf-8")
    assert "volume per height" in (tmp_path / "own-robot.html").read_text(encoding="utf-8")
    front = json.loads(run(tmp_path, "study", "front", "own-robot", "--format", "json").stdout)
    assert {design["layout"] for design in front} == {"six", "eight"}
    for design in front:
        symmetric = {**design["variables"], **design["linked"]}
        cables = {"six": 6, "eight": 8}[design["layout"]]
        assert {f"pulleys.{cable}.1" for cable in range(cables)} <= set(symmetric)
        assert symmetric["pulleys.2.0"] == -symmetric["pulleys.0.0"]
        last = f"attachments.{cables - 1}.1"
        assert symmetric[last] < 0
        volume = design["metrics"]["workspace_volume"]
        assert design["metrics"]["volume_per_height"] == volume / design["variables"]["height"]
