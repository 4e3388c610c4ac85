"""Fronts for people: joint over seeds, with variables and metrics by name; the hypervolume of each run.

Each run measures its own front against a point of its own (see :mod:`studies.run.growth`). Such numbers say
how one run grows; they do not say which of two runs is better. While runs go on, the point here is the worst
of the points of all runs. As they do, it moves outwards only: no run's hypervolume falls. Once all runs have
ended, it is the point of the study's comparison, so that one number stands everywhere.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import compress, islice
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from errors import InputError, UnknownNameError
from models.html_table import html_notes, without_value
from studies.execution.evaluation_key import short_key
from studies.records import ENDED, FloatArray, FrontDesign, RunRecord, StudyRecord
from studies.results.design_values import DesignReader
from studies.search.dominance import nondominated
from studies.search.indicators import beyond_worst, hypervolume, median
from studies.store import Store

if TYPE_CHECKING:
    import pandas as pd


MOST_ROWS = 20
"""Most rows of a front that is shown as a table."""


def choose_runs(study: StudyRecord, layout: str | None = None, seed: int | None = None) -> list[RunRecord]:
    """The study's runs of a layout and a seed; None means all. Unknown ones raise ``InputError``."""
    layouts = list(dict.fromkeys(run.layout for run in study.runs))
    seeds = sorted({run.seed for run in study.runs})
    if layout is not None and layout not in layouts:
        raise UnknownNameError("layout", layout, layouts, ("layout",))
    if seed is not None and seed not in seeds:
        raise UnknownNameError("seed", str(seed), [str(item) for item in seeds], ("seed",))
    return [run for run in study.runs if layout in (None, run.layout) and seed in (None, run.seed)]


def only_layout(layouts: Collection[str], layout: str | None) -> str:
    """The layout that somebody named; None is the only one. Raises ``InputError`` for any other."""
    if layout is None and len(layouts) > 1:
        raise InputError(f"the study has several layouts; name one: {', '.join(layouts)}", ("layout",))
    if layout is not None and layout not in layouts:
        raise UnknownNameError("layout", layout, layouts, ("layout",))
    return next(iter(layouts)) if layout is None else layout


class Fronts(dict[str, list[FrontDesign]]):
    """The designs of the front of each layout; a notebook and a terminal show them as a table.

    Attributes
    ----------
    labels : mapping of str to str
        Words for paths of variables.
    notes : sequence of str
        Sentences below the table, such as what the nearest designs of a layout without a front lack.
    """

    labels: Mapping[str, str] = MappingProxyType({})
    notes: Sequence[str] = ()

    def table(self) -> pd.DataFrame:
        """One row per design: layout, variables, metrics in SI units, the seeds that found it, key.

        :func:`studies.results.export.front_table` gives the units in the headers.
        """
        import pandas as pd  # costs a quarter of a second, and only tables need it

        return pd.DataFrame(
            [
                {
                    "layout": design.layout,
                    **design.variables,
                    **design.metrics,
                    "seeds": " ".join(map(str, design.seeds)),
                    "key": design.key,
                }
                for designs in self.values()
                for design in designs
            ]
        )

    def __repr__(self) -> str:
        sizes = ", ".join(f"{layout}: {len(designs)} designs" for layout, designs in self.items())
        table, notes = self._shown()
        text = table.to_string(index=False, max_rows=MOST_ROWS) if len(table) else "no design is feasible"
        return "\n".join([f"Fronts ({sizes}; SI units)", text, *notes])

    def _repr_html_(self) -> str:
        """The table of a notebook."""
        table, notes = self._shown()
        return table.to_html(index=False, max_rows=MOST_ROWS) + html_notes(notes)

    def _shown(self) -> tuple[pd.DataFrame, list[str]]:
        """The table for people, without metrics that no design has, and the sentences below it."""
        table = self.table()
        if not len(table):
            return table, list(self.notes)
        metrics = dict.fromkeys(name for designs in self.values() for one in designs for name in one.metrics)
        empty = [name for name in metrics if name in table and table[name].isna().all()]
        named = {path: label for path, label in self.labels.items() if "." in path and label not in table}
        short = table.drop(columns=empty).assign(key=table["key"].map(short_key)).rename(columns=named)
        return short, [*filter(None, [without_value(empty)]), *self.notes]


def fronts(store: Store, study: StudyRecord, layout: str | None = None, seed: int | None = None) -> Fronts:
    """The front of each layout, joint over its seeds, each sorted by key."""
    return Fronts(
        (front.layout, designs_on(store, study, [(front, number) for number in range(len(front.keys))]))
        for front in joint_fronts(store, study, layout, seed)
    )


@dataclass(frozen=True, slots=True)
class JointFront:
    """The front of a layout, joint over seeds and sorted by key, without what is stored of its designs.

    ``objectives`` ``(n, m)`` are minimised; ``seeds`` are those of the runs that found each design;
    ``points`` ``(n, d)`` lie in the unit cube.
    """

    layout: str
    keys: tuple[str, ...]
    seeds: tuple[tuple[int, ...], ...]
    objectives: FloatArray
    violations: FloatArray
    points: FloatArray


def joint_fronts(
    store: Store, study: StudyRecord, layout: str | None = None, seed: int | None = None
) -> list[JointFront]:
    """The front of each layout, in the order of the study file: quick also where it has thousands."""
    runs = choose_runs(study, layout, seed)
    names = dict.fromkeys(run.layout for run in runs)
    return [_joint(store, name, [run for run in runs if run.layout == name]) for name in names]


