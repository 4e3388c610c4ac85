"""Scenes that move, and what can be wrong with them."""

from dataclasses import replace

import numpy as np
import pytest

from models.scene import MOST_MOMENTS, MOST_MOVING_POINTS, Box, Line, Moment, Scene, motion_fault


def rod(height, count=3):
    """Points (count, 3) m along a straight rod."""
    return np.linspace([0.0, 0.0, 0.0], [0.0, 0.0, height], count)


def rising(times=(0.0, 0.5, 2.0), count=3):
    """A rod that grows beside a base that stands still."""
    heights = range(1, 1 + len(times))
    lines = [(Line("rod", rod(height, count), "robot"),) for height in heights]
    moments = tuple(Moment(time, line) for time, line in zip(times, lines, strict=True))
    base = Box("base", np.zeros(3), np.eye(3), np.full(3, 0.1))
    return Scene((base, *moments[-1].lines), "at the end", moments=moments)


def changed(place, **values):
    """The rising scene with another line in one of its moments."""
    scene = rising()
    moments = list(scene.moments)
    moments[place] = replace(moments[place], lines=(replace(moments[place].lines[0], **values),))
    return replace(scene, moments=tuple(moments))


def test_scenes_that_move_or_stand_still_have_no_fault():
    assert motion_fault(rising()) == ""
    assert motion_fault(replace(rising(), moments=())) == ""


@pytest.mark.parametrize("times", [(0.0, 0.0), (1.0, 0.5), (0.0, float("nan")), (0.0, float("inf"))])
def test_times_are_finite_and_rise(times):
    assert "each later than the one before" in motion_fault(rising(times))


def test_too_few_and_too_many_moments_are_refused():
    assert f"2 to {MOST_MOMENTS}; this one has 1" in motion_fault(rising((0.0,)))
    assert f"has {MOST_MOMENTS + 1}" in motion_fault(rising(range(MOST_MOMENTS + 1)))
    assert f"at most {MOST_MOVING_POINTS}" in motion_fault(rising((0.0, 1.0), MOST_MOVING_POINTS // 2 + 1))


@pytest.mark.parametrize("values", [{"name": "bar"}, {"group": "arm"}, {"points": rod(1.5, 4)}])
def test_every_moment_has_the_lines_of_the_first(values):
    assert "0.5 s has other lines, or lines of other lengths" in motion_fault(changed(1, **values))


def test_points_are_three_finite_numbers():
    assert "not three finite numbers" in motion_fault(changed(1, points=np.full((3, 3), np.inf)))
    flat = tuple(Moment(time, (Line("rod", np.zeros((3, 2))),)) for time in (0.0, 1.0))
    assert "not three finite numbers" in motion_fault(Scene(flat[0].lines, moments=flat))


def test_lines_that_move_are_among_the_shapes_as_they_are_at_the_end():
    scene = rising()
    assert "'rod' moves, but is not once" in motion_fault(replace(scene, shapes=scene.shapes[:1]))
    assert "'rod' moves, but is not once" in motion_fault(
        replace(scene, shapes=(*scene.shapes, scene.shapes[1]))
    )
    assert "as it is at the last moment" in motion_fault(changed(-1, points=rod(9.0)))


def test_moments_need_lines_with_different_names():
    scene = rising()
    twice = tuple(replace(moment, lines=moment.lines * 2) for moment in scene.moments)
    none = tuple(replace(moment, lines=()) for moment in scene.moments)
    for moments in (twice, none):
        assert motion_fault(replace(scene, moments=moments)) == "moments need lines with different names"
