"""Arms for tests of the motion."""

import math

import numpy as np

from models.flexible_arm.arm import arm_of_links
from models.flexible_arm.beam import Section, beam_modes
from models.flexible_arm.contact import contact_of, friction_of
from models.flexible_arm.modal_integrals import link_integrals, rigid_integrals

WIDTH, HEIGHT, MODULUS = 0.03, 0.0125, 2e11
SECOND_MOMENT = WIDTH * HEIGHT**3 / 12
ROTARY_INERTIA = SECOND_MOMENT / (WIDTH * HEIGHT)  # of 1 kg/m


def section(length=1.0, modulus=MODULUS):
    shear = 5 / 6 * WIDTH * HEIGHT * modulus / 2.6
    return Section(length, modulus * SECOND_MOMENT, shear, 1.0, ROTARY_INERTIA)


def link(ends="ss", count=1, *, length=1.0, modulus=MODULUS, air=0.025, structural=125.0):
    """Integrals of a link of the paper; ``ends`` may be "rigid"."""
    beam = section(length, modulus)
    if ends == "rigid":
        return rigid_integrals(beam, ROTARY_INERTIA)
    modes = beam_modes(beam, ends, count)
    return link_integrals(beam, modes, ROTARY_INERTIA, air, structural * SECOND_MOMENT)


def arm(*ends, gravity=9.81, pinned=False, **settings):
    links = [link(each, **settings) for each in ends or ("ss", "ss", "ss")]
    return arm_of_links([settings.get("length", 1.0)] * len(links), links, gravity, pinned)


def contact(law="hu-guo", restitution=0.8, ground=None, **friction):
    surface = {} if ground is None else {"ground": ground}
    return contact_of(law, restitution, 1.4e8, friction_of(**friction), **surface)


def dropped(chain, height=0.9, angles=(30, 0, -30)):
    """Coordinates of an arm at rest, centred over the origin, its lowest end at a height."""
    z = np.zeros(int(chain.offsets[-1]))
    phi = np.radians(angles)
    z[2 : 2 + len(phi)] = phi
    x = np.concatenate([[0.0], np.cumsum(chain.lengths * np.cos(phi))])
    y = np.concatenate([[0.0], np.cumsum(chain.lengths * np.sin(phi))])
    z[0], z[1] = -x[-1] / 2, height - y.min()
    return z


FALL = math.sqrt(2 * 0.9 / 9.81)
"""Time at which the ends of the paper's arm touch the ground [s]."""
