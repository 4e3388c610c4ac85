"""Integrals along a link that the equations of motion of a chain are made of.

With the modes W_j and Theta_j of the link, its mass per length mu and its rotary inertia per length J:
``m0 = mu l``, ``m1 = mu l^2 / 2``, ``m2 = mu l^3 / 3 + J l``, ``a_j = int mu W_j``,
``b_j = int mu eta W_j + J Theta_j``, ``c_jk = int mu W_j W_k``, ``ce_jk = c_jk + int J Theta_j Theta_k``,
``K_jk = int kAG (W_j' - Theta_j) (W_k' - Theta_k) + EI Theta_j' Theta_k'`` and the damping
``int gamma W_j W_k`` by air and ``int K_v I W_j'' W_k''`` by the structure. They are computed by a Gauss rule
whose error is rounding.

A link turns about its first end, which is where the chain holds it. So W_j here is the deflection of the mode
against that end, W_j - W_j(0), which is another number than the mode's W_j with the ends ff only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.flexible_arm.beam import BeamModes, Section

PLACES = 48  # of the Gauss rule, and one more per radian of the shortest wave along the link


class LinkIntegrals(NamedTuple):
    """A link with k modes. A mode's coordinate is in metres where W is 1.

    Attributes
    ----------
    m0, m1, m2 : float, kg, kg m, kg m^2
        Mass, its first and second moment about the end eta = 0.
    a : (k,) float, kg
    b : (k,) float, kg m
    c, ce : (k, k) float, kg
        Translation only; translation and rotation of the sections.
    stiffness : (k, k) float, N/m
    air, structure : (k, k) float, kg/s
        Damping.
    end_shape : (k,) float
        W_j(l) - W_j(0).
    end_slope : (k,) float, 1/m
        Theta_j(l).
    """

    m0: float
    m1: float
    m2: float
    a: FloatArray
    b: FloatArray
    c: FloatArray
    ce: FloatArray
    stiffness: FloatArray
    air: FloatArray
    structure: FloatArray
    end_shape: FloatArray
    end_slope: FloatArray


def link_integrals(
    section: Section, modes: BeamModes, rotary_inertia: float, air_damping: float, structural: float
) -> LinkIntegrals:
    """The integrals of a link that bends in these modes.

    Parameters
    ----------
    section : Section
        Its rotary inertia belongs to the modes and is not used here.
    modes : BeamModes
        Of this section.
    rotary_inertia : float, kg m
        J of the integrals.
    air_damping : float, kg/(m s)
        gamma.
    structural : float, kg m^3/s
        K_v I.
    """
    eta, weights = gauss_rule(section.length, PLACES + int(modes.waves.p.max()))
    start, end = np.swapaxes(modes.fields([0.0, section.length]), 0, 1)
    shapes, slope, strain, bend = modes.fields(eta)
    W = shapes - start[0]
    curvature = modes.shape_curvatures(eta)
    shape, turn = weights @ W, weights @ slope
    squares = _products(weights, W)
    c = section.mu * squares
    rigid = rigid_integrals(section, rotary_inertia)
    return rigid._replace(
        a=section.mu * shape,
        b=section.mu * ((weights * eta) @ W) + rotary_inertia * turn,
        c=c,
        ce=c + rotary_inertia * _products(weights, slope),
        stiffness=section.kAG * _products(weights, strain) + section.EI * _products(weights, bend),
        air=air_damping * squares,
        structure=structural * _products(weights, curvature),
        end_shape=end[0] - start[0],
        end_slope=end[1],
    )


def rigid_integrals(section: Section, rotary_inertia: float) -> LinkIntegrals:
    """The integrals of a link that does not bend: no modes, and ``rotary_inertia`` [kg m] in ``m2``."""
    length, mass = section.length, section.mu * section.length
    none, empty = np.zeros(0), np.zeros((0, 0))
    m2 = mass * length**2 / 3 + rotary_inertia * length
    return LinkIntegrals(
        mass, mass * length / 2, m2, none, none, empty, empty, empty, empty, empty, none, none
    )


def require_kinetic_energy(integrals: Sequence[LinkIntegrals]) -> None:
    """Raise ``InputError`` for a link that can move without kinetic energy."""
    for i, link in enumerate(integrals):
        masses = np.block([[np.full((1, 1), link.m2), link.b[None, :]], [link.b[:, None], link.ce]])
        if link.m0 <= 0.0 or not np.linalg.eigvalsh(masses).min() > 0.0:
            message = f"link {i + 1} has a motion without kinetic energy; give it mass and independent modes"
            raise InputError(message, ("integrals", i))


def gauss_rule(length: float, places: int) -> tuple[FloatArray, FloatArray]:
    """Places (m,) and weights (m,) [m] of the Gauss rule with m places from 0 to ``length`` [m]."""
    x, weights = _unit_rule(-(-places // 16) * 16)
    return (x + 1.0) * (length / 2), weights * (length / 2)


@cache
def _unit_rule(places: int) -> tuple[FloatArray, FloatArray]:
    x, weights = np.polynomial.legendre.leggauss(places)
    return np.asarray(x, dtype=float), np.asarray(weights, dtype=float)


def _products(weights: FloatArray, values: FloatArray) -> FloatArray:
    """Integrals (k, k) of the products of values (m, k): exactly symmetric."""
    whole = (values * weights[:, None]).T @ values
    return np.asarray((whole + whole.T) / 2)
