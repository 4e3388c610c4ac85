"""Paths of equilibria: the paper's cases, both directions, events and their null vectors."""

import itertools

import numpy as np
import pytest

from errors import InputError
from models.continuum_statics import equilibrium, quasi_static
from models.continuum_statics.continuation import (
    correct,
    payload_loading,
    point_at,
    relative_eigenvalues,
    sweep_loading,
    trace,
)
from models.continuum_statics.continuation_kernels import LOST, Ramp, follow_ramp
from models.continuum_statics.robot import free, robot_of
from models.continuum_statics.tension_sweep import equilibrium_path, stable_path, started_sweep
from tests.models.continuum_statics.robots import paper
from tests.oracles.potential import potential

THICKER = 0.0015 * 1.25**0.5
STABLE_CASES = [
    ({}, 0.39),
    ({"tip_mass": 0.03}, 0.14),
    ({"tip_mass": 0.05, "gravity": "down"}, 0.20),
    ({"tip_mass": 0.05, "backbone_diameter": THICKER, "max_tension": 40.0}, 0.24),
]


def tensions_of(parameters, path, place):
    tensions = np.array(parameters.tensions)
    tensions[path.cable - 1] = path.tensions[place]
    return tensions


@pytest.fixture(scope="module")
def fifty():
    return paper(tip_mass=0.05)


@pytest.fixture(scope="module")
def fifty_path(fifty):
    return equilibrium_path(fifty)


@pytest.mark.parametrize(("settings", "lambda_min"), STABLE_CASES)
def test_the_papers_cases_without_jump_stay_stable(settings, lambda_min):
    path = equilibrium_path(paper(**settings))
    assert path.complete
    assert path.events == ()
    assert path.branches == ()
    assert path.stable.all()
    assert path.lambda_min.min() == pytest.approx(lambda_min, abs=0.006)


def test_fifty_grams_leave_the_plane_and_come_back(fifty_path):
    first, second = fifty_path.events
    assert (first.kind, second.kind) == ("bifurcation", "bifurcation")
    assert first.tension == pytest.approx(8.83, abs=0.005)
    assert second.tension == pytest.approx(9.27, abs=0.005)
    assert first.supercritical
    assert second.supercritical
    assert first.loses_stability
    assert not second.loses_stability
    assert first.snap is None
    assert np.abs(first.null_vector[:, 0]).max() < 1e-9  # out of the plane
    assert np.linalg.norm(first.null_vector) == pytest.approx(1.0)


def test_its_branches_are_stable_mirror_images_from_one_bifurcation_to_the_other(fifty_path):
    first, second = fifty_path.events
    plus, minus = fifty_path.branches
    for each in (plus, minus):
        assert each.stable[1:-1].all()
        assert np.allclose(each.states[0], first.state)
        assert np.allclose(each.states[-1], second.state)
        assert np.abs(each.tips[:, 0]).max() > 0.05
    assert np.allclose(plus.tips[:20] * [-1, 1, 1], minus.tips[:20], atol=1e-6)


def test_every_state_is_an_equilibrium_and_its_verdict_that_of_its_eigenvalues(fifty, fifty_path):
    for path in (fifty_path, *fifty_path.branches):
        for place, q in enumerate(path.states):
            found = potential(fifty, q, tensions_of(fifty, path, place))
            assert np.abs(found.gradient).max() < 1e-9
            least = np.linalg.eigvalsh(found.hessian)[0]
            assert path.lambda_min[place] == pytest.approx(least, abs=1e-9)
            if path.stable[place]:
                assert least > 0


def test_a_real_robot_passes_both_bifurcations_without_a_jump(fifty):
    path = stable_path(fifty)
    assert path.complete
    assert [event.tension for event in path.losses] == pytest.approx([8.83], abs=0.005)
    assert all(event.snap is None for event in path.events)
    assert np.all(np.diff(path.tensions) > 0)
    touching = [event.index for event in path.events]
    assert np.delete(path.stable, touching).all()
    assert path.tensions[-1] == 20.0


def test_in_the_plane_fifty_grams_nearly_fold():
    path = equilibrium_path(paper(tip_mass=0.05, planar=True))
    assert path.events == ()
    softest = np.argmin(path.lambda_min)
    assert path.lambda_min[softest] == pytest.approx(0.014, abs=0.0005)
    assert path.tensions[softest] == pytest.approx(9.16, abs=0.01)
    assert not path.states[:, :, 1:].any()
    within = np.abs(path.tensions - 9.16) < 0.05
    way = np.linalg.norm(np.diff(path.tips[within], axis=0), axis=1).sum()
    assert way == pytest.approx(0.16, abs=0.03)