def _joint(store: Store, layout: str, runs: Sequence[RunRecord]) -> JointFront:
    """Join the seeds' fronts, and keep the designs that stay nondominated."""
    found = [store.front_places(run) for run in runs]
    seeds: dict[str, tuple[int, ...]] = {}
    rows: dict[str, int] = {}
    count = 0
    for run, front in zip(runs, found, strict=True):
        own = (run.seed,)
        for row, key in enumerate(front.keys, count):
            seeds[key] = (*seeds[key], run.seed) if key in seeds else own
            rows.setdefault(key, row)
        count += len(front.keys)
    keys = sorted(rows)
    if not keys:
        return JointFront(layout, (), (), np.empty((0, 0)), np.empty(0), np.empty((0, 0)))
    order = [rows[key] for key in keys]
    objectives = np.concatenate([front.objectives for front in found if front.keys])[order]
    keep = nondominated(objectives)
    violations = np.concatenate([front.violations for front in found])[order]
    points = np.concatenate([front.points for front in found if front.keys])[order]
    best = tuple(compress(keys, keep.tolist()))
    of_best = tuple(seeds[key] for key in best)
    return JointFront(layout, best, of_best, objectives[keep], violations[keep], points[keep])


def part_of(
    found: Sequence[JointFront], after: tuple[str, str] | None = None, limit: int | None = None
) -> tuple[list[tuple[JointFront, int]], tuple[str, str] | None]:
    """Places on fronts, sorted by key and layout: at most so many, after a key and layout.

    The second of what comes back is what to go on after; None at the end.
    """
    ordered = [_after(front, after) for front in sorted(found, key=lambda front: front.layout)]
    every = merge(*ordered, key=lambda place: place[0].keys[place[1]])  # of equal ones the first layout first
    shown = list(every if limit is None else islice(every, limit + 1))
    if limit is None or len(shown) <= limit:
        return shown, None
    front, number = shown[limit - 1]
    return shown[:limit], (front.keys[number], front.layout)


def _after(front: JointFront, after: tuple[str, str] | None) -> Iterator[tuple[JointFront, int]]:
    key, layout = after or ("", "")
    find = bisect_right if front.layout <= layout else bisect_left
    return ((front, number) for number in range(find(front.keys, key), len(front.keys)))


def designs_on(
    store: Store, study: StudyRecord, wanted: Sequence[tuple[JointFront, int]], label: str = ""
) -> list[FrontDesign]:
    """Stored designs, each by its place on a front; without those that were deleted meanwhile.

    ``label`` stands for the name of their layout, where it is given.
    """
    results = store.results([front.keys[number] for front, number in wanted])
    readers = {layout: DesignReader(study, layout) for layout in {front.layout for front, _ in wanted}}
    return [
        FrontDesign(
            front.keys[number],
            label or front.layout,
            tuple(sorted(set(front.seeds[number]))),
            *readers[front.layout].read(*found, front.points[number]),
            float(front.violations[number]),
            tuple(front.objectives[number].tolist()),
            readers[front.layout].free_units,
        )
        for front, number in wanted
        if (found := results.get(front.keys[number])) is not None
    ]


def objectives_of(designs: Sequence[FrontDesign], n_objectives: int) -> FloatArray:
    """Minimised objectives ``(n, m)`` of a front."""
    return np.array([design.objectives for design in designs]).reshape(len(designs), n_objectives)


@dataclass(frozen=True, slots=True)
class Spread:
    """The hypervolumes of a layout's seeds: how many there are, the least, the median and the greatest."""

    layout: str
    seeds: int
    least: float
    median: float
    greatest: float


@dataclass(frozen=True, slots=True)
class Volumes:
    """Hypervolumes of a study's runs by their number, and the point against which all are measured.

    ``point`` maps objectives to values in SI and in the metrics' own senses. ``stated`` says whether the
    study file gives it; else it is the worst of the runs' own points in each objective.
    """

    point: Mapping[str, float]
    stated: bool
    by_run: Mapping[int, float]

    def spread(self, runs: Sequence[RunRecord]) -> list[Spread]:
        """One per layout among ``runs`` that has a hypervolume, in their order."""
        found: list[Spread] = []
        for layout in dict.fromkeys(run.layout for run in runs):
            own = [self.by_run[run.id] for run in runs if run.layout == layout and run.id in self.by_run]
            if own:
                found.append(Spread(layout, len(own), min(own), median(np.array(own)), max(own)))
        return found


def run_volumes(store: Store, study: StudyRecord) -> Volumes | None:
    """The hypervolumes of all runs that have logged a generation; None while no run has a feasible design."""
    points = [run.reference_point for run in study.runs if run.reference_point is not None]
    if not points:
        return None
    stated = bool(study.definition.get("indicators", {}).get("reference_point"))
    begun = store.last_generations(study.runs)
    fronts = {run.id: store.front_places(run).objectives for run in study.runs if run.id in begun}
    reference = np.max(points, axis=0)
    if not stated and all(run.state in ENDED for run in study.runs):
        reference = beyond_worst(_joint_fronts(study, fronts))
    volumes = {number: hypervolume(front, reference) for number, front in fronts.items()}
    senses: Mapping[str, str] = study.definition["objectives"]
    signs = np.array([1.0 if sense == "minimize" else -1.0 for sense in senses.values()])
    point = dict(zip(senses, (reference * signs + 0.0).tolist(), strict=True))
    return Volumes(point, stated, volumes)


def _joint_fronts(study: StudyRecord, fronts: Mapping[int, FloatArray]) -> FloatArray:
    """Designs ``(n, m)`` on the joint front of any layout."""
    joint: list[FloatArray] = []
    for layout in dict.fromkeys(run.layout for run in study.runs):
        own = [fronts[run.id] for run in study.runs if run.layout == layout and run.id in fronts]
        found = np.concatenate([front for front in own if len(front)] or [np.empty((0, 0))])
        if len(found):
            joint.append(found[nondominated(found)])
    return np.concatenate(joint)
