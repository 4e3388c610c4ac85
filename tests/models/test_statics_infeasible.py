"""How far a robot is from a stable equilibrium: one measure, whether stability or the state is lost."""

import numpy as np
import pytest

from models.continuum_statics import ContinuumStatics, equilibrium
from models.continuum_statics.balance.infeasibility import stable_equilibrium, stable_rest
from models.contract import Infeasible
from models.errors import InputError


@pytest.mark.parametrize(
    ("tip_mass", "feasible", "levels"),
    [
        (0.06, 8.7, (8.75, 8.9, 9.1, 9.3, 9.5, 9.6, 10.0, 12.0, 20.0)),
        (0.12, 9.0, (9.1, 9.5, 12.0, 13.8, 13.9, 14.0, 16.0)),
    ],
)
def test_the_violation_grows_across_the_end_of_the_unstable_branch(tip_mass, feasible, levels):
    parameters = ContinuumStatics(tip_mass=tip_mass)
    states = [equilibrium(parameters, [level, 0, 0]) for level in levels]
    assert {state.exists for state in states} == {True, False}
    assert not any(state.stable for state in states)
    outcomes = [stable_equilibrium(parameters, np.array([level, 0.0, 0.0])) for level in levels]
    violations = [outcome.violation for outcome in outcomes if isinstance(outcome, Infeasible)]
    assert len(violations) == len(levels)
    assert violations == sorted(violations)
    assert 0 < violations[0] < 0.02
    assert violations[-1] < 1
    losses = [level * (1 - each) for level, each in zip(levels, violations, strict=True)]
    assert losses == pytest.approx([losses[0]] * len(levels), rel=1e-6)
    assert not isinstance(stable_equilibrium(parameters, np.array([feasible, 0, 0])), Infeasible)


def test_the_loss_is_where_the_smallest_eigenvalue_vanishes():
    parameters = ContinuumStatics(tip_mass=0.05)
    outcome = stable_equilibrium(parameters, np.array([9.0, 0.0, 0.0]))
    assert isinstance(outcome, Infeasible)
    assert "stable up to 98.1" in outcome.reason
    loss = 9.0 * (1 - outcome.violation)
    assert equilibrium(parameters, [loss, 0, 0]).mu_min == pytest.approx(0.0, abs=1e-6)
    assert equilibrium(parameters, [loss - 1e-4, 0, 0]).stable


def test_a_standing_robot_is_off_by_the_share_of_its_weight_beyond_buckling():
    """Without disks the critical mass is one number, so the share that is borne is it over the mass."""
    masses = np.array([0.1, 0.2, 0.5])
    outcomes = [stable_rest(ContinuumStatics(gravity="up", section_mass=0.0, tip_mass=m)) for m in masses]
    violations = np.array([each.violation for each in outcomes if isinstance(each, Infeasible)])
    assert len(violations) == len(masses)
    critical = masses * (2.0 - violations)
    assert critical == pytest.approx(critical[0], rel=1e-6)
    below = ContinuumStatics(gravity="up", section_mass=0.0, tip_mass=0.999 * critical[0])
    assert not isinstance(stable_rest(below), Infeasible)


def test_a_robot_that_its_pretension_curls_up_bears_a_share():
    outcome = stable_rest(ContinuumStatics(pretension=500.0, tie_disks=(6, 2, 2)))
    assert isinstance(outcome, Infeasible)
    assert 1 < outcome.violation < 2
    assert "of gravity and pretension" in outcome.reason


def test_tensions_of_another_robot_are_refused():
    with pytest.raises(InputError, match="one per cable"):
        stable_equilibrium(ContinuumStatics(), np.array([1.0]))


@pytest.mark.parametrize("stiffnesses", [(1e6, 1e-9), (1e-9, 1e6), (1.0, 1e-7)])
def test_stiffnesses_too_far_apart_are_refused(stiffnesses):
    bending, torsion = stiffnesses
    with pytest.raises(ValueError, match="times the other"):
        ContinuumStatics(bending_stiffness=bending, torsion_stiffness=torsion)
