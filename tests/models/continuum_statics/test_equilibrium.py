"""Equilibria: never without their eigenvalues, never an unflagged saddle."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import eigh

from errors import InputError
from models.continuum_statics import equilibrium, rest, robot_of
from models.continuum_statics.equilibrium_kernels import judge
from models.continuum_statics.robot import free, stiffnesses
from tests.models.continuum_statics.robots import paper
from tests.oracles.potential import potential

ANGLES = st.lists(st.floats(-1.0, 1.0), min_size=18, max_size=18)
TENSIONS = st.lists(st.floats(0.0, 20.0), min_size=3, max_size=3)


def eigenvalues(parameters, q, tensions):
    """lambda_min and mu_min by the definition and LAPACK."""
    places = free(robot_of(parameters))
    H = potential(parameters, q, tensions).hessian[np.ix_(places, places)]
    D = np.diag(stiffnesses(robot_of(parameters))[places])
    return eigh(H, eigvals_only=True)[0], eigh(H, D, eigvals_only=True)[0]


ANY_START = (
    ANGLES,
    TENSIONS,
    st.sampled_from([0.0, 0.03, 0.07]),
    st.sampled_from(["horizontal", "down", "up"]),
    st.booleans(),
)


@settings(max_examples=25)
@given(*ANY_START)
def test_random_starts_never_give_an_unflagged_saddle(angles, tensions, tip_mass, gravity, planar):
    assert_no_unflagged_saddle(angles, tensions, tip_mass, gravity, planar)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@settings(max_examples=1000)
@given(*ANY_START)
def test_a_thousand_starts_never_give_an_unflagged_saddle(angles, tensions, tip_mass, gravity, planar):
    assert_no_unflagged_saddle(angles, tensions, tip_mass, gravity, planar)


def assert_no_unflagged_saddle(angles, tensions, tip_mass, gravity, planar):
    parameters = paper(tip_mass=tip_mass, gravity=gravity, planar=planar)
    found = equilibrium(parameters, tensions, np.reshape(angles, (6, 3)))
    lambda_min, mu_min = eigenvalues(parameters, found.q, tensions)
    assert found.lambda_min == pytest.approx(lambda_min, abs=1e-12)
    assert found.mu_min == pytest.approx(mu_min, abs=1e-12)
    assert found.stable == (found.reason == "")
    if found.exists:
        assert found.residual < 1e-8
        gradient = potential(parameters, found.q, tensions).gradient[free(robot_of(parameters))]
        assert np.abs(gradient).max() < 1e-8
    if found.stable:
        assert lambda_min > 0.0
        assert mu_min > 0.0


@settings(max_examples=20)
@given(ANGLES, TENSIONS)
def test_descent_ends_below_its_start(angles, tensions):
    parameters, start = paper(tip_mass=0.05), np.reshape(angles, (6, 3))
    found = equilibrium(parameters, tensions, start)
    if found.exists:
        assert found.energy <= potential(parameters, start, tensions).energy + 1e-12


def test_most_random_starts_come_to_rest_in_a_stable_state():
    parameters, rng = paper(tip_mass=0.05), np.random.default_rng(5)
    found = [equilibrium(parameters, rng.uniform(0, 8, 3), rng.uniform(-0.4, 0.4, (6, 3))) for _ in range(60)]
    assert np.mean([each.exists for each in found]) > 0.9
    assert np.mean([each.stable for each in found]) > 0.8


CASES = [  # tip mass [kg], gravity, rod stiffness factor, greatest tension [N], least lambda_min on the way
    (0.0, "horizontal", 1.0, 20.0, 0.39),
    (0.03, "horizontal", 1.0, 20.0, 0.14),
    (0.05, "down", 1.0, 20.0, 0.20),
    (0.05, "horizontal", 1.5625, 40.0, 0.24),
]


@pytest.mark.parametrize(("tip_mass", "gravity", "factor", "greatest", "least"), CASES)
def test_the_papers_stable_cases_are_stable_throughout(tip_mass, gravity, factor, greatest, least):
    parameters = paper(tip_mass=tip_mass, gravity=gravity, backbone_diameter=0.0015 * factor**0.25)
    found = [equilibrium(parameters, [t, 0, 0]) for t in np.linspace(0, greatest, 161)]
    assert all(state.stable for state in found)
    assert min(state.lambda_min for state in found) == pytest.approx(least, abs=0.01)


@pytest.mark.parametrize(
    ("tension", "stable"), [(8.8, True), (8.86, False), (9.25, False), (9.3, True), (20.0, True)]
)
def test_under_50_grams_the_robot_is_unstable_out_of_the_plane_between_8_83_and_9_27_newton(tension, stable):
    found = equilibrium(paper(tip_mass=0.05), [tension, 0, 0])
    assert found.exists
    assert found.stable is stable
    assert (found.mu_min > 0) is stable
    assert equilibrium(paper(tip_mass=0.05, planar=True), [tension, 0, 0]).stable


def test_in_the_plane_50_grams_come_near_a_fold():
    parameters = paper(tip_mass=0.05, planar=True)
    found = [equilibrium(parameters, [t, 0, 0]) for t in np.linspace(9.1, 9.2, 51)]
    softest = int(np.argmin([state.lambda_min for state in found]))
    assert found[softest].lambda_min == pytest.approx(0.014, abs=1e-3)
    assert 9.1 + 0.002 * softest == pytest.approx(9.16, abs=0.005)
    assert np.linalg.norm(found[-1].tip - found[0].tip) == pytest.approx(0.16, abs=0.015)


def test_a_branch_that_ends_at_a_fold_is_a_value_with_a_reason():
    found = equilibrium(paper(tip_mass=0.052, planar=True), [20.0, 0, 0])
    assert not found.exists
    assert not found.stable
    assert 20 * found.reached == pytest.approx(9.2, abs=0.05)
    assert "fold" in found.reason
    assert 0 <= found.mu_min < 1e-3
    assert found.residual < 1e-8
    assert np.isfinite([found.lambda_min, found.mu_min, found.energy, *found.tip]).all()


def test_a_fold_stands_where_the_tensions_are_not_seen_by_the_steps():
    """Asked for more, the branch ends at the same tension."""
    ends = [20.0, 13.0, 9.5]
    parameters = paper(tip_mass=0.055, planar=True)
    folds = [end * equilibrium(parameters, [end, 0, 0]).reached for end in ends]
    assert np.array(folds) == pytest.approx(folds[0], rel=1e-6)


def test_disks_that_would_cut_each_other_are_reported():
    found = equilibrium(paper(), [500.0, 0, 0])
    assert not found.exists
    assert "disks" in found.reason
    assert 0 < found.reached < 1


def test_a_start_out_of_range_is_reported():
    found = equilibrium(paper(), [5.0, 0, 0], np.full((6, 3), 3.0))
    assert not found.exists
    assert "given start" in found.reason


def test_a_standing_robot_buckles_under_a_payload():
    light, heavy = (rest(paper(gravity="up", tip_mass=mass)) for mass in (0.0, 0.3))
    assert light.stable
    assert heavy.exists
    assert not heavy.stable
    assert heavy.q == pytest.approx(0.0, abs=1e-15)
    assert "not stable" in heavy.reason


def test_a_free_turn_about_z_is_not_called_stable():
    parameters = paper(gravity="up", tip_mass=0.3)
    found = equilibrium(parameters, [0, 0, 0], np.full((6, 3), 0.3))
    assert found.exists
    assert abs(found.mu_min) < 1e-9
    assert not found.stable


def test_a_symmetric_start_gives_a_flagged_saddle():
    parameters = paper(gravity="up", tip_mass=0.3)
    found = equilibrium(parameters, [0, 0, 0], np.zeros((6, 3)))
    assert found.exists
    assert found.mu_min < 0
    assert not found.stable


def test_pretension_acts_besides():
    pulled = equilibrium(paper(pretension=2.0), [3.0, 0, 0])
    plain = equilibrium(paper(), [5.0, 2.0, 2.0])
    assert pulled.q == pytest.approx(plain.q, abs=1e-9)
    assert rest(paper(pretension=2.0)).q == pytest.approx(equilibrium(paper(), [2.0] * 3).q, abs=1e-9)


def test_same_bits_every_time():
    parameters = paper(tip_mass=0.05)
    first, second = (equilibrium(parameters, [12.0, 3.0, 0.0]) for _ in range(2))
    assert (first.q == second.q).all()
    assert first.mu_min == second.mu_min


def test_extreme_robots_give_values():
    for chosen in (
        {"backbone_diameter": 1e-4, "tip_mass": 1000.0},
        {"bending_stiffness": 1e3, "torsion_stiffness": 1e-3},
        {"disk_spacing": 1e-4, "hole_radius": 1.0},
        {"disks": 40, "length": 100.0},
        {"gravity": (1e3, -1e3, 1e3), "tip_mass": 1000.0},
        {"disks": 1},
        {"pretension": 1e5},
    ):
        found = equilibrium(paper(**chosen), [1e5, 0, 0])
        assert np.isfinite([found.lambda_min, found.mu_min, found.residual, *found.tip]).all()
        assert found.stable == (found.reason == "")


def test_judgement_is_the_kernels():
    parameters = paper()
    found = equilibrium(parameters, [4.0, 1.0, 0.0])
    energy, residual, lambda_min, mu_min, clearance, tip = judge(
        robot_of(parameters), np.array([4.0, 1.0, 0.0]), found.q
    )
    assert (energy, residual, lambda_min, mu_min) == (
        found.energy,
        found.residual,
        found.lambda_min,
        found.mu_min,
    )
    assert 0 < clearance <= 1
    assert tip == pytest.approx(found.tip)


@pytest.mark.parametrize(
    ("tensions", "start", "words"),
    [
        ([5.0], None, "shape"),
        (5.0, None, "shape"),
        ([[5.0, 0.0, 0.0]], None, "shape"),
        ([1.0, 2.0, 3.0, 4.0], None, "shape"),
        ([np.nan, 0.0, 0.0], None, "finite"),
        ([0.0, np.inf, 0.0], None, "finite"),
        ([0.0, -1.0, 0.0], None, "push"),
        (["a", 0.0, 0.0], None, "numbers"),
        ([[1.0], [1.0, 2.0], 3.0], None, "numbers"),
        ([5.0, 0.0, 0.0], np.zeros((5, 3)), r"\(6, 3\)"),
        ([5.0, 0.0, 0.0], np.zeros(18), r"\(6, 3\)"),
        ([5.0, 0.0, 0.0], np.full((6, 3), np.nan), "finite"),
    ],
)
def test_what_cannot_be_computed_with_is_refused(tensions, start, words):
    with pytest.raises(InputError, match=words):
        equilibrium(paper(), tensions, start)
    with pytest.raises(InputError, match=words):
        potential(paper(), np.zeros((6, 3)) if start is None else start, tensions)


def test_pretension_leaves_room_for_tensions_below_zero():
    slackened = equilibrium(paper(pretension=2.0), [-2.0, 1.0, 0.0])
    assert slackened.q == pytest.approx(equilibrium(paper(), [0.0, 3.0, 2.0]).q, abs=1e-9)


def test_numbers_beyond_all_bounds_are_no_equilibrium():
    found = equilibrium(paper(), [1e300, 0, 0])
    assert not found.exists
    started = equilibrium(paper(), [1e308, 1e308, 1e308], np.full((6, 3), 0.1))
    assert not started.exists or started.residual < 1e-5


def test_a_moment_that_is_not_a_number_is_an_infinite_residual():
    q = np.zeros((6, 3))
    q[0, 0] = np.nan
    assert judge(robot_of(paper()), np.zeros(3), q).residual == np.inf


def test_a_robot_that_its_pretension_curls_up_tells_how_much_of_it_is_borne():
    parameters = paper(pretension=500.0, tie_disks=(6, 2, 2))
    found = rest(parameters)
    assert not found.exists
    assert found.reached == 0.0
    assert 0 < found.load_fraction < 1
    assert equilibrium(parameters, [1.0, 0, 0]).load_fraction == found.load_fraction
    whole = equilibrium(paper(), [1.0, 0, 0])
    assert whole.load_fraction == whole.reached == 1.0
