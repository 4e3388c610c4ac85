"""Sag of a robot's cables: stiffness by differences, limits, symmetry, and the metrics over a workspace."""

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.optimize import fsolve

from models.contract import Evaluation
from models.hybrid_cable_robot import MODEL, HybridCableRobot, evaluate_pose
from models.hybrid_cable_robot.cable_sag import cable_sag, cable_weights
from models.hybrid_cable_robot.cables.catenary import catenary_span
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.stiffness import cable_stiffness, load_stiffness
from models.numerics.rotations import rotation_matrix
from tests.models.hybrid_cable_robot.robots import bare_robot

WEIGHT = {"wrench_set": "gravity", "orientations": "nominal"}
POSITION, TURN = np.array([0.1, -0.05, 0.08]), np.array([0.05, -0.08, 0.1])


def pose(**settings):
    return evaluate_pose(HybridCableRobot(f_max=60, **WEIGHT, **settings), POSITION, TURN)


def wrench_with_fixed_winches(robot, weights, unstretched, axial, position, rotation):
    """The cables' wrench (6,) at a pose, each catenary solved anew for its unstretched length."""
    total = np.zeros(6)
    for i, arm in enumerate(robot.attachments @ rotation.T):
        gap = robot.pulleys[i] - position - arm
        x, forwards = np.hypot(*gap[:2]), gap[:2] / np.hypot(*gap[:2])

        def miss(parts, i=i, x=x, z=gap[2]):
            H, V = parts
            return np.array(catenary_span(H, V, unstretched[i], weights[i], axial[i])) - [x, z]

        stretch = axial[i] * (np.linalg.norm(gap) / unstretched[i] - 1)
        # pyrefly: ignore[bad-unpacking]
        H, V = fsolve(miss, stretch * np.array([x, gap[2]]) / np.linalg.norm(gap), xtol=1e-11)
        force = np.array([*(H * forwards), V])
        total += np.concatenate([force, np.cross(arm, force)])
    return total


def test_stiffness_is_the_derivative_of_the_wrench_with_fixed_winches():
    parameters = HybridCableRobot(
        cable_density=0.05, f_max=60, axial_stiffness=1000.0, weight_moment="ignored"
    )
    robot, weights, rotation = robot_of(parameters), cable_weights(parameters), rotation_matrix(TURN)
    tensions = np.random.default_rng(0).uniform(20, 50, 8)
    found = cable_sag(robot, weights, POSITION[None], rotation, tensions[None])
    lengths = np.linalg.norm(robot.pulleys - POSITION - robot.attachments @ rotation.T, axis=1)
    axial, step = cable_stiffness(robot, lengths) * lengths, 1e-4

    def wrench(twist):
        turned = rotation_matrix(twist[3:]) @ rotation
        fixed = found.unstretched[0]
        return wrench_with_fixed_winches(robot, weights, fixed, axial, POSITION + twist[:3], turned)

    slopes = [(wrench(step * axis) - wrench(-step * axis)) / (2 * step) for axis in np.eye(6)]
    K = found.stiffness[0] - load_stiffness(robot, rotation)
    assert pytest.approx(K, rel=1e-5, abs=1e-5 * np.abs(K).max()) == -np.array(slopes).T


def test_light_cables_are_straight_and_pull_as_their_tensions_say():
    errors = [np.linalg.norm(pose(cable_density=density).sag.wrench_errors) for density in (1e-3, 1e-5)]
    assert errors[1] == pytest.approx(errors[0] / 100, rel=0.05)
    light, straight = pose(cable_density=1e-9), pose(geometric_stiffness=True)
    elastic = [
        K / np.abs(straight.stiffness_matrix).max() for K in (light.sag.stiffness, straight.stiffness_matrix)
    ]
    # Straight cables turn at their stretched length, and hold the tension at both ends.
    assert elastic[0][0] == pytest.approx(elastic[1], abs=0.05)
    assert light.sag.winch_tensions[0][light.tensions > 1] == pytest.approx(
        light.tensions[light.tensions > 1]
    )
    assert light.sag.curves[0, :, -1] == pytest.approx(light.wrench_matrix[:3].T * light.lengths[:, None])


