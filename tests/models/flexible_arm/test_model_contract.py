"""The back-end keeps the contract that all back-ends keep."""

import math

from models.flexible_arm import MODEL
from models.testing import ModelContract


class TestFlexibleArm(ModelContract):
    model = MODEL
    # Long enough that all presets land.
    settings = {"ensemble": {"runs": 3}, "duration": 0.65, "modes": 1}  # noqa: RUF012 - the suite's way to state settings


def test_the_shortest_motion_has_finite_metrics_too():
    outcome = MODEL.evaluate(MODEL.resolve(None, {"duration": 1e-3}), "all", 0)
    assert all(value is None or math.isfinite(value) for value in outcome.metrics.values())
