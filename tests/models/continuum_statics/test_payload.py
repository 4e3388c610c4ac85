"""Payload limits, tensions to targets, compliance."""

import numpy as np
import pytest

from models.continuum_statics import disks, equilibrium, frames
from models.continuum_statics.payload import max_payload
from models.continuum_statics.robot import robot_of, whole_tensions
from models.continuum_statics.scene import backbone, cable_lines, robot_lines, up_of
from models.continuum_statics.targets import reach
from models.continuum_statics.tip import tip_compliance, tip_jacobian, tip_of, tips_of
from models.continuum_statics.workspace import stable_workspace
from tests.models.continuum_statics.robots import paper
from tests.oracles.potential import potential


@pytest.mark.parametrize(
    ("settings", "loss"),
    [
        ({"tensions": [9.2, 0, 0]}, "bifurcation"),
        ({"tensions": [9.2, 0, 0], "planar": True}, "fold"),
        ({"gravity": "up"}, "bifurcation"),
    ],
)
def test_the_payload_limit_parts_stable_from_lost(settings, loss):
    found = max_payload(paper(**settings))
    assert found.loss == loss
    tensions = np.array(settings.get("tensions", [0.0] * 3))
    if loss == "bifurcation":  # beyond a fold another state is reached by raising the tensions
        below = equilibrium(paper(**settings, tip_mass=found.mass - 1e-4), tensions)
        assert below.stable
        assert below.mu_min < 0.01
        assert not equilibrium(paper(**settings, tip_mass=found.mass + 1e-4), tensions).stable
    at_limit = potential(paper(**settings, tip_mass=found.mass), found.state, tensions)
    free = slice(None, None, 3 if settings.get("planar") else 1)
    assert np.linalg.eigvalsh(at_limit.hessian[free, free])[0] == pytest.approx(0.0, abs=1e-7)


def test_an_upright_column_carries_what_the_eigenvalue_problem_of_the_straight_rod_says():
    """Without tensions the straight rod's Hessian is linear in the tip mass."""
    parameters = paper(gravity="up")
    straight = np.zeros((6, 3))
    bare = potential(parameters, straight, np.zeros(3)).hessian
    loaded = potential(parameters.model_copy(update={"tip_mass": 1.0}), straight, np.zeros(3)).hessian
    softening = np.linalg.eigvals(np.linalg.solve(bare, bare - loaded)).real.max()
    assert max_payload(parameters).mass == pytest.approx(1 / softening, rel=1e-8)


def test_a_robot_that_hangs_or_lies_carries_up_to_the_stated_limit():
    for settings in ({"gravity": "down"}, {"gravity": "down", "tensions": [9.2, 0, 0]}, {}):
        found = max_payload(paper(**settings), limit=0.3)
        assert (found.mass, found.loss, found.limit) == (None, "none", 0.3)


def test_contact_does_not_depend_on_the_limit():
    found = [
        max_payload(paper(hole_radius=0.15, material="custom"), limit=limit) for limit in (1.1, 1.3, 2.0, 5.0)
    ]
    assert {each.loss for each in found} == {"contact"}
    assert [each.mass for each in found] == pytest.approx([found[0].mass] * 4, rel=1e-7)
    below = max_payload(paper(hole_radius=0.15, material="custom"), limit=found[0].mass * (1 - 1e-6))
    assert (below.mass, below.loss) == (None, "none")


def test_a_robot_that_is_unstable_without_payload_carries_nothing():
    assert max_payload(paper(gravity="up", disk_mass=0.1)).mass == 0.0


def test_the_records_own_tip_mass_does_not_count():
    assert max_payload(paper(gravity="up", tip_mass=0.02)).mass == max_payload(paper(gravity="up")).mass


# ---------------------------------------------------------------- targets


@pytest.fixture(scope="module")
def reached():
    parameters = paper(tip_mass=0.03, rays=8, tension_steps=61)
    return parameters, reach(parameters, stable_workspace(parameters))


def test_tensions_bring_the_tip_to_each_target(reached):
    parameters, found = reached
    assert found.misses == pytest.approx(np.zeros(6))
    for target, tensions in zip(parameters.targets, found.tensions, strict=True):
        state = equilibrium(parameters, tensions)
        assert state.stable
        assert state.tip[:2] == pytest.approx(np.array(target), abs=1e-8)
        assert np.count_nonzero(tensions) <= 2
    assert found.required(parameters.target_tolerance) == found.tensions.max()


def test_they_hardly_depend_on_the_sample(reached):
    parameters, found = reached
    fine = parameters.model_copy(update={"rays": 21, "tension_steps": 101})
    assert reach(fine, stable_workspace(fine)).tensions == pytest.approx(found.tensions, abs=1e-6)


