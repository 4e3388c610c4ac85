"""The state under given tensions: what a robot reaches, through bifurcations and jumps.

The comparison is a slow experiment: tensions rise in small steps, and from each state, pushed a little
aside, the energy is descended.
"""

import numpy as np
import pytest

from errors import InputError
from models.continuum_statics import equilibrium, stable_equilibrium, stable_path
from models.continuum_statics.model import MODEL
from models.contract import Evaluation, Infeasible
from tests.models.continuum_statics.robots import PAPER, paper


def slow_experiment(parameters, tensions, steps):
    """The last state when tensions rise in steps, with a push to either side before each descent."""
    q = equilibrium(parameters, np.zeros(parameters.cables)).q
    push = 1e-4 * np.random.default_rng(1).standard_normal(q.shape)
    for share in np.linspace(0.0, 1.0, steps)[1:]:
        q = equilibrium(parameters, share * np.array(tensions), q + push).q
    return equilibrium(parameters, np.array(tensions), q)


def aside(tip):
    """A tip without the side of the plane on which it lies."""
    return [abs(tip[0]), tip[1], tip[2]]


@pytest.mark.parametrize(
    ("tip_mass", "tension", "planar", "jumps"),
    [
        (0.05, 9.0, False, 0),
        (0.05, 12.0, False, 0),
        (0.06, 9.3, False, 0),
        (0.06, 9.7, False, 1),
        (0.07, 12.0, False, 1),
        (0.07, 20.0, False, 1),
        (0.053, 9.5, True, 1),
    ],
)
def test_a_pose_is_where_a_slow_experiment_ends(tip_mass, tension, planar, jumps):
    parameters = paper(tip_mass=tip_mass, planar=planar)
    found = stable_equilibrium(parameters, np.array([tension, 0.0, 0.0]))
    assert not isinstance(found, Infeasible)
    assert found.state.stable
    assert sum(event.snap is not None for event in found.losses) == jumps
    experiment = slow_experiment(parameters, [tension, 0.0, 0.0], 150)
    assert experiment.stable
    assert aside(found.state.tip) == pytest.approx(aside(experiment.tip), abs=1e-6)


def test_a_robot_that_is_not_quite_symmetric_ends_close_by():
    """Beyond the loss of the symmetric robot; its own branch has none, so nothing is chosen there."""
    tensions = np.array([9.0, 0.0, 0.0])
    tilted = paper(tip_mass=0.05, gravity=(9.81e-3, -9.81, 0.0))
    lone = equilibrium(tilted, tensions)
    assert lone.stable
    found = stable_equilibrium(paper(tip_mass=0.05), tensions)
    assert not isinstance(found, Infeasible)
    assert aside(found.state.tip) == pytest.approx(aside(lone.tip), abs=0.01)
    assert abs(found.state.tip[0]) > 0.1


def test_what_was_passed_is_a_warning():
    """The first loss is where the smallest eigenvalue of the straight robot's branch vanishes."""
    settings = {**PAPER, "tip_mass": 0.06, "tensions": [12.0, 0.0, 0.0]}
    outcome = MODEL.evaluate(MODEL.resolve(None, settings), "pose", 0)
    assert isinstance(outcome, Evaluation)
    assert "leaves its path along a stable branch" in outcome.warnings[0]
    assert "jumps" in outcome.warnings[1]
    found = stable_equilibrium(paper(tip_mass=0.06), np.array([12.0, 0.0, 0.0]))
    assert not isinstance(found, Infeasible)
    loss = 12.0 * found.losses[0].tension
    assert f"at {100 * loss / 12.0:.4g} % of the tensions" in outcome.warnings[0]
    straight = equilibrium(paper(tip_mass=0.06), np.array([loss, 0.0, 0.0]))
    assert straight.mu_min == pytest.approx(0.0, abs=1e-6)


def test_a_stable_way_has_no_warning():
    found = stable_equilibrium(paper(), np.array([5.0, 2.0, 0.0]))
    assert not isinstance(found, Infeasible)
    assert (found.losses, found.warnings) == ((), ())
    assert found.state.q == pytest.approx(equilibrium(paper(), np.array([5.0, 2.0, 0.0])).q)


def test_what_no_stable_path_reaches_is_infeasible_by_the_share_that_is_missing():
    parameters = paper(hole_radius=0.1)
    levels = np.array([40.0, 20.0, 10.0, 6.0])
    outcomes = [stable_equilibrium(parameters, np.array([level, 0.0, 0.0])) for level in levels]
    assert all("disks would cut each other" in each.reason for each in outcomes)
    ends = [level * (1 - each.violation) for level, each in zip(levels, outcomes, strict=True)]
    assert ends == pytest.approx([ends[0]] * len(levels), rel=1e-6)
    within = stable_equilibrium(parameters, np.array([0.999 * ends[0], 0.0, 0.0]))
    assert not isinstance(within, Infeasible)


def test_a_sweep_starts_where_the_other_tensions_hold_the_robot():
    """Cable 2 is pulled while cable 1 holds the robot beside its plane."""
    settings = {"tip_mass": 0.05, "tensions": [9.0, 0.0, 0.0], "sweep_cable": 2, "max_tension": 1.0}
    parameters = MODEL.resolve(None, settings)
    assert isinstance(MODEL.evaluate(parameters, "sweep", 0), Evaluation)
    held = stable_equilibrium(parameters, np.array([9.0, 0.0, 0.0]))
    assert not isinstance(held, Infeasible)
    path = stable_path(parameters)
    assert path.stable[0]
    assert path.states[0] == pytest.approx(held.state.q, abs=1e-9)


def test_the_scene_shows_the_state_that_is_reached():
    settings = {
        **PAPER, "tip_mass": 0.07, "tensions": [12.0, 0.0, 0.0], "rays": 2, "tension_steps": 11,
    }  # fmt: skip
    parameters = MODEL.resolve(None, settings)
    scene = MODEL.scene(parameters)
    assert scene.caption.startswith("Stable equilibrium under 12, 0, 0 N")
    assert "the robot jumps" in scene.caption
    metrics = MODEL.evaluate(parameters, "pose", 0).metrics
    backbone = next(shape for shape in scene.shapes if getattr(shape, "name", "") == "backbone")
    assert backbone.points[-1] == pytest.approx([metrics[f"tip_{axis}"] for axis in "xyz"], abs=1e-12)


def test_tensions_of_another_robot_are_refused():
    with pytest.raises(InputError, match="one per cable"):
        stable_equilibrium(paper(), np.array([1.0]))
