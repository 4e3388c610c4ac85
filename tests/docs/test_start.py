"""A new user can follow the ten-minute start to the letter."""

import shlex
from pathlib import Path

from docs.code_blocks import ROOT, code_blocks, commands
from tests.forked import run

PAGE = ROOT / "docs" / "start.md"
LESS = {"population = 12": "population = 6", "generations = 6": "generations = 2", "cells = 20": "cells = 8"}
"""A shorter search than the page's."""


def test_every_command_of_the_start_page_works_in_order(tmp_path: Path) -> None:
    for block in code_blocks(PAGE, "toml", "csv"):
        text = block.text
        for line, less in LESS.items() if block.language == "toml" else ():
            assert line in text
            text = text.replace(line, less)
        (tmp_path / block.title).write_text(text, encoding="utf-8")
    lines = commands(PAGE)
    assert len(lines) >= 12
    for line in lines:
        words = shlex.split(line)
        limit = []
        if "demo" in words:
            limit = ["--workers", "1", "--cells", "6", "--generations", "2"]
        elif words[1:3] in (["study", "run"], ["study", "resume"]):
            limit = ["--workers", "1"]
        result = run(tmp_path, *words[1:], *limit)
        assert result.returncode == 0, f"{line}\n{result.stderr}"
    made = {path.name for path in tmp_path.iterdir()}
    assert {"small-demo", "tautline.db", "first.html", "all.csv", "fronts.json"} <= made
    assert (tmp_path / "small-demo" / "report.html").is_file()
