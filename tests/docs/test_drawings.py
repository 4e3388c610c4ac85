"""Drawings of the model pages are what the models say today, stand on a page, and are small."""

import re

import numpy as np
import pytest

import models
from docs.drawings import arm, cable_robot, dynamics, statics
from docs.drawings.__main__ import DRAWINGS, FOLDER
from models.flexible_arm.contact import damping_factor, effective_restitution
from models.hybrid_cable_robot import evaluate_pose

NUMBER = re.compile(r"(?<![#\w])-?\d+(?:\.\d+)?")
MOST_BYTES = 60_000
PAGES = FOLDER.parent


def test_all_drawings_are_there_and_small():
    assert sorted(picture.stem for picture in FOLDER.glob("*.svg")) == sorted(DRAWINGS)
    assert max(picture.stat().st_size for picture in FOLDER.glob("*.svg")) < MOST_BYTES


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_what_the_models_say(name):
    drawn, kept = DRAWINGS[name](), (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert NUMBER.sub("", drawn) == NUMBER.sub("", kept), "run python -m docs.drawings"
    numbers = [[float(found) for found in NUMBER.findall(text)] for text in (drawn, kept)]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.3), "run python -m docs.drawings"


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_stands_on_a_page_and_is_dark_on_dark_ones(name):
    pages = [page.read_text(encoding="utf-8") for page in PAGES.glob("*.md")]
    assert sum(f"(drawings/{name}.svg)" in page for page in pages) == 1
    assert "prefers-color-scheme:dark" in (FOLDER / f"{name}.svg").read_text(encoding="utf-8")


def test_a_page_of_a_model_opens_with_its_drawing():
    own = [name for name in models.names() if (PAGES / f"{name}.md").exists()]
    assert len(own) == 5
    for name in own:
        first = re.search(
            r"^(?:!\[|## )(.*)$", (PAGES / f"{name}.md").read_text(encoding="utf-8"), re.MULTILINE
        )
        assert first.group(0).endswith(f"(drawings/{name}.svg)")


def test_the_drawn_margin_is_the_capacity_margin():
    low, high = np.array([-9.0, -26.0]), np.array([9.0, -14.0])
    start, end = cable_robot.margin_line(cable_robot.available(), low, high)
    margin = evaluate_pose(cable_robot.POINT, cable_robot.PLACE, (0, 0, 0)).capacity_margin
    assert np.linalg.norm(end - start) == pytest.approx(margin, rel=1e-9)


def test_the_drawn_cells_are_those_of_the_workspace():
    found = cable_robot.verdicts("constrained")
    half = cable_robot.CELLS // 2
    middle = (half + 0.5) / cable_robot.CELLS - 0.5
    parameters = cable_robot.MODEL.resolve("constrained", cable_robot.SETTINGS)
    assert found[half, half] == 0
    assert evaluate_pose(parameters, (middle, 0.0, middle), (0, 0, 0)).feasible
    assert found[0, -1] == 3
    corner = 0.5 / cable_robot.CELLS - 0.5
    assert evaluate_pose(parameters, (corner, 0.0, -corner), (0, 0, 0)).capacity_margin < 0


def test_the_drawn_fold_is_a_jump_between_stable_states():
    path, jump = statics.snapping()
    assert jump.kind == "fold"
    assert jump.snap.mu_min > 0
    assert not path.stable.all()
    assert statics._bends(jump.snap.after) > statics._bends(jump.snap.before) + 60


def test_the_drawn_times_are_the_metrics():
    parameters, _ = dynamics.motion()
    found = models.load("continuum-dynamics").evaluate(parameters, "motion", 0).metrics
    text = (FOLDER / "tension-and-settling.svg").read_text(encoding="utf-8")
    assert f"arrival_time {found['arrival_time']:.2f} s" in text
    assert f"peak_tension {found['peak_tension']:.2f} N" in text


@pytest.mark.parametrize("value", arm.LOSSES)
def test_the_drawn_loops_lose_the_energy_that_the_law_says(value):
    depths, forces = arm.impact(value)
    lost = float(np.trapezoid(forces, depths))
    kinetic = 0.5 * 0.5 * 3.0**2  # half of 1 kg at 3 m/s
    rebound = effective_restitution(damping_factor("hu-guo", value))
    assert lost == pytest.approx((1 - rebound**2) * kinetic, rel=0.02)
