"""Validity of a design space: it holds designs that its model accepts.

There are two kinds of faults:

- A *value* that its parameter refuses whatever the others are: out of bounds, of another dimension, no
  whole number. The study is refused when a fixed value, an option or an end of a range is one.
- Values that *exclude each other* (``f_min`` above ``f_max``, lists of unequal length). Each of them may
  be right beside other values, so they are judged together, on designs of the space, never against the
  defaults of parameters that vary. The study is refused only when no design is accepted of these: the
  initial designs, the middle, the corners and all options as far as their number allows, and a sample
  drawn at random. The first that is accepted ends the search. The algorithms draw their designs from the
  same space and would find none either; who knows a valid one writes it under ``search.initial``.

Designs of an accepted study whose values exclude each other are infeasible when they are evaluated.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errors import InputError
from models import Model
from studies.definition.space import ChoiceVariable, DesignSpace, Variable

FloatArray = NDArray[np.float64]

MOST_CORNERS = 1024
SAMPLES = 1024
MOST_TRIES = 10_000
"""Designs tried for one study, each about 0.1 ms: a server checks what anybody sends."""
MOST_INITIAL = 100
OPTION_SAMPLES = 64
"""More designs that are tried with an option that was refused once."""
MOST_REMARKS = 10
_MOST_LEVELS = 16
"""Values of a whole number that are tried one by one; of a longer range its ends and its middle."""
_BETWEEN = 0.381966
"""A fraction of a range, at no number that people write."""
_SEED = 0
_NUMBER = re.compile(r"\d[\d.e+-]*")


class Validity:
    """Designs of one study tried on its model, at most ``MOST_TRIES`` over all layouts.

    What is left then is neither refused nor remarked on.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._left = MOST_TRIES

    def require(
        self, preset: str | None, settings: Mapping[str, Any], space: DesignSpace, initial: FloatArray
    ) -> FloatArray | None:
        """A point ``(d,)`` whose design the model accepts, None when the tries end before.

        Raises ``InputError`` when all designs are refused. Its place is ``parameters`` when what the model
        says most often is about fixed parameters alone, else ``variables``.
        """
        reasons: Counter[str] = Counter()
        examples: dict[str, InputError] = {}
        for point in _candidates(space, initial):
            if not self._left:
                return None
            reason = self._refusal(preset, settings, space, point)
            if reason is None:
                return point
            kind = _NUMBER.sub("#", str(reason))
            reasons[kind] += 1
            examples.setdefault(kind, reason)
        reason = examples[reasons.most_common(1)[0][0]]
        varied = {self._model.parameters.field_of(variable.path) for variable in space.variables}
        about = _fields_of(reason)
        if about and varied.isdisjoint(about):
            raise InputError(str(reason), ("parameters",), names=about)
        raise InputError(
            f"no design of the space is valid; {reasons.total()} were tried, and the most frequent reason "
            f"is: {reason}. Change the bounds, or give a valid design under search.initial",
            ("variables",),
            names=about,
        )

    def remarks(
        self, preset: str | None, settings: Mapping[str, Any], space: DesignSpace, valid: FloatArray
    ) -> list[str]:
        """Sentences about options with which no design is valid, given a point ``(d,)`` of a valid one."""
        remarks: list[str] = []
        for column, variable in enumerate(space.variables):
            if not isinstance(variable, ChoiceVariable) or variable.stepped:
                continue
            for number, option in enumerate(variable.values):
                points = _with_option(space, valid, column, (number + 0.5) / len(variable.values))
                reason = self._every_refusal(preset, settings, space, points)
                if reason is not None and len(remarks) < MOST_REMARKS:
                    remarks.append(f"every design with {variable.path} = {option} is infeasible: {reason}")
        return remarks

    def _every_refusal(
        self,
        preset: str | None,
        settings: Mapping[str, Any],
        space: DesignSpace,
        points: Iterable[FloatArray],
    ) -> InputError | None:
        """Reason why the first of the designs is refused; None when one of them is not, or tries end."""
        first = None
        for point in points:
            reason = self._refusal(preset, settings, space, point) if self._left else None
            if reason is None:
                return None
            first = first or reason
        return first

    def _refusal(
        self, preset: str | None, settings: Mapping[str, Any], space: DesignSpace, point: FloatArray
    ) -> InputError | None:
        """Reason why the model refuses a design; None when it does not."""
        self._left -= 1
        try:
            self._model.resolve(preset, {**settings, **space.decode(point)})
        except InputError as error:
            return error
        return None


def _fields_of(error: InputError) -> tuple[str, ...]:
    """The parameters that a refusal is about; none where a back-end does not say it."""
    places = (str(fault.place[0]) for fault in error.faults if fault.place)
    return tuple(dict.fromkeys([*places, *(name for fault in error.faults for name in fault.names)]))


def _with_option(space: DesignSpace, valid: FloatArray, column: int, value: float) -> Iterator[FloatArray]:
    first = valid.copy()
    first[column] = value
    yield first
    for point in np.random.default_rng(_SEED).random((OPTION_SAMPLES, len(space))):
        point[column] = value
        yield point


def _candidates(space: DesignSpace, initial: FloatArray) -> Iterator[FloatArray]:
    """Points ``(d,)`` of the unit cube, those first that are most often valid."""
    yield from initial[:MOST_INITIAL]
    yield np.full(len(space), 0.5)
    levels = [_levels(variable) for variable in space.variables]
    if prod(len(each) for each in levels) > MOST_CORNERS:
        levels = [sorted({each[0], each[-1]}) for each in levels]
    for corner in itertools.islice(itertools.product(*levels), MOST_CORNERS):
        yield np.array(corner)
    yield from np.random.default_rng(_SEED).random((SAMPLES, len(space)))


def corners(space: DesignSpace, columns: Sequence[int], most: int) -> Iterator[FloatArray]:
    """Points ``(d,)`` at the ends of some variables, and one between them; the others are in the middle.

    Where there are more than ``most``, one variable after another is at an end.
    """
    point = np.full(len(space), 0.5)
    levels = [_levels(space.variables[column]) for column in columns]
    if prod(len(each) for each in levels) > most:
        levels = [sorted({each[0], each[-1]}) for each in levels]
    every = prod(len(each) for each in levels) <= most
    for corner in itertools.product(*levels) if every else _one_by_one(levels):
        point[list(columns)] = corner
        yield point
    point[list(columns)] = _BETWEEN
    yield point


def _one_by_one(levels: Sequence[Sequence[float]]) -> Iterator[list[float]]:
    """All first levels with one that is the last, and all last ones with one that is the first."""
    for here, there in ((0, -1), (-1, 0)):
        base = [each[here] for each in levels]
        yield base
        for number, each in enumerate(levels):
            yield [*base[:number], each[there], *base[number + 1 :]]


def _levels(variable: Variable) -> list[float]:
    """Points of the unit interval at which a variable is tried."""
    if isinstance(variable, ChoiceVariable):
        count = len(variable.values)
        numbers = range(count) if count <= _MOST_LEVELS else (0, count // 2, count - 1)
        return [(number + 0.5) / count for number in numbers]
    return [0.0, 0.5, 1.0]
