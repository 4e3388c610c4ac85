"""The page on models in one file, followed to the letter: from an empty folder to its fronts."""

import shlex
import subprocess
from pathlib import Path

from docs.code_blocks import ROOT, code_blocks
from tests.forked import run

PAGE = ROOT / "docs" / "guide" / "own-model.md"
LESS = {"population = 20\ngenerations = 10": "population = 8\ngenerations = 3"}
"""A shorter search of the truss."""


def test_the_page_leads_from_empty_files_to_fronts(tmp_path: Path) -> None:
    written = {block.title: block.text for block in code_blocks(PAGE) if block.title}
    for line, less in LESS.items():
        assert line in written["truss.toml"]
        written["truss.toml"] = written["truss.toml"].replace(line, less)
    for name, text in written.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    lines = [
        line.removeprefix("$ ") for block in code_blocks(PAGE, "console") for line in block.text.splitlines()
    ]
    assert len(lines) == 13
    printed, exported = {}, {}
    for line in lines:
        words = shlex.split(line)
        if words[0] == "export":
            exported |= [words[1].split("=")]
        elif words[0] == "tautline":
            result = run(tmp_path, *words[1:], env=exported)
            assert result.returncode == 0, f"{line}\n{result.stderr}"
            printed[line] = result.stdout
        else:
            subprocess.run(words, cwd=tmp_path, check=True, timeout=60)
    fronts = [text for line, text in printed.items() if "front" in line]
    assert len(fronts) == 3
    assert all(text.count("\n") > 5 for text in fronts)
    assert "half 1, diameter" in next(text for line, text in printed.items() if "front shaft" in line)
    assert (tmp_path / "truss.html").is_file()


def test_the_bar_of_elements_is_run_from_a_script(tmp_path: Path) -> None:
    written = {block.title: block.text for block in code_blocks(PAGE, "python")}
    for name in ("bar.py", "run_bar.py"):
        (tmp_path / name).write_text(written[name], encoding="utf-8")
    found = run(tmp_path, script=tmp_path / "run_bar.py")
    assert found.returncode == 0, found.stderr
    first, second, *front = found.stdout.splitlines()
    assert eval(second)["extension"] > 1.9 * eval(first)["extension"]  # noqa: S307 - what the script printed
    assert len(front) > 5


def test_the_bar_has_the_extension_of_the_closed_form(tmp_path: Path, monkeypatch) -> None:
    """F l / (E A) + rho g l^2 / (2 E), whatever the number of elements."""
    from models import registry
    from models.own_model import load_file

    monkeypatch.setattr(registry, "_users", {})
    (tmp_path / "bar.py").write_text(
        next(block.text for block in code_blocks(PAGE, "python") if block.title == "bar.py"), encoding="utf-8"
    )
    bar = load_file(tmp_path / "bar.py")
    registry.load.cache_clear()
    for count in (1, 4, 7):
        design = bar.parameters(areas=(2e-4,) * count, length=3.0, load=7e3)
        closed = 7e3 * 3.0 / (210e9 * 2e-4) + 7850 * 9.81 * 9.0 / (2 * 210e9)
        assert abs(bar.evaluate(design).metrics["extension"] / closed - 1) < 1e-9