def test_the_least_of_several_tensions_counts(reached):
    """Cable 1 alone lifts the tip through y = 0.2 m, and brings it back there when it curls."""
    parameters, _ = reached
    one = parameters.model_copy(update={"targets": ((0.0, 0.2),)})
    tension = reach(one, stable_workspace(one)).tensions[0]
    assert tension[1:] == pytest.approx([0.0, 0.0], abs=1e-6)
    heights = [
        equilibrium(one, np.array([level, 0.0, 0.0])).tip[1]
        for level in np.linspace(0, tension[0] - 0.01, 30)
    ]
    assert max(heights) < 0.2


def test_what_is_out_of_reach_is_missed_by_its_distance():
    parameters = paper(rays=4, tension_steps=21, targets=[[0.0, 1.0], [0.1, 0.1]])
    workspace = stable_workspace(parameters)
    found = reach(parameters, workspace)
    nearest = np.nanmin(np.linalg.norm(workspace.vertices.tips[:, :2] - [0.0, 1.0], axis=-1))
    assert found.misses == pytest.approx([nearest, 0.0])
    assert found.required(0.01) is None
    assert found.required(2.0) == found.tensions.max()


def test_without_targets_no_tension_is_required():
    parameters = paper(rays=4, tension_steps=21, targets=[])
    found = reach(parameters, stable_workspace(parameters))
    assert found.tensions.shape == (0, 3)
    assert found.required(0.01) is None


# ---------------------------------------------------------------- tip


def test_the_jacobian_is_that_of_differences():
    parameters = paper()
    q = np.random.default_rng(2).uniform(-0.8, 0.8, (6, 3))
    J, h = tip_jacobian(robot_of(parameters), q), 1e-6
    for place in range(18):
        step = np.zeros(18)
        step[place] = h
        ahead, behind = (tip_of(robot_of(parameters), q + sign * step.reshape(6, 3)) for sign in (1, -1))
        assert J[:, place] == pytest.approx((ahead - behind) / (2 * h), abs=1e-9)


def test_compliance_is_the_displacement_under_a_small_force():
    tensions = np.array([3.0, 1.0, 0.0])
    parameters = paper(tip_mass=0.03)
    state = equilibrium(parameters, tensions)
    compliance = tip_compliance(robot_of(parameters), whole_tensions(parameters, tensions), state.q)
    force, moved = 1e-5, []
    for axis in np.eye(3):  # [N]: a tip mass under a gravity of its own is a force at the tip
        loads = (
            potential(parameters, state.q, tensions).hessian,
            tip_jacobian(robot_of(parameters), state.q).T @ axis * force,
        )
        q = state.q + np.linalg.solve(*loads).reshape(-1, 3)
        moved.append((tip_of(robot_of(parameters), q) - state.tip) / force)
    assert compliance == pytest.approx(np.linalg.svd(moved, compute_uv=False)[0], rel=1e-3)


def test_compliance_of_a_straight_cantilever():
    """L^3 / (3 EI) sideways, for many segments, without loads."""
    parameters = paper(gravity=[0, 0, 0], disks=40, length=0.48)
    found = tip_compliance(robot_of(parameters), np.zeros(3), np.zeros((40, 3)))
    assert found == pytest.approx(0.48**3 / (3 * parameters.bending), rel=2e-3)


# ---------------------------------------------------------------- shapes


@pytest.mark.parametrize("arcs", [1, 3])
def test_the_backbone_runs_through_every_disk(arcs):
    parameters = paper(arcs_per_gap=arcs, tie_disks=[6, 3, 6])
    q = np.random.default_rng(4).uniform(-0.5, 0.5, (6 * arcs, 3))
    where = disks(parameters, q)
    rod = backbone(parameters, q, per_arc=4)
    assert rod[:: 4 * arcs] == pytest.approx(where.positions, abs=1e-12)
    assert tips_of(robot_of(parameters), q[None])[0] == pytest.approx(frames(parameters, q).positions[-1])
    assert [len(line) for line in cable_lines(parameters, q)] == [7, 4, 7]
    offsets = np.linalg.norm(cable_lines(parameters, q)[0] - where.positions, axis=1)
    assert offsets == pytest.approx(np.full(7, parameters.hole_radius))
    assert [line.group for line in robot_lines(parameters, q)].count("disks") == 7


def test_pictures_show_gravity_downwards():
    ups = [up_of(paper(gravity=gravity)) for gravity in ("horizontal", "down", "up", [0, 0, 0], [9.0, 1, 0])]
    assert ups == ["y", "-z", "z", "z", "-x"]
