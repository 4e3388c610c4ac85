"""The part of a design space that satisfies the constraints that follow from variables alone.

No design outside it is evaluated. Samples are drawn inside; a point outside that a search comes to is moved
along the line to the nearest of some known points inside, to the last point of that line that is inside. Both
are deterministic: the same points, and the same random numbers, lead to the same designs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studies.definition.derived_quantities import Derived
from studies.definition.links import value_inside
from studies.definition.objectives import Constraint
from studies.definition.space import ChoiceVariable, DesignSpace, FloatArray

ANCHORS = 256
"""Known points inside, at most."""
DRAWS = 65_536
"""Random points among which they are looked for."""
_BLOCK = 4096
_STEPS = 400
"""Steps from the nearest points to the region, where no random point is in it."""
_STARTS = 64
_HALVINGS = 30
_SWEEPS = 3
LEAST_SHARE = 0.01
"""Share of random points inside below which samples walk from known points instead of being drawn again."""
_MOST_MISSES = 4000
_NEAR = 1e-9
"""Distance from a bound, relative to it, within which a number is worked out again as evaluations do it."""
_SEED = 0


class Region:
    """Set of the points at which all ``constraints`` hold, on quantities that follow from variables alone.

    Parameters
    ----------
    space : DesignSpace
        The space without this region.
    constraints : sequence of Constraint
    derived : Derived
        The expressions on which they are put.
    constants : mapping of str to float
        The parameters in these that do not vary, and those of variables where they do not act.
    known : (k, d) float
        Settled points that may be inside, such as initial designs.
    """

    def __init__(
        self,
        space: DesignSpace,
        constraints: Sequence[Constraint],
        derived: Derived,
        constants: Mapping[str, float],
        known: FloatArray,
    ) -> None:
        self._space, self.constraints, self._constants, self._known = (
            space,
            tuple(constraints),
            constants,
            known,
        )
        names = {name for constraint in constraints for name in derived.closure(constraint.metric)}
        self._derived = Derived(tuple(link for link in derived.expressions if link.path in names))
        inner = [
            name for link in self._derived.expressions for name in link.expression.names if name not in names
        ]
        linked = [name for link in space.links.links for name in link.expression.names]
        self._names = tuple(dict.fromkeys([*inner, *linked]))
        self._own = tuple(dict.fromkeys(inner))
        self._choice = np.array([isinstance(variable, ChoiceVariable) for variable in space.variables])
        self.tried = self.inside = 0
        self._nearest: FloatArray | None = None

    # ------------------------------------------------------------ constraints

    def values(self, point: FloatArray) -> dict[str, float | None]:
        """The constrained quantities at a settled point ``(d,)``, to the bit as judgements have them."""
        named = self._space.named_values(point)
        given = {path: value for path, value in named.items() if value is not None}
        settings: Mapping[str, Any] = {**given, **self._space.settings(list(named.values()))}
        known = {name: _number(settings, name, self._constants) for name in self._own}
        return self._derived.values({}, {}, known)

    def broken(self, point: FloatArray) -> Constraint | None:
        """The first constraint that a settled point ``(d,)`` does not satisfy."""
        values = self.values(point)
        return next((each for each in self.constraints if _lack(each, values[each.metric]) > 0.0), None)

    def holds(self, points: FloatArray) -> NDArray[np.bool_]:
        """True for each of the settled points ``(n, d)`` that is inside."""
        return self._violations(points) == 0.0

    def _violations(self, points: FloatArray) -> FloatArray:
        """Sum ``(n,)`` of the relative violations at settled points ``(n, d)``; 0 inside."""
        columns = self._columns(points)
        found, close = np.zeros(len(points)), np.zeros(len(points), dtype=bool)
        for constraint in self.constraints:
            values = np.broadcast_to(columns[constraint.metric], len(points))
            lacks = np.zeros(len(points))
            for bound, sign in ((constraint.lower, -1.0), (constraint.upper, 1.0)):
                if np.isfinite(bound):
                    over = sign * (values - bound)
                    lacks = np.maximum(lacks, over / (abs(bound) or 1.0))
                    close |= np.abs(over) <= _NEAR * np.maximum(abs(bound), np.abs(values))
            found += np.where(np.isfinite(values), lacks, np.inf)
        for row in np.flatnonzero(close):
            exact = self.values(points[row])
            found[row] = sum(_lack(each, exact[each.metric]) for each in self.constraints)
        return found

    def _columns(self, points: FloatArray) -> dict[str, FloatArray]:
        """Numbers ``(n,)`` of what the constraints name, at settled points ``(n, d)``."""
        space, columns = self._space, dict[str, FloatArray]()
        acting = space.acting(points) if space.conditions else None
        for place, variable in enumerate(space.variables):
            for name in self._names:
                if name != variable.path and not name.startswith(f"{variable.path}."):
                    continue
                if isinstance(variable, ChoiceVariable):
                    table = [_number({variable.path: value}, name, {}) for value in variable.values]
                    numbers = np.minimum((points[:, place] * len(table)).astype(np.int64), len(table) - 1)
                    column = np.array([np.nan if v is None else v for v in table])[numbers]
                else:
                    column = np.array(variable.decode_all(points[:, place]))
                fixed = self._constants.get(name, np.nan)
                columns[name] = column if acting is None else np.where(acting[:, place], column, fixed)

        def lookup(name: str) -> FloatArray:
            if name in columns:
                return columns[name]
            return np.full(1, space.links.constants.get(name, self._constants.get(name, np.nan)))

        for link in (*space.links.links, *self._derived.expressions):
            columns[link.path] = link.expression.columns(lookup)
        return columns

    # ------------------------------------------------------------ known points inside

    @cached_property
    def anchors(self) -> FloatArray:
        """Settled points ``(k, d)`` inside, at most ``ANCHORS``; none where none was found."""
        random = np.random.default_rng(_SEED)
        width = len(self._space)
        middle = self._space.settle(np.full((1, width), 0.5))
        found = [self._within(np.concatenate([self._known, middle]))]
        nearest, worst = np.empty((0, width)), np.empty(0)
        while self.tried < DRAWS and sum(map(len, found)) < ANCHORS:
            points = self._space.settle(random.random((_BLOCK, width)))
            violations = self._violations(points)
            self.tried, self.inside = self.tried + len(points), self.inside + int((violations == 0.0).sum())
            found.append(points[violations == 0.0])
            nearest, worst = np.concatenate([nearest, points]), np.concatenate([worst, violations])
            best = np.argsort(worst, kind="stable")[:_STARTS]
            nearest, worst = nearest[best], worst[best]
        inside = np.concatenate(found)[:ANCHORS]
        if not len(inside):
            inside = self._approach(nearest, worst, random)
        return inside

    @property
    def nearest(self) -> FloatArray | None:
        """The settled point ``(d,)`` that lacks least, where no point inside was found; else None."""
        return None if len(self.anchors) else self._nearest

    @property
    def share(self) -> float:
        """Share of random points that are inside."""
        return self.inside / self.tried if len(self.anchors) and self.tried else 0.0

    def _within(self, points: FloatArray) -> FloatArray:
        return points[self.holds(points)]

    def _approach(
        self, points: FloatArray, violations: FloatArray, random: np.random.Generator
    ) -> FloatArray:
        """Points inside that an evolution strategy of one parent and one child finds from each point."""
        points, violations, steps = points.copy(), violations.copy(), np.full(len(points), 0.2)
        for _ in range(_STEPS):
            moved = points + steps[:, None] * random.standard_normal(points.shape)
            anew = self._choice & (random.random(points.shape) < 1.0 / len(self._choice))
            moved = np.where(anew, random.random(points.shape), np.where(self._choice, points, moved))
            moved = self._space.settle(np.clip(moved, 0.0, 1.0))
            found = self._violations(moved)
            better = found < violations
            points[better], violations[better] = moved[better], found[better]
            steps = np.where(better, steps * 1.5, steps * 0.85)
            steps = np.where(steps < 1e-12, 0.2, steps)
        self._nearest = points[np.argmin(violations)]
        return points[violations == 0.0]

    # ------------------------------------------------------------ repair

    def repair(self, points: FloatArray) -> FloatArray:
        """Settled points ``(n, d)``, those outside moved to the border of the region."""
        outside = np.flatnonzero(~self.holds(points))
        if len(outside):
            wanted = points[outside]
            apart = np.stack([self._distance(wanted, anchor) for anchor in self.anchors])
            points = points.copy()
            points[outside] = self._last_inside(self.anchors[apart.argmin(axis=0)], wanted)[0]
        return points

    def _distance(self, points: FloatArray, anchor: FloatArray) -> FloatArray:
        """Distances ``(n,)``; every choice that differs counts as the length of a range."""
        apart = np.abs(points - anchor)
        return np.where(self._choice, apart > 0.0, apart).sum(axis=1)

    def _last_inside(self, inside: FloatArray, towards: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The last points ``(n, d)`` inside found by halving on lines from points inside, and their share."""
        found, near, far = inside.copy(), np.zeros(len(inside)), np.ones(len(inside))
        for number in range(_HALVINGS + 1):
            share = far if number == 0 else (near + far) / 2
            points = self._space.settle(inside + share[:, None] * (towards - inside))
            good = self.holds(points)
            found[good] = points[good]
            near, far = np.where(good, share, near), np.where(good, far, share)
        return found, near

    # ------------------------------------------------------------ samples

    def sample(self, draw: Callable[[int], FloatArray], size: int, random: np.random.Generator) -> FloatArray:
        """The first ``size`` points inside among those drawn, settled.

        Where few are inside, the rest are walked to from known points. A longer sample begins with a shorter.

        Parameters
        ----------
        draw : callable (n) -> (n, d) float
            The next points of a sample.
        """
        found, misses = np.empty((0, len(self._space))), 0
        while len(found) < size and self.share >= LEAST_SHARE and misses < _MOST_MISSES:
            inside = self._within(self._space.settle(draw(size)))
            misses = 0 if len(inside) else misses + size
            found = np.concatenate([found, inside])
        return np.concatenate([found[:size], self.walk(size - len(found), random)])

    def walk(self, count: int, random: np.random.Generator) -> FloatArray:
        """Points ``(n, d)`` inside, by hit and run from known ones.

        Source: R. L. Smith, Oper. Res. 32(6) 1984. Every other line runs along the difference of two known
        points, so that a walk goes along a narrow region.
        """
        width, anchors = len(self._space), self.anchors
        if count <= 0:
            return np.empty((0, width))
        numbers = random.random((count, 1 + 2 * _SWEEPS * (width + 3)))
        points = anchors[(numbers[:, 0] * len(anchors)).astype(np.int64)]
        for sweep in range(2 * _SWEEPS):
            own = numbers[:, 1 + sweep * (width + 3) :][:, : width + 3]
            one, two = (anchors[(own[:, k] * len(anchors)).astype(np.int64)] for k in (1, 2))
            target = np.clip(points + one - two, 0.0, 1.0) if sweep % 2 else own[:, 3:]
            _, share = self._last_inside(points, target)
            moved = self._space.settle(points + (own[:, 0] * share)[:, None] * (target - points))
            points = np.where(self.holds(moved)[:, None], moved, points)
        return points


def _number(settings: Mapping[str, Any], name: str, constants: Mapping[str, float]) -> float | None:
    found = settings[name] if name in settings else value_inside(settings, name)
    found = constants.get(name) if found is None else found
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None


def _lack(constraint: Constraint, value: float | None) -> float:
    """Relative violation; infinite where there is no value."""
    return float("inf") if value is None else constraint.violation({constraint.metric: value})
