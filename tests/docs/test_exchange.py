"""The page on other programs can be followed to the letter."""

import shlex
from pathlib import Path

from docs.code_blocks import ROOT, code_blocks, commands
from models import load
from studies.exchange.formats import FORMATS, formats_of
from studies.exchange.robot_files import READERS
from tests.forked import run

PAGE = ROOT / "docs" / "guide" / "exchange.md"


def test_every_command_of_the_page_works_in_order(tmp_path: Path) -> None:
    (text,) = [block for block in code_blocks(PAGE, "text") if block.title == "six.txt"]
    (tmp_path / "six.txt").write_text(text.text, encoding="utf-8")
    for line in commands(PAGE):
        words = shlex.split(line)
        if words[1] == "design":  # of a study that a reader has
            continue
        result = run(tmp_path, *words[1:])
        assert result.returncode == 0, f"{line}\n{result.stderr}"
    for name in ("cogiro.urdf", "cogiro.dxf", "cogiro.nc", "six-robot.html"):
        assert (tmp_path / name).stat().st_size
    assert "# Read from six.txt (WireX text)" in (tmp_path / "six.toml").read_text(encoding="utf-8")


def test_the_page_lists_every_format() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, known in FORMATS.items():
        assert f"| `{name}` | `.{known.ending}` |" in page
    assert set(READERS) == {"urdf", "sdf", "caspr", "wirex", "cdpyr", "gazebo", "tautline"}
    assert "urdf" in formats_of(load("flexible-arm"))
