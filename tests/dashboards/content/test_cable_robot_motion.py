"""Drawings of a cable robot that moves by its winches."""

import numpy as np
import pytest

from dashboards.content.backends.plugins import plugin_of
from models.hybrid_cable_robot import MODEL, follow_winches

OWN = {"times": (0.0, 1.0), "platform_positions": [[0, 0, 0], [0.02, 0, 0]]}


def drawings(**settings):
    design = MODEL.resolve("suspended", {"trajectory_samples": 31, **settings})
    return plugin_of("hybrid-cable-robot").of_design(design)


def test_a_study_without_a_motion_of_its_own_has_no_drawings():
    assert not drawings()


def test_a_trajectory_of_the_users_own_is_drawn_with_tensions_and_path_error():
    moving, tensions = drawings(trajectory=OWN)
    assert len(moving.figure["frames"]) == 91
    names = [trace["name"] for trace in tensions.figure["data"]]
    assert names == [*(f"cable {n}" for n in range(1, 9)), "path error"]
    motion = follow_winches(MODEL.resolve("suspended", {"trajectory_samples": 31, "trajectory": OWN}))
    drawn = np.array(tensions.figure["data"][2]["y"], dtype=float)
    assert drawn == pytest.approx(motion.tensions[:, 2], rel=1e-3)
    assert f"Cable {motion.peaks.argmax() + 1} pulls most" in tensions.caption
    assert "No cable is ever slack" in tensions.caption


def test_a_table_is_drawn_without_a_path_and_says_how_long_cables_are_slack():
    rows = {"times": (0.0, 0.2, 0.5), "lengths": [[0.9] * 8, [0.7] * 8, [0.95] * 8]}
    moving, tensions = drawings(winch_lengths=rows)
    names = [trace["name"] for trace in tensions.figure["data"]]
    assert "path error" not in names
    assert "of the time" in tensions.caption
    assert "elastic cables" in moving.caption


def test_a_motion_that_cannot_start_is_not_drawn():
    assert not drawings(trajectory=OWN, f_max=1.0)
