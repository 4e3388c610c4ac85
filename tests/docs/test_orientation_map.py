"""The picture of the total orientation holds what the model says today."""

import re

import pytest
from defusedxml.ElementTree import parse

from docs.orientation_map import CELLS, PICTURE, PRESETS, angle, places

DRAWN = {
    (preset, float(x), float(z)): float(found)
    for preset, x, z, found in (
        each.get("data-angle").split() for each in parse(PICTURE).iter() if each.get("data-angle")
    )
}


@pytest.mark.parametrize("preset", PRESETS)
def test_cells_of_the_picture_have_the_angle_of_the_model(preset):
    for x in places()[::6]:
        for z in places()[3::7]:
            drawn = DRAWN.get((preset, float(f"{x:.4f}"), float(f"{z:.4f}")), 0.0)
            assert drawn == pytest.approx(angle(preset, float(x), float(z)), abs=0.15)


@pytest.mark.parametrize("preset", PRESETS)
def test_pictures_are_as_symmetric_as_the_robots(preset):
    assert len(DRAWN) > CELLS * CELLS / 2
    for (name, x, z), found in DRAWN.items():
        if name == preset:
            assert DRAWN[name, -x + 0.0, z] == pytest.approx(found, abs=0.15)


def test_caption_names_the_greatest_angles():
    text = (PICTURE.parents[1] / "models" / "hybrid-cable-robot.md").read_text(encoding="utf-8")
    named = re.search(
        r"furthest in the middle \((\d+) deg\), the suspended one near\s+the top \((\d+) deg\)", text
    )
    greatest = [max(found for (name, _, _), found in DRAWN.items() if name == preset) for preset in PRESETS]
    assert [round(each) for each in greatest] == [int(each) for each in named.groups()]
