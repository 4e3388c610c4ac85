"""The composite mass matrix of the benchmarks gives the accelerations that the recursion beside it gives."""

import numpy as np
import pytest

from benchmarks.composite_chain import new_composite, repeat_composite, repeat_recursion
from models.flexible_arm.chain_kernels import chain_scratch

from .chains import ARMS, TWO_BENT, arm_from, random_state, sized

COMPARED = {**ARMS, "two bent": TWO_BENT, "ten": [sized(ends, 2, 1.0, 1.0) for ends in ("ss", "cf") * 5]}


@pytest.mark.soak  # what a benchmark compares, and no part of the product
@pytest.mark.parametrize("pinned", [False, True])
@pytest.mark.parametrize("name", COMPARED)
def test_the_composite_mass_matrix_gives_the_accelerations_of_the_recursion(name, pinned):
    arm = arm_from(COMPARED[name], pinned)
    memory, scratch = new_composite(arm), chain_scratch(arm)
    for seed in range(2):  # in the same memory
        z, v, forces = random_state(arm, seed)
        composite, recursion = np.full((2, len(z)), np.nan)
        repeat_composite(arm, z, v, forces, memory, composite, 2)
        repeat_recursion(arm, z, v, forces, scratch, recursion, 2)
        assert composite == pytest.approx(recursion, rel=0.0, abs=1e-11 * np.abs(recursion).max())