def test_a_planar_fold_appears_near_51_5_grams():
    assert equilibrium_path(paper(tip_mass=0.0515, planar=True)).lambda_min.min() == pytest.approx(
        0.0, abs=5e-4
    )
    path = equilibrium_path(paper(tip_mass=0.0517, planar=True))
    first, second = path.events
    assert (first.kind, second.kind) == ("fold", "fold")
    assert first.tension == pytest.approx(9.19, abs=0.01)
    assert second.tension < first.tension
    assert first.tension - second.tension < 0.01  # N; a window this narrow is not stepped over


def test_events_are_singular_and_folds_are_loaded_along_their_null_vector():
    parameters = paper(tip_mass=0.06)
    path = equilibrium_path(parameters)
    assert [event.kind for event in path.events] == ["bifurcation", "fold", "fold", "bifurcation"]
    for event in path.events:
        tensions = np.array([event.tension, 0.0, 0.0])
        found = potential(parameters, event.state, tensions)
        v = event.null_vector.ravel()
        assert np.abs(found.hessian @ v).max() < 1e-7
        pull = potential(parameters, event.state, tensions + np.array([1.0, 0, 0])).gradient - found.gradient
        assert (abs(v @ pull) > 1e-4) == (event.kind == "fold")
        assert np.allclose(path.states[event.index], event.state)


@pytest.mark.parametrize(
    "settings", [{"tip_mass": 0.03}, {"tip_mass": 0.05}, {"tip_mass": 0.06, "planar": True}]
)
def test_following_from_both_ends_meets(settings):
    parameters = paper(**settings)
    loading, _, start = started_sweep(parameters, None, None)
    forth = trace(loading, start).points
    last = forth[-1]
    back = trace(loading, last._replace(tangent=-last.tangent)).points
    assert back[-1].y == pytest.approx(start.y, abs=1e-8)
    ahead = np.array([point.y for point in forth])
    for point in back[::7]:
        nearest = int(np.argmin(np.linalg.norm(ahead - point.y, axis=1)))
        normal = forth[nearest].tangent
        guess = ahead[nearest] + normal * (normal @ (point.y - ahead[nearest]))
        assert correct(loading, guess, normal) == pytest.approx(point.y, abs=1e-8)


def test_the_path_ends_where_plain_continuation_ends(fifty, fifty_path):
    state = equilibrium(fifty, np.array([20.0, 0.0, 0.0]))
    assert state.q == pytest.approx(fifty_path.states[-1], abs=1e-8)
    assert state.mu_min == pytest.approx(fifty_path.mu_min[-1], abs=1e-8)


def test_tangents_are_those_of_differences():
    loading, _, start = started_sweep(paper(tip_mass=0.06), None, None)
    for before, after in itertools.pairwise(trace(loading, start).points[:30]):
        h = 1e-5
        guess = before.y + h * before.tangent
        ahead = correct(loading, guess, before.tangent)
        assert (ahead - before.y) / h == pytest.approx(before.tangent, abs=1e-4)
        assert before.tangent @ after.tangent > 0.9
        assert np.linalg.norm(before.tangent) == pytest.approx(1.0)


@pytest.mark.parametrize("planar", [False, True])
def test_the_rate_of_forces_is_their_difference(planar):
    parameters = paper(tip_mass=0.02, planar=planar, pretension=0.5)
    x = np.random.default_rng(5).uniform(-0.4, 0.4, 6 if planar else 18)
    for loading in (
        sweep_loading(parameters, 2, 10.0),
        payload_loading(parameters, np.array([3.0, 1.0, 0.0]), 0.5),
    ):
        rise = loading.forces(x, 1.5)[0] - loading.forces(x, 0.5)[0]
        assert loading.rate(x) == pytest.approx(rise, abs=1e-12)


def test_relative_eigenvalues_are_those_of_the_general_problem():
    from scipy.linalg import eigh

    loading, _, start = started_sweep(paper(tip_mass=0.05), None, None)
    _, hessian = loading.forces(start.y[:-1], 0.0)
    wanted = eigh(hessian, np.diag(loading.stiffness), eigvals_only=True)
    assert relative_eigenvalues(loading, start.y) == pytest.approx(wanted)
    assert point_at(loading, start.y, start.tangent).mu == pytest.approx(wanted)


