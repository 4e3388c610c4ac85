"""The page on models in one file, followed to the letter: from an empty folder to its fronts."""

import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from docs.code_blocks import ROOT, code_blocks
from models import Model, registry
from models.own_model import load_file
from tests.forked import run

PAGE = ROOT / "docs" / "guide" / "own-model.md"
LESS = ("population = 20\ngenerations = 10", "population = 8\ngenerations = 3")
"""A shorter search of the truss."""
SHAFT = """
from math import pi

from models import Metric, Parameters, model, quantity


class Shaft(Parameters):
    hollow: bool = False
    diameters: tuple[float, ...] = quantity(
        (0.02, 0.02), unit="m", description="diameter of each half", item="half {}, diameter"
    )


@model(metrics=[Metric("mass", "kg", "mass of the shaft", "minimize"), Metric("size", "m", "both", "minimize")])
def shaft(design: Shaft):
    share = 0.75 if design.hollow else 1.0
    return {"mass": share * 1570 * sum(pi / 4 * d**2 for d in design.diameters), "size": -sum(design.diameters)}
"""
SEARCH = """
name = "shaft"
model = "shaft"
[variables]
hollow = { options = [true, false] }
"diameters.0" = { lower = "10 mm", upper = "40 mm" }
"diameters.1" = { lower = "10 mm", upper = "40 mm" }
[objectives]
mass = "minimize"
size = "minimize"
[search]
population = 8
generations = 2
"""
"""A model with a switch and a list whose items have names, of which the page shows no example."""


def test_the_page_leads_from_empty_files_to_fronts(tmp_path: Path) -> None:
    write_files(tmp_path)
    lines = [
        line.removeprefix("$ ") for block in code_blocks(PAGE, "console") for line in block.text.splitlines()
    ]
    assert len(lines) == 10
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
    assert len(fronts) == 2
    assert all(text.count("\n") > 5 for text in fronts)
    assert "aluminium" in fronts[0]
    assert (tmp_path / "truss.html").is_file()


def test_the_items_of_a_list_have_their_names(tmp_path: Path) -> None:
    (tmp_path / "shaft.py").write_text(SHAFT, encoding="utf-8")
    (tmp_path / "shaft.toml").write_text(SEARCH, encoding="utf-8")
    run(tmp_path, "study", "run", "shaft.toml", "--model", "shaft.py", check=0)
    front = run(tmp_path, "study", "front", "shaft", "--model", "shaft.py", check=0).stdout
    assert "half 1, diameter" in front


def test_the_truss_is_run_from_a_script(tmp_path: Path) -> None:
    write_files(tmp_path)
    found = run(tmp_path, script=tmp_path / "run_truss.py")
    assert found.returncode == 0, found.stderr
    first, second, *front = found.stdout.splitlines()
    assert eval(second)["deflection"] > 1.9 * eval(first)["deflection"]  # noqa: S307 - what the script printed
    assert len(front) > 5


@pytest.fixture
def truss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    monkeypatch.setattr(registry, "_users", {})
    write_files(tmp_path)
    yield load_file(tmp_path / "truss.py")
    registry.load.cache_clear()


@pytest.mark.parametrize("height", [0.3, 1.0, 2.5])
def test_the_apex_moves_as_its_stiffness_matrix_says(truss: Model, height: float) -> None:
    """K = sum E A / l n n^T over the two bars, solved for the load."""
    design = truss.parameters.model_validate({"height": height, "area": 2e-4})
    stiffness = np.zeros((2, 2))
    for foot in (-1.0, 1.0):
        bar = np.array([-foot, height])
        length = np.linalg.norm(bar)
        stiffness += 210e9 * 2e-4 / length * np.outer(bar, bar) / length**2
    moved = np.linalg.solve(stiffness, [0.0, 10e3])[1]
    assert truss.evaluate(design).metrics["deflection"] == pytest.approx(moved, rel=1e-12)


def write_files(folder: Path) -> None:
    """The files of the page, with a shorter search."""
    for block in code_blocks(PAGE):
        if block.title:
            text = block.text
            if block.title == "truss.toml":
                assert LESS[0] in text
                text = text.replace(*LESS)
            (folder / block.title).write_text(text, encoding="utf-8")
