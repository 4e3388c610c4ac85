"""Violation of a robot without tensions: its distance from a stable equilibrium."""

import numpy as np
import pytest

from models.continuum_statics.equilibrium import stable_rest
from models.contract import Infeasible
from tests.models.continuum_statics.robots import paper


def test_a_standing_robot_is_off_by_the_share_of_its_weight_beyond_buckling():
    """Without disks the critical mass is one number, so the share that is borne is it over the mass."""
    masses = np.array([0.1, 0.2, 0.5])
    outcomes = [stable_rest(paper(gravity="up", disk_mass=0.0, tip_mass=m)) for m in masses]
    violations = np.array([each.violation for each in outcomes if isinstance(each, Infeasible)])
    assert len(violations) == len(masses)
    critical = masses * (2.0 - violations)
    assert critical == pytest.approx(critical[0], rel=1e-6)
    below = paper(gravity="up", disk_mass=0.0, tip_mass=0.999 * critical[0])
    assert not isinstance(stable_rest(below), Infeasible)


def test_a_robot_that_its_pretension_curls_up_bears_a_share():
    outcome = stable_rest(paper(pretension=500.0, tie_disks=(6, 2, 2)))
    assert isinstance(outcome, Infeasible)
    assert 1 < outcome.violation < 2
    assert "of gravity and pretension" in outcome.reason


@pytest.mark.parametrize("stiffnesses", [(1e6, 1e-9), (1e-9, 1e6), (1.0, 1e-7)])
def test_stiffnesses_too_far_apart_are_refused(stiffnesses):
    bending, torsion = stiffnesses
    with pytest.raises(ValueError, match="times the other"):
        paper(bending_stiffness=bending, torsion_stiffness=torsion)
