"""Natural frequencies of the platform: an independent code's values, closed forms, symmetry, metrics."""

import numpy as np
import pytest

from models.contract import Evaluation
from models.hybrid_cable_robot import MODEL, HybridCableRobot, evaluate_pose
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.natural_frequencies import frequencies, mass_matrix
from models.hybrid_cable_robot.robot import robot_of
from models.hybrid_cable_robot.stiffness import pose_stiffness
from models.numerics.rotations import rotation_matrix
from tests.models.hybrid_cable_robot.robots import bare_robot

# At the centre under the weight, the arm locked at rest; Hz, of a code written by somebody else.
PUBLISHED = {
    ("constrained", "centroid"): (0.9082, 1.4043, 4.0799, 4.5848, 5.7449, 6.5950),
    ("constrained", "minimum-norm"): (0.9548, 1.4210, 3.9606, 4.5445, 5.6730, 6.1361),
    ("suspended", "centroid"): (1.3996, 1.4180, 5.5541, 8.0793, 8.1231, 9.9744),
}
WEIGHT = {"wrench_set": "gravity", "orientations": "nominal"}
NO_ARM = {"arm_links": [{"mass": 0.0, "inertia": [0.0] * 6}] * 6}


@pytest.mark.parametrize(("preset", "rule"), PUBLISHED)
def test_values_of_an_independent_code(preset, rule):
    parameters = MODEL.resolve(preset, {"tension_rule": rule})
    found = evaluate_pose(parameters, np.zeros(3), np.zeros(3)).natural_frequencies
    assert found == pytest.approx(PUBLISHED[preset, rule], abs=5.1e-5)


def test_one_vertical_cable_swings_as_a_pendulum():
    mass, length, axial = 2.0, 1.5, 4000.0
    robot = bare_robot([[0, 0, length]], [[0, 0, 0]], geometric=True, stiffness=np.array([axial]))
    pull = mass * -GRAVITY[2]
    K = pose_stiffness(robot, np.zeros(3), np.eye(3), np.array([pull]))
    found = frequencies(K[:3, :3], mass * np.eye(3)) * 2 * np.pi
    pendulum = np.sqrt(-GRAVITY[2] / length)
    assert found == pytest.approx([pendulum, pendulum, np.sqrt(axial / mass)])


@pytest.mark.parametrize(("height", "stable"), [(-0.3, True), (0.02, True), (0.3, False)])
def test_a_high_mass_topples_where_the_closed_form_says(height, stable):
    """Four cables without tension of their own hold the platform's tilt by k b^2 against the weight's m g d."""
    mass, stiffness, arm = 3.0, 50.0, 0.2
    corners = np.array([[arm, 0, 0], [-arm, 0, 0], [0, arm, 0], [0, -arm, 0]])
    above = corners + np.array([0, 0, 1e9])  # so long that they do not turn
    robot = bare_robot(
        above, corners, geometric=True, stiffness=np.full(4, stiffness),
        first_moments=np.array([[0.0, 0.0, mass * height]]),
    )  # fmt: skip
    K = pose_stiffness(robot, np.zeros(3), np.eye(3), np.full(4, mass * -GRAVITY[2] / 4))
    tilt = 2 * stiffness * arm**2 - mass * -GRAVITY[2] * height
    assert K[3, 3] == pytest.approx(tilt)
    assert K[4, 4] == pytest.approx(tilt)
    inertia = 0.1
    lowest = frequencies(K[3:5, 3:5], inertia * np.eye(2))[0]
    assert lowest == pytest.approx(np.sign(tilt) * np.sqrt(abs(tilt) / inertia) / (2 * np.pi))
    assert (lowest > 0) == stable


def test_the_mass_matrix_is_that_of_the_kinetic_energy():
    parameters = HybridCableRobot()
    M = mass_matrix(parameters)
    assert pytest.approx(M.T) == M
    assert M[0, 0] == pytest.approx(2.236)
    moment = robot_of(parameters.model_copy(update={"wrench_set": "gravity"})).first_moments[0]
    x, y, z = moment
    assert M[:3, 3:] == pytest.approx(np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]]))


def test_frequencies_turn_with_the_robot_and_do_not_know_the_order_of_cables():
    turn = rotation_matrix(np.array([0, 0, 0.9]))
    start = HybridCableRobot(pulleys=robot_of(HybridCableRobot()).pulleys.tolist())
    order = np.random.default_rng(2).permutation(8)
    settings = {
        "attachments": np.array(start.attachments)[order] @ turn.T,
        "pulleys": np.array(start.pulleys)[order] @ turn.T,
        "platform_half_size": (0.1, 0.1, 0.05), "cable_stiffness": 1000.0,
        "platform_body": {"mass": 2.0, "inertia": [0.01, 0.01, 0.02, 0, 0, 0]}, **NO_ARM, "f_max": 60.0,
    }  # fmt: skip
    plain = {**settings, "attachments": start.attachments, "pulleys": start.pulleys}
    place = np.array([0.05, 0.02, -0.03])
    here = evaluate_pose(MODEL.resolve(None, plain), place, np.zeros(3)).natural_frequencies
    settings = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in settings.items()}
    there = evaluate_pose(MODEL.resolve(None, settings), turn @ place, np.zeros(3)).natural_frequencies
    assert here == pytest.approx(there, rel=1e-8)
    assert here[0] > 0


def test_metrics_over_the_workspace():
    parameters = HybridCableRobot(**WEIGHT, f_max=60, cells=8, task_path=[[0, 0, 0], [0, 0, 0.02]])
    found = MODEL.evaluate(parameters, "vibration")
    assert isinstance(found, Evaluation)
    values = found.metrics
    assert 0 < values["natural_frequency"] <= values["natural_frequency.q05"]
    ends = [evaluate_pose(parameters, place, np.zeros(3)) for place in ([0, 0, 0], [0, 0, 0.02])]
    at_ends = min(pose.natural_frequencies[0] for pose in ends)
    assert values["natural_frequency.task"] == pytest.approx(at_ends)
    assert values["natural_frequency"] <= at_ends


def test_a_platform_without_inertia_has_no_frequencies_and_says_so():
    point = {"platform_body": {"mass": 2.0, "inertia": [0.0] * 6}, **NO_ARM}
    parameters = HybridCableRobot(**WEIGHT, f_max=60, cells=4, **point)
    found = MODEL.evaluate(parameters, "workspace+vibration")
    assert found.metrics["natural_frequency"] is None
    assert found.metrics["workspace_volume"] > 0
    assert any("move no mass" in told for told in found.warnings)
    assert evaluate_pose(parameters, np.zeros(3), np.zeros(3)).natural_frequencies is None
