"""Mirror images are found among cables, and only where all points have one."""

import numpy as np
import pytest

from dashboards.content.robot_symmetry import symmetry_of

PULLEYS = np.array([[0.8, 0.5, 0.9], [0, 0.9, 0.9], [-0.8, 0.5, 0.9], [0.8, -0.5, 0.9], [0, -0.9, 0.9], [-0.8, -0.5, 0.9]])  # fmt: skip
ATTACHMENTS = np.array([[80, 60, 60], [0, 60, -60], [-80, 60, 60], [80, -60, 60], [0, -60, -60], [-80, -60, 60]]) / 1000  # fmt: skip


def found(pulleys, attachments):
    return symmetry_of({"pulleys": pulleys, "attachments": attachments})


def mirrored(symmetry, points, name):
    """Each copy as its mirrors make it, in their order, from the cables that are no copies."""
    made = np.full_like(points, np.nan)
    made[list(symmetry.independent)] = points[list(symmetry.independent)]
    for mirror in symmetry.mirrors:
        axis = "xy".index(mirror.axis)
        copies = made[list(mirror.from_)].copy()
        copies[:, axis] = 2 * mirror.offsets[name] - copies[:, axis]
        made[list(mirror.to)] = copies
    return made


def test_two_planes_leave_a_quarter_of_the_cables():
    symmetry = found(PULLEYS, ATTACHMENTS)
    assert symmetry.independent == (0, 1)
    assert [(each.axis, each.from_, each.to) for each in symmetry.mirrors] == [
        ("x", (0,), (2,)), ("y", (0, 1, 2), (3, 4, 5)),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_copies_are_the_cables_in_any_order_and_about_any_middle(seed):
    generator = np.random.default_rng(seed)
    order = generator.permutation(6)
    pulleys = PULLEYS[order] + generator.normal(size=3)
    attachments = ATTACHMENTS[order]
    symmetry = found(pulleys, attachments)
    assert len(symmetry.independent) == 2
    assert mirrored(symmetry, pulleys, "pulleys") == pytest.approx(pulleys, abs=1e-12)
    assert mirrored(symmetry, attachments, "attachments") == pytest.approx(attachments, abs=1e-12)


def test_crossed_cables_are_seen_by_their_pulleys():
    symmetry = found(PULLEYS, ATTACHMENTS * [1, -1, 1])
    assert symmetry.independent == (0, 1)


def test_one_attachment_beside_its_image_leaves_one_plane_or_none():
    beside = ATTACHMENTS.copy()
    beside[[0, 2], 0] = [0.07, -0.07]
    assert [each.axis for each in found(PULLEYS, beside).mirrors] == ["x"]
    beside[1, 0] = 0.01
    assert found(PULLEYS, beside).mirrors == ()
    assert found(PULLEYS, beside).independent == tuple(range(6))


def test_two_cables_on_the_same_points_have_one_image_only():
    twice = [0, 0, 2, 1, 4]
    assert found(PULLEYS[twice], ATTACHMENTS[twice]).mirrors == ()