def test_other_cables_keep_their_tensions_and_the_pretension_acts():
    parameters = paper(tensions=(5.886, 2.0, 0.0), pretension=0.3)
    path = equilibrium_path(parameters, 2, 5.886)
    assert path.cable == 2
    assert path.tensions[[0, -1]] == pytest.approx([0.0, 5.886])
    state = equilibrium(parameters, np.array([5.886, 5.886, 0.0]))
    assert path.states[-1] == pytest.approx(state.q, abs=1e-8)


@pytest.mark.soak
def test_finer_robots_lose_their_balance_at_the_same_places():
    paths = [equilibrium_path(paper(tip_mass=0.05, arcs_per_gap=arcs)) for arcs in (1, 2, 4)]
    assert [path.events[0].tension for path in paths] == pytest.approx([8.83] * 3, abs=0.01)
    one, two, four = (path.mu_min.min() for path in paths)
    assert abs(four - two) < 0.6 * abs(two - one)


def test_bad_sweeps_are_refused():
    for cable, tension in ((0, 20.0), (4, 20.0), (1, 0.0), (1, np.nan)):
        with pytest.raises(InputError):
            equilibrium_path(paper(), cable, tension)


def test_a_robot_that_is_not_stable_at_rest_has_no_stable_path():
    parameters = paper(gravity="up", tip_mass=0.1)
    path = stable_path(parameters)
    assert not path.complete
    assert path.stable.tolist() == [False]
    assert free(robot_of(parameters)).size == 18


TURNING = {
    "disks": 3, "length": 0.6811958604383362, "backbone_diameter": 0.0018277770790346272, "gravity": "up",
    "tip_mass": 0.0902269685202547, "hole_radius": 0.01215567486689736, "pretension": 1.7926903345663203,
    "tie_disks": [1, 3, 3],
}  # fmt: skip


def small_robots():
    rng = np.random.default_rng(11)
    for _ in range(40):
        segments = int(rng.integers(1, 4))
        yield {
            "disks": segments,
            "length": rng.uniform(0.2, 0.8),
            "backbone_diameter": rng.uniform(0.001, 0.002),
            "tip_mass": rng.uniform(0.0, 0.1),
            "hole_radius": rng.uniform(0.01, 0.05),
            "gravity": str(rng.choice(["horizontal", "down", "up"])),
            "pretension": rng.uniform(0.0, 2.0),
            "tie_disks": [int(each) for each in rng.integers(1, segments + 1, 3)],
        }


def check_stable_path(path):
    """Stable but at its events, and never towards less tension."""
    touching = [event.index for event in path.events]
    assert np.delete(path.stable, touching).all()
    assert np.all(np.diff(path.tensions) >= -1e-8)
    assert path.complete == (path.ending == "limit")
    if path.complete:
        assert path.tensions[-1] == pytest.approx(20.0)


def test_a_branch_that_meets_another_path_goes_on_along_that():
    """It climbs to 1.3345 N, where its mirror image leads back down: the robot goes on above."""
    path = stable_path(paper(**TURNING))
    check_stable_path(path)
    left, met = path.events
    assert path.complete
    assert left.supercritical
    assert left.tension == pytest.approx(1.2906, abs=1e-4)
    assert (met.tension, met.loses_stability) == (pytest.approx(1.3345, abs=1e-4), False)


def test_a_path_with_too_many_stretches_is_not_complete(monkeypatch):
    monkeypatch.setattr(quasi_static, "MOST_STRETCHES", 1)
    path = stable_path(paper(tip_mass=0.06))
    assert (path.complete, path.ending) == (False, "stretches")


def test_stable_paths_of_many_robots_are_stable_and_rise():
    started = 0
    for chosen in small_robots():
        parameters = paper(**chosen)
        if equilibrium(parameters, np.zeros(3)).stable:
            check_stable_path(stable_path(parameters))
            started += 1
    assert started > 20


def test_a_fold_between_loads_a_billionth_apart_is_found():
    """No step between such loads is above the rounding errors, and thousands of them lead nowhere."""
    body = robot_of(paper(tip_mass=0.1, gravity="up"))
    pull = np.zeros(len(body.ties))
    pull[0] = 20.0
    ramp, straight = Ramp(np.zeros_like(pull), pull, 1.0, 0.0), np.zeros((len(body.masses), 3))
    near = follow_ramp(body, ramp, np.linspace(0.0, 1.0, 129), straight, stable_only=False)
    assert near.reason == LOST
    loads = np.array([near.end_load, near.end_load + 1e-9])
    ended = follow_ramp(body, ramp, loads, near.end, stable_only=False)
    assert (ended.reached, ended.reason) == (1, LOST)
    assert loads[0] <= ended.last < loads[1]
