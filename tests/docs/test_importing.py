"""The page on results from elsewhere can be followed to the letter."""

import shlex
from pathlib import Path

from docs.code_blocks import ROOT, code_blocks
from tests.forked import run

PAGE = ROOT / "docs" / "guide" / "importing.md"


def test_every_command_of_the_page_works_in_order(tmp_path: Path) -> None:
    for block in (*code_blocks(PAGE, "csv"), *code_blocks(PAGE, "toml")):
        (tmp_path / block.title).write_text(block.text, encoding="utf-8")
    told = {}
    shown = [block.text for block in code_blocks(PAGE, "bash") if block.title != "fragment"]
    for line in "".join(shown).splitlines():
        result = run(tmp_path, *shlex.split(line)[1:])
        assert result.returncode == 0, f"{line}\n{result.stderr}"
        told[shlex.split(line)[2]] = result.stdout + result.stderr
    said = " ".join(told["run"].split())
    assert "ranked by metrics imported from CASPR 2019, measured by N.N., and all are evaluated here" in said
    assert "robots-from-caspr (imported)" in told["compare"]
    assert "imported from CASPR 2019, measured by N.N., and not evaluated here" in " ".join(
        told["front"].split()
    )
