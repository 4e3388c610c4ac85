"""Arms of the tests, their random states, and their energies from the motion of points of the links."""

from functools import cache
from typing import NamedTuple

import autograd.numpy as anp
import numpy as np
from autograd import grad, jacobian, make_jvp

from models.flexible_arm.arm import arm_of_links
from models.flexible_arm.beam import Section, beam_modes
from models.flexible_arm.modal_integrals import link_integrals, rigid_integrals

GRAVITY = 9.81  # [m/s^2]
PLACES = 60  # of the quadrature along a link


class Link(NamedTuple):
    """Soft and thick: inertia, bending and gravity are of like size, and sections turn noticeably."""

    ends: str
    count: int
    section: Section = Section(0.8, 1.0, 200.0, 1.2, 0.012)
    rotary_inertia: float = 0.02  # another one than in the modes
    air: float = 0.3  # [kg/(m s)]
    structural: float = 2e-4  # [kg m^3/s]


def sized(ends, count, length, mu):
    return Link(ends, count, Section(length, 1.0, 200.0, mu, 0.012))


ARMS = {
    "one": [Link("ss", 1)],
    "one rigid": [Link("rigid", 0)],
    "cantilever and rigid": [Link("cf", 2), sized("rigid", 0, 0.5, 0.9)],
    "cs ss sc": [Link("cs", 1), sized("ss", 2, 1.1, 0.7), Link("sc", 1)],
    "free ends": [Link("ff", 2), Link("ff", 1)],
    "five": [
        Link("cf", 1),
        sized("rigid", 0, 0.6, 1.5),
        sized("cc", 3, 1.0, 0.8),
        sized("cf", 2, 0.7, 1.1),
        Link("ss", 1),
    ],
}
TWO_BENT = [Link("cf", 2), sized("cf", 3, 0.5, 0.9)]


@cache
def integrals_of(link):
    if link.ends == "rigid":
        return rigid_integrals(link.section, link.rotary_inertia)
    modes = beam_modes(link.section, link.ends, link.count)
    return link_integrals(link.section, modes, link.rotary_inertia, link.air, link.structural)


def arm_from(links, pinned=False, gravity=GRAVITY):
    lengths = [link.section.length for link in links]
    return arm_of_links(lengths, [integrals_of(link) for link in links], gravity, pinned)


def random_state(arm, seed=0):
    """A state and its rates (N,) with deflections of 0.1 m, and forces (n + 1, 2) [N]."""
    rng = np.random.default_rng(seed)
    n, N = len(arm.lengths), int(arm.offsets[-1])
    z, v = rng.uniform(-1.0, 1.0, (2, N))
    z[2 : 2 + n] *= np.pi
    z[2 + n :] *= 0.1
    v[2 : 2 + n] *= 3.0
    v[:2] *= not arm.pinned
    return z, v, rng.uniform(-5.0, 5.0, (n + 1, 2))


class Bodies:
    """The links as points with modes: nothing here comes from the integrals that the equations use."""

    def __init__(self, links, gravity=GRAVITY):
        self.n, self.gravity = len(links), gravity
        x, weights = np.polynomial.legendre.leggauss(PLACES)
        self.l = np.array([link.section.length for link in links])
        self.eta, self.weights = np.outer(self.l, (x + 1) / 2), np.outer(self.l, weights / 2)
        sections = np.array([link.section for link in links])
        self.EI, self.kAG, self.mu = sections[:, 1:4].T[:, :, None]
        self.J, self.air, self.structural = np.array([link[3:] for link in links]).T[:, :, None]
        counts = [link.count for link in links]
        before = np.concatenate([[0], np.cumsum(counts)])
        self.fields = np.zeros((5, self.n, PLACES, before[-1]))  # W, Theta, W' - Theta, Theta', W''
        self.end = np.zeros((self.n, before[-1]))
        for i, link in enumerate(links):
            if link.count:
                modes, own = beam_modes(link.section, link.ends, link.count), slice(before[i], before[i + 1])
                self.fields[:4, i, :, own] = modes.fields(self.eta[i])
                self.fields[0, i, :, own] -= modes.shapes([0.0])  # the chain holds the first end
                self.fields[4, i, :, own] = modes.shape_curvatures(self.eta[i])
                self.end[i, own] = np.diff(modes.shapes([0.0, link.section.length]), axis=0)[0]

    def ends(self, z):
        """Link ends (2, n + 1)."""
        angles, sag = z[2 : 2 + self.n], anp.dot(self.end, z[2 + self.n :])
        steps = self.turned(angles, self.l, sag)
        below = anp.tril(anp.ones((self.n + 1, self.n)), -1)
        return z[:2, None] + anp.stack([anp.dot(below, step) for step in steps])

    def places(self, z):
        """Points of the sections (2, n, PLACES), and their rotations (n, PLACES)."""
        angles, delta = z[2 : 2 + self.n, None], z[2 + self.n :]
        points = anp.stack(self.turned(angles, self.eta, anp.dot(self.fields[0], delta)))
        return self.ends(z)[:, :-1, None] + points, angles + anp.dot(self.fields[1], delta)

    @staticmethod
    def turned(angles, along, across):
        c, s = anp.cos(angles), anp.sin(angles)
        return c * along - s * across, s * along + c * across

    def kinetic(self, z, v):
        points, turn = (make_jvp(lambda at, k=k: self.places(at)[k])(z)(v)[1] for k in (0, 1))
        return 0.5 * anp.sum(self.weights * (self.mu * anp.sum(points**2, axis=0) + self.J * turn**2))

    def weight(self, z):
        return self.gravity * anp.sum(self.weights * self.mu * self.places(z)[0][1])

    def elastic(self, z):
        strain, bend = (anp.dot(self.fields[k], z[2 + self.n :]) for k in (2, 3))
        return 0.5 * anp.sum(self.weights * (self.kAG * strain**2 + self.EI * bend**2))

    def powers(self, v):
        """Powers that the air and the structure take [W]."""
        drift, bend = (anp.dot(self.fields[k], v[2 + self.n :]) for k in (0, 4))
        return anp.stack(
            [
                anp.sum(self.weights * self.air * drift**2),
                anp.sum(self.weights * self.structural * bend**2),
            ]
        )

    def equations(self, z, v):
        """Mass matrix and bias: ``d/dt dT/dv - dT/dz + d(weight + elastic)/dz + d(powers / 2)/dv``."""
        momenta = grad(self.kinetic, 1)
        mass, changes = jacobian(momenta, 1)(z, v), jacobian(momenta, 0)(z, v)
        slopes = grad(self.kinetic, 0)(z, v) - grad(self.weight)(z) - grad(self.elastic)(z)
        return mass, changes @ v - slopes + 0.5 * jacobian(self.powers)(v).sum(axis=0)

    def momentum(self, z, v):
        """Linear (2,) and angular about the origin."""
        x, y = self.places(z)[0]
        (vx, vy), spin = (make_jvp(lambda at, k=k: self.places(at)[k])(z)(v)[1] for k in (0, 1))
        masses = self.weights * self.mu
        linear = np.array([np.sum(masses * vx), np.sum(masses * vy)])
        return linear, np.sum(masses * (x * vy - y * vx) + self.weights * self.J * spin)

    def centre(self, z):
        """Mass [kg] and centre of mass (2,) [m]."""
        masses = self.weights * self.mu
        return masses.sum(), np.sum(masses * self.places(z)[0], axis=(1, 2)) / masses.sum()
