"""The margins of the vector kernel: rounding stays far inside the band that counts as too close to call."""

import numpy as np
import pytest

from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.robot import load_case, robot_of
from models.hybrid_cable_robot.simd import compaction, execution_plan
from models.hybrid_cable_robot.simd.kernels import kernels
from tests.models.hybrid_cable_robot.extended_precision import extended_margins


def margins(positions, numbers):
    """Margins [N] at positions (n, 3) m and trust, (n,) each."""
    kernel, count = kernels().wrench, len(positions)
    io = kernel.workspace(count)
    blocks = compaction.pack_positions(positions, np.arange(count), 0, count, io)
    kernel.run(io, numbers, blocks)
    found = kernel.views(io)
    return found["margin"].ravel()[:count], found["trusted"].ravel()[:count]


def odd_robot(seed):
    """Eight cables anywhere, in a space of centimetres by metres, and positions close to pulleys and anywhere."""
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.uniform(-2, 1, 3)
    pulleys = size * rng.uniform(-1, 1, (8, 3))
    settings = {
        "pulleys": pulleys.tolist(),
        "attachments": (size * rng.uniform(-0.2, 0.2, (8, 3))).tolist(),
        "space": [(-size).tolist(), size.tolist()],
        "characteristic_length": 10.0 ** rng.uniform(-3, 2),
        "cable_stiffness": 1000.0,
        "wrench_set": "gravity",
        "orientations": "nominal",
    }
    near = pulleys[rng.integers(8, size=64)] + size * rng.normal(size=(64, 3)) * 0.02
    positions = np.vstack([near, size * rng.uniform(-1, 1, (64, 3))])
    return robot_of(MODEL.resolve(None, settings)), positions


@pytest.mark.skipif(
    np.finfo(np.longdouble).nmant < 63, reason="rounding of margins: the processor has no extended precision"
)
def test_double_precision_is_off_by_less_than_what_counts_as_close():
    """Against the margins of an independent code with three more digits, near-singular poses included."""
    errors, tested = [], 0
    for seed in range(60):
        robot, positions = odd_robot(seed)
        load = load_case(robot, 0)
        numbers = execution_plan.wrench_constants(robot, load, robot.rotations[0])
        found, sure = margins(positions, numbers)
        trusted = sure > 0
        tested += trusted.sum()
        exact = extended_margins(robot, load, positions[trusted])
        errors.append(np.abs(found[trusted] - exact).max(initial=0.0) / load.tolerance)
    assert tested > 6_000
    assert max(errors) < 0.5 * compaction.CLOSE_MARGIN
