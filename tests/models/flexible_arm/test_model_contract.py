"""The back-end keeps the contract that all back-ends keep."""

import math

from models.continuity import DesignSpace
from models.flexible_arm import MODEL
from models.single_objective import Search
from models.testing import Law, ModelContract

# Long enough that all presets land.
SHORT = {"ensemble": {"runs": 3}, "duration": 0.65, "modes": 1}
ARM = {"base_position": [0.3, 0.6], "initial_angles": [0.4, 0.1, -0.3], "duration": 0.5}
SHIFTED = {**ARM, "base_position": [1.3, 0.6]}
LIFTED = {**ARM, "base_position": [0.3, 1.1], "ground": [{"x": -5, "height": 0.5}, {"x": 5, "height": 0.5}]}
ONE = ("mass", "max_deflection", "impacts", "peak_force", "energy_kept", "loss_contact", "loss_friction")

FALLS = DesignSpace(
    {"section_width": (0.02, 0.04), "section_height": (0.01, 0.02), "drop_height": (0.5, 0.9)},
    {**SHORT, "modes": 2},
)
LANDS = {"first_contact_peak_force": 0.5}  # null, which counts as no landing, keeps nothing
MORE_SEARCHES = tuple(
    Search(each, FALLS, keeps=LANDS)
    for each in (
        "first_contact_impulse",
        "landing_peak_force",
        "max_deflection",
        "energy_kept",
        "micro_impacts",
        "mass",
    )
)


class TestFlexibleArm(ModelContract):
    model = MODEL
    more_lines = 7
    more_searches = MORE_SEARCHES
    laws = (
        Law("a shift along level ground", ARM, SHIFTED, ONE),
        Law("a shift upwards with the ground", ARM, LIFTED, ONE, tolerance=1e-4),
        Law("a denser material", ARM, {**ARM, "density": 5000.0}, ("mass",), "grows"),
    )
    settings = SHORT
    finer = {"rtol": 1e-10}  # noqa: RUF012 - the suite's way to state settings
    searches = (Search("first_contact_peak_force", FALLS),)
    spaces = (
        DesignSpace(
            {
                "link_length": (0.8, 1.2), "section_width": (0.02, 0.04), "section_height": (0.01, 0.02),
                "drop_height": (0.6, 0.8), "tilt": (-0.1, 0.1),
            },
            SHORT,
        ),
    )  # fmt: skip


def test_the_shortest_motion_has_finite_metrics_too():
    outcome = MODEL.evaluate(MODEL.resolve(None, {"duration": 1e-3}), "all", 0)
    assert all(value is None or math.isfinite(value) for value in outcome.metrics.values())
