"""Mirror symmetry of a cable robot: which cables are mirror images of others in the planes of x and y."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

_TOLERANCE = 1e-6
"""How far a mirror image may lie beside its cable, as a share of the list's largest extent."""


class Mirror(NamedTuple):
    """Cables ``to`` are the mirror images of the cables ``from_``, each at the same place of its list.

    ``offsets`` has the place of the plane for each list of points: the coordinate along ``axis``, m.
    """

    axis: Literal["x", "y"]
    from_: tuple[int, ...]
    to: tuple[int, ...]
    offsets: Mapping[str, float]


class RobotSymmetry(NamedTuple):
    """The mirrors of a robot, in the order in which copies follow, and the cables that are no copies."""

    mirrors: tuple[Mirror, ...]
    independent: tuple[int, ...]
    centres: Mapping[str, FloatArray]
    """The middle of each list of points, shape (3,), m."""


def symmetry_of(lists: Mapping[str, FloatArray]) -> RobotSymmetry:
    """The symmetry of lists of points, each (cables, 3) in m, of which a mirror image has all.

    The planes are normal to x and y, and go through the middle of each list. Cables on the positive side
    of a plane, seen by the first list that is not in the plane, are those that others copy.
    """
    cables = range(len(next(iter(lists.values()))))
    centres = {name: (points.min(axis=0) + points.max(axis=0)) / 2 for name, points in lists.items()}
    left = list(cables)
    mirrors: list[Mirror] = []
    axes: Sequence[tuple[int, Literal["x", "y"]]] = ((1, "y"), (0, "x"))
    for axis, label in axes:
        images = _images(lists, centres, axis)
        if images is None:
            continue
        kept = [cable for cable in left if _side(lists, centres, axis, cable) >= 0]
        pairs = [(cable, images[cable]) for cable in kept if images[cable] in left and images[cable] != cable]
        if not pairs:
            continue
        from_, to = zip(*pairs, strict=True)
        offsets = {name: float(centre[axis]) for name, centre in centres.items()}
        mirrors.insert(0, Mirror(label, from_, to, offsets))
        left = [cable for cable in left if cable not in to]
    return RobotSymmetry(tuple(mirrors), tuple(left), centres)


def _images(
    lists: Mapping[str, FloatArray], centres: Mapping[str, FloatArray], axis: int
) -> list[int] | None:
    """The cable at the mirror image of each cable; None where one has no image."""
    joined = np.hstack([(points - centres[name]) / _size(points) for name, points in lists.items()])
    signs = np.ones(joined.shape[1])
    signs[axis::3] = -1.0
    distances = np.abs(joined[None, :, :] - (joined * signs)[:, None, :]).max(axis=2)
    nearest = distances.argmin(axis=1)
    fits = distances.min(axis=1).max() <= _TOLERANCE and len(set(nearest.tolist())) == len(nearest)
    return nearest.tolist() if fits else None


def is_in_plane(coordinate: float, plane: float, points: FloatArray) -> bool:
    """Whether a coordinate lies in a plane of mirrors of points (n, 3), all in m, but for rounding."""
    return abs(coordinate - plane) <= _TOLERANCE * _size(points)


def _size(points: FloatArray) -> float:
    return float(np.ptp(points, axis=0).max()) or 1.0


def _side(lists: Mapping[str, FloatArray], centres: Mapping[str, FloatArray], axis: int, cable: int) -> float:
    """On which side of a plane a cable is: positive, negative, or 0 in it."""
    for name, points in lists.items():
        coordinate, plane = float(points[cable, axis]), float(centres[name][axis])
        if not is_in_plane(coordinate, plane, points):
            return coordinate - plane
    return 0.0