def test_a_vertical_cable_is_a_pendulum_in_every_direction():
    robot = bare_robot(
        [[0, 0, 1.5]], [[0, 0, 0]], stiffness=np.array([4000.0]), first_moments=np.zeros((1, 3))
    )
    found = cable_sag(robot, np.array([1e-9]), np.zeros((1, 3)), np.eye(3), np.array([[20.0]]))
    stretched = 20.0 / 1.5  # a cable of any stiffness turns about its pulley
    along = 6000.0 / found.unstretched[0, 0]
    assert np.diag(found.stiffness[0])[:3] == pytest.approx([stretched, stretched, along], rel=1e-5)


def test_a_cable_without_length_has_no_sag():
    parameters = HybridCableRobot(cable_density=0.05)
    start = robot_of(parameters)
    place = start.pulleys[0] - start.attachments[0]
    assert evaluate_pose(parameters, place, np.zeros(3)).sag is None


def test_the_sag_turns_with_the_robot_and_does_not_know_the_order_of_cables():
    robot, angle = HybridCableRobot(cable_density=0.02), rotation_matrix(np.array([0, 0, 0.7]))
    start = robot_of(robot)
    order = np.random.default_rng(1).permutation(8)
    turned = start._replace(
        pulleys=start.pulleys[order] @ angle.T,
        attachments=start.attachments[order],
        stiffness=start.stiffness[order],
    )
    weights, tensions, level = cable_weights(robot), np.linspace(5, 20, 8), rotation_matrix(TURN)
    here = cable_sag(start, weights, POSITION[None], level, tensions[None])
    there = cable_sag(turned, weights, (angle @ POSITION)[None], angle @ level, tensions[order][None])
    assert there.sags[0] == pytest.approx(here.sags[0, order])
    both = np.kron(np.eye(2), angle)
    assert there.wrench_errors[0] == pytest.approx(both @ here.wrench_errors[0], abs=1e-12)
    assert there.error(0.1) == pytest.approx(here.error(0.1))


def test_metrics_over_the_workspace_grow_with_the_density_and_warn():
    found = {}
    for density in (1e-4, 0.1):
        parameters = HybridCableRobot(
            **WEIGHT, f_min=2, f_max=60, cells=8, cable_density=density, task_path=[[0, 0, 0], [0, 0, 0.02]]
        )
        found[density] = MODEL.evaluate(parameters, "workspace+sag")
        assert isinstance(found[density], Evaluation)
        values = found[density].metrics
        for name in ("sag_max", "sag_error"):
            assert 0 < values[f"{name}.q95"] <= values[name]
            assert values[f"{name}.task"] > 0
            assert values[f"{name}.box"] > 0
    light, heavy = found.values()
    assert heavy.metrics["sag_max"] > 3 * light.metrics["sag_max"]
    assert heavy.metrics["workspace_volume"] == light.metrics["workspace_volume"]
    assert not light.warnings
    assert any("miss the wrench" in told for told in heavy.warnings)


def test_without_a_density_there_is_no_sag():
    found = MODEL.evaluate(HybridCableRobot(**WEIGHT, f_max=60, cells=4), "workspace+sag")
    assert found.metrics["sag_max"] is None
    assert found.metrics["workspace_volume"] > 0
    assert pose().sag is None


@pytest.mark.parametrize(
    ("density", "words"),
    [
        ((0.1, 0.2), "'cable_density' lists 2 values for 8 cables"),
        (0.0, "greater than or equal to 0.000000001"),
    ],
)
def test_wrong_densities_are_refused(density, words):
    with pytest.raises(ValidationError, match=words):
        HybridCableRobot(cable_density=density)


def test_the_picture_shows_hanging_cables():
    shapes = MODEL.scene(HybridCableRobot(**WEIGHT, f_max=60, cells=4, cable_density=0.02)).shapes
    cable = next(shape for shape in shapes if shape.name == "cable 1")
    straight = np.linspace(cable.points[0], cable.points[-1], len(cable.points))
    assert len(cable.points) > 2
    assert (cable.points[1:-1, 2] < straight[1:-1, 2]).all()
