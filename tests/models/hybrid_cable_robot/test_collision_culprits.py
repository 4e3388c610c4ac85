"""Messages name the cables that are to blame, counted from 1."""

import itertools

import numpy as np
import pytest

from models import load
from models.hybrid_cable_robot.collisions.culprits import cutting_cable, touching_cables
from models.hybrid_cable_robot.collisions.distances import least_cable_distance, platform_clearance
from models.hybrid_cable_robot.robot import robot_of

POSITIONS = [(0.03, 0.02, 0.05), (0.2, -0.1, 0.15), (-0.15, 0.2, -0.2)]


@pytest.fixture(params=["constrained", "suspended"])
def parameters(request):
    return load("hybrid-cable-robot").resolve(
        request.param, {"orientations": "corners", "rotation_limit": 0.3}
    )


def alone(robot, cables):
    """The robot with some of its cables only, in distances and chords."""
    kept = [set(pair) <= cables for pair in robot.pairs.tolist()]
    return robot._replace(pairs=robot.pairs[kept], reliefs=robot.reliefs[kept], slimness=robot.slimness[kept])


@pytest.mark.parametrize("position", POSITIONS)
def test_the_pair_named_is_that_whose_robot_has_the_least_distance(parameters, position):
    robot, place = robot_of(parameters), np.array(position)

    def least(pair):
        return min(least_cable_distance(alone(robot, set(pair)), place, turn) for turn in robot.rotations)

    first, second = min(itertools.combinations(range(8), 2), key=least)
    assert touching_cables(robot, place, robot.rotations) == f"cables {first + 1} and {second + 1}"


@pytest.mark.parametrize("position", POSITIONS)
def test_the_cable_named_has_the_longest_chord(parameters, position):
    robot, place = robot_of(parameters), np.array(position)
    robot = robot._replace(half_size=robot.half_size * 4)

    def clearance(cable):
        one = robot._replace(pulleys=robot.pulleys[[cable]], attachments=robot.attachments[[cable]])
        return min(platform_clearance(one, place, turn) for turn in robot.rotations)

    assert cutting_cable(robot, place, robot.rotations) == f"cable {min(range(8), key=clearance) + 1}"
