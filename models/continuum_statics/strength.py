"""Strain and stress of the rod in states of the robot, and how far they are from the material's limits.

An arc of curvature kappa, twist per length tau and axial force N has at the surface of a round rod of
diameter d the normal stress ``sigma = 32 EI kappa / (pi d^3) + 4 |N| / (pi d^2)`` and the shear stress
``16 GJ tau / (pi d^3)``; the equivalent stress is von Mises' ``sqrt(sigma^2 + 3 shear^2)``. Strains are
``epsilon = sigma / E = d kappa / 2 + ...`` and ``gamma = d tau / 2``, the equivalent strain is
``sqrt(epsilon^2 + gamma^2 / 3)`` (Budynas, Nisbett: Shigley's Mechanical Engineering Design, chapters 3
and 5). The axial force follows from balance: the rod itself neither stretches nor shears, the stress of
the shear force is left out.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum.chain import chains_of_states
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.robot import Robot
from models.materials import MATERIALS

MOST_SAFETY = 1000.0  # a rod that is hardly strained has no greater factor
AT_ONCE = 4096  # states; what is computed of them together stays small
PARALLEL = 1e-12  # share of an arc's length below which a chord has no direction


class Strength(NamedTuple):
    """Greatest strain and stress of a rod, and the least factor by which limits exceed them.

    ``strain`` [1] and ``stress`` [Pa] are equivalent ones; ``safety_factor`` [1] is None where the
    material has no limit, and at most ``MOST_SAFETY``.
    """

    strain: float
    stress: float
    safety_factor: float | None


def strength(parameters: ContinuumStatics, strains: FloatArray, stresses: FloatArray) -> Strength:
    """The greatest of strains (k,) [1] and stresses (k,) [Pa], with the safety factor."""
    used = limit_shares(parameters, strains, stresses)
    factor = None if used is None else 1 / max(float(np.max(used)), 1 / MOST_SAFETY)
    return Strength(float(np.max(strains)), float(np.max(stresses)), factor)


def limit_shares(
    parameters: ContinuumStatics, strains: FloatArray, stresses: FloatArray
) -> FloatArray | None:
    """Greater share (k,) [1] of the limits that strains (k,) [1] and stresses (k,) [Pa] use; None without."""
    limits = ((stresses, parameters.greatest_stress), (strains, parameters.greatest_strain))
    shares = [values / limit for values, limit in limits if limit is not None]
    return np.max(shares, axis=0) if shares else None


def strains_and_stresses(
    parameters: ContinuumStatics, body: Robot, tensions: FloatArray, states: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Greatest equivalent strain (k,) [1] and stress (k,) [Pa] of each state (k, n, 3) [rad].

    ``tensions`` (k, m) [N] are whole, ``body`` holds the masses that act.
    """
    parts = [
        _of_few(parameters, body, tensions[first : first + AT_ONCE], states[first : first + AT_ONCE])
        for first in range(0, len(states), AT_ONCE)
    ]
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def _of_few(
    parameters: ContinuumStatics, body: Robot, tensions: FloatArray, states: FloatArray
) -> tuple[FloatArray, FloatArray]:
    d, E = parameters.stressed_diameter, parameters.moduli[0]
    kappa = np.hypot(states[..., 0], states[..., 1]) / body.L
    tau = np.abs(states[..., 2]) / body.L
    axial = axial_forces(body, tensions, states)
    normal = 32 * body.EI * kappa / (math.pi * d**3) + 4 * axial / (math.pi * d**2)
    shear = 16 * body.GJ * tau / (math.pi * d**3)
    strains = np.hypot(normal / E, d * tau / (2 * math.sqrt(3)))
    return strains.max(axis=1), np.hypot(normal, math.sqrt(3) * shear).max(axis=1)


def axial_forces(body: Robot, tensions: FloatArray, states: FloatArray) -> FloatArray:
    """Greater magnitude (k, n) [N] of the axial force at the two ends of every arc.

    What holds the rod beyond a section: the weight there and the pull of the cables that cross it.
    """
    positions, rotations = chains_of_states(body.L, states)
    weights = np.cumsum(body.masses[::-1])[::-1, None] * body.gravity
    holes = np.concatenate([body.holes, np.zeros((len(body.holes), 1))], axis=1)
    axial = np.empty(states.shape[:2])
    for arc in range(states.shape[1]):
        disk = arc // body.arcs
        ends = (
            positions[:, place, None] + np.einsum("kab,mb->kma", rotations[:, place], holes)
            for place in (disk * body.arcs, (disk + 1) * body.arcs)
        )
        chords = np.subtract(*reversed(tuple(ends)))
        lengths = np.linalg.norm(chords, axis=2)
        crossing = np.where(body.ties > disk, tensions, 0.0) / np.maximum(lengths, PARALLEL * body.L)
        force = weights[arc] - np.einsum("km,kma->ka", crossing, chords)
        along = [np.einsum("ka,ka->k", force, rotations[:, place, :, 2]) for place in (arc, arc + 1)]
        axial[:, arc] = np.maximum(*np.abs(along))
    return axial


def sentences(parameters: ContinuumStatics, found: Strength, where: str) -> tuple[str, ...]:
    """Warnings of the strain of a rod, in sentences; ``where`` begins them."""
    texts: list[str] = []
    stress, strain = parameters.greatest_stress, parameters.greatest_strain
    linear = MATERIALS[parameters.material].linear_strain
    if stress is not None and found.stress > stress:
        texts.append(
            f"{where} the stress of the rod is {found.stress / 1e6:.4g} MPa, above the limit of "
            f"{stress / 1e6:.4g} MPa: it would yield"
        )
    if strain is not None and found.strain > strain:
        texts.append(
            f"{where} the strain of the rod is {100 * found.strain:.3g} %, above the limit of "
            f"{100 * strain:.3g} %: it would not spring back"
        )
    if not texts and linear is not None and found.strain > linear:
        texts.append(
            f"{where} the strain of the rod is {100 * found.strain:.3g} %; {parameters.material} is linear "
            f"up to {100 * linear:.3g} % only, and beyond that softer than the model assumes"
        )
    return tuple(texts)
