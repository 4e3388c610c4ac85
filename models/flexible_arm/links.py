"""The links of an arm from their sections: bending, shear and mass, then integrals of their modes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

import numpy as np

from models.flexible_arm.beam import BeamModes, Ends, Section, beam_modes
from models.flexible_arm.modal_integrals import LinkIntegrals, link_integrals, rigid_integrals

RIGID: Final = "rigid"


def rectangular_section(
    length: float,
    width: float,
    height: float,
    *,
    youngs_modulus: float,
    shear_modulus: float,
    shear_factor: float,
    line_density: float,
    second_moment: float | None,
) -> Section:
    """A link with a rectangular section, and rotary inertia as that of its density.

    Parameters
    ----------
    length, width, height : float, m
        Width across the plane of motion, height in it.
    youngs_modulus, shear_modulus : float, Pa
    shear_factor : float
    line_density : float, kg/m
    second_moment : float, m^4, optional
        Of another section with the same area.
    """
    area = width * height
    second = width * height**3 / 12 if second_moment is None else second_moment
    return Section(
        length,
        youngs_modulus * second,
        shear_factor * shear_modulus * area,
        line_density,
        line_density / area * second,
    )


class Link(NamedTuple):
    """A link and the modes in which it bends.

    Attributes
    ----------
    section : Section
    ends : str
        Ends of the beam whose modes it has, or ``RIGID``.
    modes : int
        How many; 0 of a rigid link.
    rotary_inertia : float, kg m
        Per length, in the integrals; that of the section is in the modes.
    air_damping : float, kg/(m s)
    structural_damping : float, kg m^3/s
        Of the material, times the second moment of the section.
    """

    section: Section
    ends: Ends | Literal["rigid"]
    modes: int
    rotary_inertia: float
    air_damping: float
    structural_damping: float


def integrals_of(links: Sequence[Link]) -> list[LinkIntegrals]:
    """The integrals of each link; those of equal links are computed once."""
    return [_integrals(link) for link in links]


@lru_cache(maxsize=64)
def _integrals(link: Link) -> LinkIntegrals:
    """Kept, read-only: the check of a study asks again and again; it takes 0.05 s so, 0.38 s otherwise."""
    if link.ends == RIGID:
        found = rigid_integrals(link.section, link.rotary_inertia)
    else:
        modes = beam_modes(link.section, link.ends, link.modes)
        found = link_integrals(
            link.section, modes, link.rotary_inertia, link.air_damping, link.structural_damping
        )
    for array in found:
        if isinstance(array, np.ndarray):
            array.flags.writeable = False
    return found


def modes_of(links: Sequence[Link]) -> list[BeamModes | None]:
    """The modes of each link, for their shapes; none of a rigid one."""
    found = {
        link: None if link.ends == RIGID else beam_modes(link.section, link.ends, link.modes)
        for link in dict.fromkeys(links)
    }
    return [found[link] for link in links]
