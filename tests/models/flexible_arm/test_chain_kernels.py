"""The kernels of the arm against their definition in numpy."""

import numpy as np
import pytest

from models.flexible_arm.chain import end_velocities, link_ends
from models.flexible_arm.chain_kernels import chain_scratch
from tests.models.flexible_arm.chains import ARMS, TWO_BENT, Link, arm_from, random_state, sized
from tests.models.flexible_arm.kernel_entries import evaluate_chain
from tests.oracles.flexible_arm_equations import accelerations, dissipation, end_jacobians, equations

KINDS = [
    sized("ss", 1, 1.0, 1.0),
    sized("cf", 2, 0.7, 0.8),
    sized("rigid", 0, 0.5, 1.3),
    sized("cs", 3, 0.9, 0.6),
]
EVERY_ARM = {
    **ARMS,
    "two bent": TWO_BENT,
    "ten, all modes": [sized(ends, 3, 1.0, 1.0) for ends in ("ss", "cc", "sc", "cs", "cf") * 2],
    "fifty, one kind": [Link("ss", 1)] * 50,
    "fifty, all kinds": (KINDS * 13)[:50],
    "twenty modes": [Link("ss", 20), Link("cf", 12), Link("cc", 12)],
}


def evaluated(arm, z, v, forces, scratch):
    """Link ends, their velocities, accelerations; powers."""
    n = len(arm.lengths)
    points, velocities, found = (
        np.full((n + 1, 2), np.nan),
        np.full((n + 1, 2), np.nan),
        np.full(len(z), np.nan),
    )
    numbers = evaluate_chain(arm, z, v, forces, scratch, points, velocities, found)
    return points, velocities, found, np.array(numbers)


@pytest.mark.parametrize("pinned", [False, True])
@pytest.mark.parametrize("name", EVERY_ARM)
def test_the_kernels_compute_what_the_definition_does(name, pinned):
    arm = arm_from(EVERY_ARM[name], pinned)
    scratch = chain_scratch(arm)
    for seed in range(3):  # in the same scratch
        z, v, forces = random_state(arm, seed)
        points, velocities, _, numbers = evaluated(arm, z, v, forces, scratch)
        assert points == pytest.approx(link_ends(arm, z), abs=1e-13)
        assert velocities == pytest.approx(end_velocities(arm, z, v), abs=1e-12)
        exact = np.array(dissipation(arm, v))
        assert numbers == pytest.approx(exact, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("pinned", [False, True])
@pytest.mark.parametrize("name", EVERY_ARM)
def test_the_recursion_finds_the_accelerations_of_the_definition(name, pinned):
    """Its Cholesky factor costs the definition digits by the condition of the mass matrix, up to 5e5 here."""
    arm = arm_from(EVERY_ARM[name], pinned)
    scratch, held = chain_scratch(arm), 2 if pinned else 0
    for seed in range(3):
        z, v, forces = random_state(arm, seed)
        found = evaluated(arm, z, v, forces, scratch)[2]
        M, h = equations(arm, z, v)
        loads = np.einsum("pai,pa->i", end_jacobians(arm, z), forces)
        largest = np.abs(M) @ np.abs(found) + np.abs(h)
        assert np.all(np.abs(M @ found + h - loads)[held:] <= 1e-14 * len(z) * largest[held:])
        expected, condition = accelerations(arm, z, v, forces), np.linalg.cond(M[held:, held:])
        tolerance = max(1e-12, 1e-16 * condition) * np.abs(expected).max()
        assert found == pytest.approx(expected, rel=0.0, abs=tolerance)


def test_the_first_end_of_a_pinned_arm_does_not_move_at_all():
    arm = arm_from(ARMS["five"], pinned=True)
    z, v, forces = random_state(arm)
    found = evaluated(arm, z, v, forces, chain_scratch(arm))[2]
    assert found[:2].tolist() == [0.0, 0.0]
    forces[0] += 100.0  # the pin bears it
    assert np.array_equal(evaluated(arm, z, v, forces, chain_scratch(arm))[2], found)


def test_a_state_that_is_no_number_gives_none():
    arm = arm_from(ARMS["five"])
    z, v, forces = random_state(arm)
    z[3] = np.nan
    assert np.isnan(evaluated(arm, z, v, forces, chain_scratch(arm))[2][:2]).all()
