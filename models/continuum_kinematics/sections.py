"""Forward kinematics of sections of constant curvature, and its Jacobian (equations 7 to 9).

A section is (s, u, v): its length s [m] and u = kappa s cos(phi), v = kappa s sin(phi) [rad], so that it
bends by theta = sqrt(u^2 + v^2). Unlike the paper's (s, kappa, phi) nothing is singular where it is
straight. Its arc is that of :mod:`models.continuum.arc` with alpha = v, beta = -u and no twist. The robot
stands on its base: a straight section ends above it, on z.
"""

from __future__ import annotations

from types import EllipsisType

import numpy as np

from errors import InputError
from models.arrays import FloatArray, Numbers, finite_array
from models.continuum.arc import Arc, arc
from models.continuum.chain import Frames, chain_frames
from models.continuum_kinematics.residual_kernels import fill_jacobians, fill_poses
from models.numerics.rotations import cross

Shape = tuple[int | EllipsisType | None, ...]
ONE: Shape = (None, 3)
MANY: Shape = (..., None, 3)
"""Shapes of the sections of one state, and of any number of states."""
ANGLES = np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""d(alpha, beta)/d(s, u, v)."""


def checked_sections(sections: Numbers, shape: Shape = ONE) -> FloatArray:
    """``sections`` as an array (..., k, 3) of s [m], u and v [rad].

    Of one state, or of many if ``shape`` says so. Raises ``InputError`` with the place.
    """
    meaning = "length [m], u [rad] and v [rad] of each section"
    checked = finite_array(sections, shape, "sections", meaning)
    for index in np.argwhere(checked[..., 0] <= 0.0)[:1].tolist():
        message = f"section {index[-1] + 1} has the length {checked[*index, 0]:g} m; give a positive length"
        raise InputError(message, ("sections", *index, 0))
    return checked


def forward(sections: Numbers) -> FloatArray:
    """The pose of the tip.

    Parameters
    ----------
    sections : (k, 3) float
        Length s [m], u and v [rad] of each section, from the base.

    Returns
    -------
    (4, 4) float
        Homogeneous matrix from the tip's frame to the base's; positions in m.

    Raises
    ------
    InputError
        When they are not finite numbers of this shape, or a length is not positive.
    """
    frames = section_frames(sections)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = frames.rotations[-1], frames.positions[-1]
    return pose


def forward_batch(states: Numbers) -> FloatArray:
    """The poses (..., 4, 4) of the tip in states (..., k, 3); compiled, otherwise as :func:`forward`."""
    checked = checked_sections(states, MANY)
    poses = np.empty((*checked.shape[:-2], 4, 4))
    fill_poses(checked.reshape(-1, *checked.shape[-2:]), poses.reshape(-1, 4, 4))
    return poses


def jacobian_batch(states: Numbers) -> FloatArray:
    """Body Jacobians (..., 6, 3 k) of the tip in states (..., k, 3); compiled, else as :func:`jacobian`."""
    checked = checked_sections(states, MANY)
    k = checked.shape[-2]
    found = np.empty((*checked.shape[:-2], 6, 3 * k))
    fill_jacobians(checked.reshape(-1, k, 3), 1.0, found.reshape(-1, 6, 3 * k))
    to_tip = forward_batch(checked)[..., :3, :3].swapaxes(-1, -2)
    found[..., :3, :] = to_tip @ found[..., :3, :]
    return found


def section_frames(sections: Numbers) -> Frames:
    """Positions (k + 1, 3) m and rotations (k + 1, 3, 3) of the base and of the end of each section."""
    return chain_frames(arcs_of(checked_sections(sections)))


def arcs_of(sections: FloatArray) -> list[Arc]:
    """The arc of each section (k, 3)."""
    return [arc(np.array([v, -u, 0.0]), s) for s, u, v in sections]


def jacobian(sections: Numbers) -> FloatArray:
    """Body Jacobian of the tip: its twist, in its own axes, per change of a section's parameter.

    Parameters
    ----------
    sections : (k, 3) float
        As for :func:`forward`, which also says what is refused.

    Returns
    -------
    (6, 3 k) float
        Rows: velocity [m], then angular velocity [rad], both in the tip's axes. Columns: s, u and v of each
        section in turn.
    """
    checked = checked_sections(sections)
    arcs = arcs_of(checked)
    frames = chain_frames(arcs)
    R, p = frames.rotations, frames.positions
    columns = np.empty((len(arcs), 3, 6))
    for k, each in enumerate(arcs):
        arm = R[k].T @ (p[-1] - p[k]) - each.p  # from the section's end to the tip
        turns, shifts = ANGLES.T @ each.turns[:2], ANGLES.T @ each.shifts[:2]
        shifts[0] = each.p / checked[k, 0]
        to_tip = R[-1].T @ R[k]
        columns[k, :, :3] = (shifts + cross(turns, arm)) @ to_tip.T
        columns[k, :, 3:] = turns @ to_tip.T
    return columns.reshape(-1, 6).T.copy()
