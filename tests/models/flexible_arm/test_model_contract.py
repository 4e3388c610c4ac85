"""The back-end keeps the contract that all back-ends keep."""

import math

from models.flexible_arm import MODEL
from models.testing import Law, ModelContract

ARM = {"base_position": [0.3, 0.6], "initial_angles": [0.4, 0.1, -0.3], "duration": 0.5}
SHIFTED = {**ARM, "base_position": [1.3, 0.6]}
LIFTED = {**ARM, "base_position": [0.3, 1.1], "ground": [{"x": -5, "height": 0.5}, {"x": 5, "height": 0.5}]}
ONE = ("mass", "max_deflection", "impacts", "peak_force", "energy_kept", "loss_contact", "loss_friction")


class TestFlexibleArm(ModelContract):
    model = MODEL
    laws = (
        Law("a shift along level ground", ARM, SHIFTED, ONE),
        Law("a shift upwards with the ground", ARM, LIFTED, ONE, tolerance=1e-4),
        Law("a denser material", ARM, {**ARM, "density": 5000.0}, ("mass",), "grows"),
    )
    # Long enough that all presets land.
    settings = {"ensemble": {"runs": 3}, "duration": 0.65, "modes": 1}  # noqa: RUF012 - the suite's way to state settings


def test_the_shortest_motion_has_finite_metrics_too():
    outcome = MODEL.evaluate(MODEL.resolve(None, {"duration": 1e-3}), "all", 0)
    assert all(value is None or math.isfinite(value) for value in outcome.metrics.values())
