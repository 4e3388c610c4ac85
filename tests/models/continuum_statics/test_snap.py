"""Jumps: downhill all the way, from a fold to a stable state."""

import numpy as np
import pytest

from models.continuum_statics.continuation import payload_loading, relative_mode
from models.continuum_statics.snap_through import snap
from models.continuum_statics.tension_sweep import equilibrium_path, stable_path
from tests.models.continuum_statics.robots import paper
from tests.oracles.potential import potential


def first_snap(path):
    return next(event for event in path.events if event.snap is not None)


@pytest.fixture(scope="module", params=["in the plane", "out of the plane", "bare fold"])
def jump(request):
    """A design, its path and the event that ends in a jump."""
    settings = {
        "in the plane": {"tip_mass": 0.06, "planar": True},
        "out of the plane": {"tip_mass": 0.06},
        "bare fold": {"tip_mass": 0.1, "hole_azimuths": [1.6, -0.5, 3.6]},
    }[request.param]
    parameters = paper(**settings)
    path = stable_path(parameters)
    return parameters, path, first_snap(path)


def energies(parameters, jump, states):
    tensions = np.array([jump.tension, 0.0, 0.0])
    return np.array([potential(parameters, q, tensions).energy for q in states])


def test_energy_never_rises_along_the_flow(jump):
    parameters, _, event = jump
    fall = event.snap
    assert len(fall.flow) == len(fall.energies) > 10
    assert fall.energies == pytest.approx(energies(parameters, fall, fall.flow), abs=1e-12)
    assert np.diff(fall.energies).max() <= 1e-15 * np.abs(fall.energies).max()
    assert fall.energy_released == pytest.approx(fall.energies[0] - fall.energies[-1])
    assert fall.energy_released > 0


def test_it_leads_from_the_lost_equilibrium_to_a_stable_one(jump):
    parameters, path, event = jump
    fall = event.snap
    assert fall.tension == event.tension
    assert np.array_equal(fall.before, event.state)
    assert np.array_equal(fall.flow[0], fall.before)
    assert np.array_equal(fall.flow[-1], fall.after)
    tensions = np.array([fall.tension, 0.0, 0.0])
    for q in (fall.before, fall.after):
        gradient = potential(parameters, q, tensions).gradient
        assert np.abs(gradient[:: 3 if parameters.planar else 1]).max() < 1e-9
    free = slice(None, None, 3 if parameters.planar else 1)
    hessian = potential(parameters, fall.after, tensions).hessian[free, free]
    assert np.linalg.eigvalsh(hessian)[0] == pytest.approx(fall.lambda_min)
    assert fall.lambda_min > 0
    assert fall.mu_min > 0
    assert np.linalg.norm(fall.tip_after - fall.tip_before) > 0.05
    assert path.tips[event.index] == pytest.approx(fall.tip_before)


def test_the_way_is_followed_in_small_moves(jump):
    fall = jump[2].snap
    moves = np.linalg.norm(np.diff(fall.flow, axis=0).reshape(len(fall.flow) - 1, -1), axis=1)
    assert moves.max() < 0.25


def test_the_robot_goes_on_from_where_it_landed(jump):
    _, path, event = jump
    after = event.index + 1
    assert path.states[after] == pytest.approx(event.snap.after, abs=1e-8)
    assert path.tensions[after] == pytest.approx(event.tension)
    assert path.stable[after:].all()
    assert path.complete
    assert path.tensions[-1] == 20.0
    assert np.all(np.diff(path.tensions) >= -1e-9)


def test_the_papers_jump_in_the_plane_moves_the_tip_far():
    event = first_snap(equilibrium_path(paper(tip_mass=0.06, planar=True)))
    assert event.kind == "fold"
    assert event.snap.tip_after[2] < 0.1 < event.snap.tip_before[2]


def test_shallow_jumps_are_followed_too():
    """From about 51.2 g on, the robot jumps back into the plane; at first hardly any energy is set free."""
    assert all(event.snap is None for event in stable_path(paper(tip_mass=0.0508)).events)
    event = first_snap(stable_path(paper(tip_mass=0.0515)))
    assert event.tension == pytest.approx(9.321, abs=0.002)
    assert 0 < event.snap.energy_released < 1e-6


def test_from_55_grams_the_robot_jumps_back_into_the_plane():
    path = stable_path(paper(tip_mass=0.055))
    left, jumped = path.losses
    assert (left.kind, left.supercritical) == ("bifurcation", True)
    assert jumped.kind == "fold"
    assert abs(jumped.snap.tip_before[0]) > 0.1
    assert jumped.snap.tip_after[0] == pytest.approx(0.0, abs=1e-9)


def buckled(**settings):
    """The jump of an upright robot with 60 g at its tip, which is more than it carries."""
    parameters = paper(gravity="up", **settings)
    loading = payload_loading(parameters, np.zeros(3), 0.06)
    straight = np.append(np.zeros(len(loading.places)), 1.0)
    return snap(loading, straight[:-1], 0.06, relative_mode(loading, straight, 0))


def test_a_buckled_column_falls():
    jump = buckled(planar=True)
    assert jump.mu_min > 0.1
    assert abs(jump.tip_after[1]) > 0.1
    assert np.diff(jump.energies).max() <= 1e-15 * np.abs(jump.energies).max()


def test_where_it_may_fall_to_any_side_no_state_is_called_stable():
    assert buckled() is None


def test_weak_jumps_sideways_find_their_valley():
    """Straight along v the energy rises; only with all other angles in balance does it fall."""
    parameters = paper(disks=8, length=0.48, backbone_diameter=0.001235, hole_radius=0.03918, tip_mass=0.0789, pretension=1.0)  # fmt: skip
    event = first_snap(stable_path(parameters))
    assert (event.kind, event.supercritical) == ("bifurcation", False)
    assert np.diff(event.snap.energies).max() <= 1e-15 * np.abs(event.snap.energies).max()
    assert event.snap.mu_min > 0.1
