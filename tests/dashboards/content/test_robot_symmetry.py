"""Images are found among cables, by mirrors and by turns, and only where all points have one."""

import numpy as np
import pytest

from dashboards.content.robot.robot_symmetry import NEARLY, Image, symmetry_of

PULLEYS = np.array([[0.8, 0.5, 0.9], [0, 0.9, 0.9], [-0.8, 0.5, 0.9], [0.8, -0.5, 0.9], [0, -0.9, 0.9], [-0.8, -0.5, 0.9]])  # fmt: skip
ATTACHMENTS = np.array([[80, 60, 60], [0, 60, -60], [-80, 60, 60], [80, -60, 60], [0, -60, -60], [-80, -60, 60]]) / 1000  # fmt: skip


def found(pulleys, attachments):
    return symmetry_of({"pulleys": pulleys, "attachments": attachments})


def copied(symmetry, points, name):
    """Each copy as its motions make it, in their order, from the cables that are no copies."""
    made = np.full_like(points, np.nan)
    made[list(symmetry.independent)] = points[list(symmetry.independent)]
    middle = symmetry.centres[name]
    for image, from_, to in symmetry.copies:
        made[list(to)] = (made[list(from_)] - middle) @ image.matrix.T + middle
    return made


def test_two_planes_leave_a_quarter_of_the_cables():
    symmetry = found(PULLEYS, ATTACHMENTS)
    assert symmetry.independent == (0, 1)
    assert symmetry.copies == ((Image("x"), (0,), (2,)), (Image("y"), (0, 1, 2), (3, 4, 5)))


@pytest.mark.parametrize("seed", range(4))
def test_copies_are_the_cables_in_any_order_and_about_any_middle(seed):
    generator = np.random.default_rng(seed)
    order = generator.permutation(6)
    pulleys = PULLEYS[order] + generator.normal(size=3)
    attachments = ATTACHMENTS[order]
    symmetry = found(pulleys, attachments)
    assert len(symmetry.independent) == 2
    assert copied(symmetry, pulleys, "pulleys") == pytest.approx(pulleys, abs=1e-12)
    assert copied(symmetry, attachments, "attachments") == pytest.approx(attachments, abs=1e-12)


def test_crossed_cables_are_seen_by_their_pulleys():
    symmetry = found(PULLEYS, ATTACHMENTS * [1, -1, 1])
    assert symmetry.independent == (0, 1)


def test_one_attachment_beside_its_image_leaves_one_plane_or_none():
    beside = ATTACHMENTS.copy()
    beside[[0, 2], 0] = [0.07, -0.07]
    assert [each.image for each in found(PULLEYS, beside).copies] == [Image("x")]
    beside[1, 0] = 0.01
    assert found(PULLEYS, beside).copies == ()
    assert found(PULLEYS, beside).independent == tuple(range(6))


def test_two_cables_on_the_same_points_have_one_image_only():
    twice = [0, 0, 2, 1, 4]
    assert found(PULLEYS[twice], ATTACHMENTS[twice]).copies == ()


GROUPS = {
    (180,): [Image("z", 180)],
    (90,): [Image("z", 90), Image("z", 180)],
    ("x", 90): [Image("x"), Image("y"), Image("z", 90)],
    ("y", 180): [Image("x"), Image("y")],
}
"""Motions that make a robot, and those by which its copies follow."""


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("made_by", "images"), GROUPS.items())
def test_every_group_of_mirrors_and_turns_is_found(made_by, images, seed):
    generator = np.random.default_rng(seed)
    matrices = [np.eye(3)]
    for motion in made_by:
        matrix = (Image("z", motion) if isinstance(motion, int) else Image(motion)).matrix
        matrices += [matrix @ other for other in matrices]
        if motion == 90:
            matrices += [matrix @ matrix @ other for other in matrices]
    middle = generator.normal(size=3)
    ends = generator.normal(size=(2, 2, 3))
    order = generator.permutation(2 * len(matrices))
    pulleys, attachments = (
        np.concatenate([points @ matrix.T for matrix in matrices])[order] for points in ends
    )
    symmetry = found(pulleys + middle, attachments)
    assert len(symmetry.independent) == 2
    assert [each.image for each in symmetry.copies] == images
    assert copied(symmetry, pulleys + middle, "pulleys") == pytest.approx(pulleys + middle, abs=1e-12)
    assert copied(symmetry, attachments, "attachments") == pytest.approx(attachments, abs=1e-12)


def test_a_measured_robot_is_nearly_symmetric_and_its_motions_lead_to_its_cables():
    measured = PULLEYS + np.random.default_rng(0).uniform(-0.01, 0.01, PULLEYS.shape)
    assert found(measured, ATTACHMENTS).copies == ()
    near = symmetry_of({"pulleys": measured, "attachments": ATTACHMENTS}, NEARLY)
    assert near.copies == found(PULLEYS, ATTACHMENTS).copies
    assert (
        near.told
        == f"Nearly symmetric, within {near.distance:.2g} m: a mirror normal to x and a mirror normal to y"
    )
    for orbit in near.motions.values():
        source = measured[orbit[0][0]] - near.centres["pulleys"]
        for copy, matrix in orbit:
            beside = matrix @ source + near.centres["pulleys"] - measured[copy]
            assert np.abs(beside).max() <= near.distance * (1 + 1e-9)
