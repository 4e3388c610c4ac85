"""The examples are sound; tests of the gallery run them made small."""

import math
from pathlib import Path

import pytest

import tautline
from docs.code_blocks import ROOT
from tests.forked import run

EXAMPLES = ROOT / "examples"
FILES = sorted(EXAMPLES.glob("*.toml"))
ONE_DESIGN = {
    "hybrid-cable-robot": {"cells": 10},
    "continuum-statics": {},
    "continuum-kinematics": {},
    "continuum-dynamics": {},
    "flexible-arm": {},
}
# Variables of layouts whose middle of the ranges, or preset, holds no wrench box anywhere.
WORKING = {("robocab", "suspended"): {"beta1": math.radians(160), "beta2": math.radians(120)}}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_layout_has_a_design_that_works(path: Path) -> None:
    definition = tautline.read_study(path)
    assert definition.name == path.stem
    for layout, problem in tautline.check_study(definition).items():
        values = {**ONE_DESIGN[definition.model], **WORKING.get((path.stem, layout), {})}
        design = problem.model.resolve(problem.preset, {**problem.settings, **values})
        outcome = problem.model.evaluate(design, problem.cost_class, 0)
        assert isinstance(outcome, tautline.Evaluation), layout


def test_script_runs(tmp_path: Path) -> None:
    script = EXAMPLES / "compare_layouts.py"
    result = run(tmp_path, "--quick", "--workers", "1", script=script)
    assert result.returncode == 0, result.stderr
    assert "hypervolume" in result.stdout
    assert (tmp_path / "robocab-quick.html").is_file()
