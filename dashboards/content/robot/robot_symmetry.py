"""Symmetry of a cable robot: mirror images in the planes of x and y, and turns about z."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

EXACTLY = 1e-6
"""Greatest distance of an image from its cable, as a share of the list's largest extent."""
NEARLY = 0.03
"""The same of measured robots: CoGiRo's cables lie 0.16 m beside their images, of 15 m."""


class Image(NamedTuple):
    """A motion that maps a robot onto itself: a mirror normal to an axis, or a turn about it by degrees."""

    axis: Literal["x", "y", "z"]
    degrees: int = 0

    @property
    def unmoved(self) -> int | None:
        """The number of the horizontal axis along which a plane's place says nothing; None for a turn."""
        return None if self.degrees else {"x": 1, "y": 0}[self.axis]

    @property
    def told(self) -> str:
        """The motion in words."""
        return (
            f"a turn by {self.degrees} deg about {self.axis}"
            if self.degrees
            else f"a mirror normal to {self.axis}"
        )

    @property
    def matrix(self) -> FloatArray:
        """The motion about the middle of a list of points, shape (3, 3)."""
        if not self.degrees:
            return np.diag([-1.0 if name == self.axis else 1.0 for name in "xyz"])
        cosine, sine = {90: (0.0, 1.0), 180: (-1.0, 0.0)}[self.degrees]
        return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


_IMAGES = (Image("x"), Image("y"), Image("z", 90), Image("z", 180))
"""Products of one of each, or none, make every group of these motions."""


class Copies(NamedTuple):
    """Cables ``to`` are images of the cables ``from_``, each at the same place of its list."""

    image: Image
    from_: tuple[int, ...]
    to: tuple[int, ...]


class RobotSymmetry(NamedTuple):
    """The copies of a robot in the order in which they follow, and the cables that are no copies."""

    copies: tuple[Copies, ...]
    independent: tuple[int, ...]
    centres: Mapping[str, FloatArray]
    """The middle of each list of points, shape (3,), m."""
    tolerance: float
    distance: float
    """Greatest distance of an image from its cable, m."""

    @property
    def told(self) -> str:
        """A near symmetry in words."""
        images = " and ".join(copies.image.told for copies in self.copies)
        return f"Nearly symmetric, within {self.distance:.2g} m: {images}"

    @property
    def motions(self) -> dict[int, list[tuple[int, FloatArray]]]:
        """Each independent cable and its images, with the matrix (3, 3) that takes the cable there."""
        found = {cable: [(cable, np.eye(3))] for cable in self.independent}
        for image, from_, to in self.copies:
            for orbit in found.values():
                known = dict(orbit)
                orbit += [
                    (copy, image.matrix @ known[source])
                    for source, copy in zip(from_, to, strict=True)
                    if source in known
                ]
        return found


def symmetry_of(lists: Mapping[str, FloatArray], tolerance: float = EXACTLY) -> RobotSymmetry:
    """The symmetry of lists of points, each (cables, 3) in m, of which an image has all.

    Planes and axes go through the middle of each list. Cables on the positive side of a plane, seen by the
    first list that is not in the plane, are those that others copy; of a turn, those that come first.
    """
    centres = {name: (points.min(axis=0) + points.max(axis=0)) / 2 for name, points in lists.items()}
    tried = {image: _images(lists, centres, image) for image in _IMAGES}
    found = {image: each for image, each in tried.items() if each is not None and each[1] <= tolerance}
    planes = [image.axis for image in found if not image.degrees]
    count = len(next(iter(lists.values())))
    order = sorted(
        range(count), key=lambda cable: [_side(lists, centres, axis, cable, tolerance) < 0 for axis in planes]
    )
    independent: list[int] = []
    pairs: dict[Image, list[tuple[int, int]]] = {image: [] for image in found}
    known: set[int] = set()
    for cable in order:
        if cable in known:
            continue
        independent.append(cable)
        orbit = [cable]
        for image, (to, _) in found.items():
            new = [(source, to[source]) for source in orbit if to[source] not in orbit]
            pairs[image] += new
            orbit += [copy for _, copy in new]
        known.update(orbit)
    copies = [Copies(image, *zip(*sorted(made), strict=True)) for image, made in pairs.items() if made]
    share = max((share for _, share in found.values()), default=0.0)
    distance = share * max(map(_size, lists.values()))
    return RobotSymmetry(tuple(copies), tuple(sorted(independent)), centres, tolerance, distance)


def _images(
    lists: Mapping[str, FloatArray], centres: Mapping[str, FloatArray], image: Image
) -> tuple[list[int], float] | None:
    """The cable nearest to the image of each cable, and how far it lies beside it as a share of the lists.

    None where two cables have the same image.
    """
    joined = [(points - centres[name]) / _size(points) for name, points in lists.items()]
    moved = np.hstack([points @ image.matrix.T for points in joined])
    distances = np.abs(np.hstack(joined)[None, :, :] - moved[:, None, :]).max(axis=2)
    nearest = distances.argmin(axis=1).tolist()
    return (nearest, float(distances.min(axis=1).max())) if len(set(nearest)) == len(nearest) else None


def is_in_plane(coordinate: float, plane: float, points: FloatArray, tolerance: float = EXACTLY) -> bool:
    """True if a coordinate lies in a plane of mirrors of points (n, 3), all in m, but for a share of them."""
    return abs(coordinate - plane) <= tolerance * _size(points)


def _size(points: FloatArray) -> float:
    return float(np.ptp(points, axis=0).max()) or 1.0


def _side(
    lists: Mapping[str, FloatArray],
    centres: Mapping[str, FloatArray],
    axis: str,
    cable: int,
    tolerance: float,
) -> float:
    """Side of a plane on which a cable is: positive, negative, or 0 in it."""
    number = "xyz".index(axis)
    for name, points in lists.items():
        coordinate, plane = float(points[cable, number]), float(centres[name][number])
        if not is_in_plane(coordinate, plane, points, tolerance):
            return coordinate - plane
    return 0.0
