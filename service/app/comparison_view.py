"""Studies against each other, as the resources that faces view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal, NamedTuple

from dashboards.content.comparison.attainment import attainment_caption, attainment_pairs
from dashboards.content.comparison.confounders import confounder_sentences
from dashboards.content.comparison.criteria import criteria_table, reference_point_text, seeds_table
from dashboards.content.comparison.data import ComparisonData
from dashboards.content.comparison.differences import (
    NUMBERS,
    Condition,
    conditions,
    conditions_table,
    difference_sentences,
)
from dashboards.content.comparison.not_optimised import not_optimised_note, not_optimised_table
from dashboards.content.comparison.scoreboard import scoreboard_table
from dashboards.content.comparison.seed_tests import seed_tests_note, seed_tests_table
from dashboards.content.comparison.trade_off import front_caption
from dashboards.content.report.verdict import ENDED, condition_sentences, may_change, outcome
from dashboards.content.tables import Table, listed
from dashboards.figures import (
    Figure,
    attainment_figure,
    conditions_mark,
    front_figures,
    history_figure,
    hypervolume_histories,
    mark_text,
    packed,
    spread_figure,
    workspace_overlay_figure,
)
from dashboards.figures.axes import empty
from errors import AbsentError, InputError, UnknownNameError
from models.scene import Scene
from service.app.comparisons import comparison_resource
from service.resources.comparison import (
    CellResource,
    ComparedFigure,
    ComparisonTable,
    ContenderResource,
    ContestResource,
    DifferenceResource,
    KneeResource,
    TableResource,
)
from service.resources.figures import FigureResource
from studies.comparison.comparison import HYPERVOLUME, Comparison
from studies.comparison.conditions import compared_remarks
from studies.comparison.entries import ComparisonEntry, goals_of
from studies.comparison.scoreboard import knee_designs, scoreboard
from studies.comparison.seed_tests import least_seeds
from studies.store import Store


class NamedFigure(NamedTuple):
    """A figure that can be made."""

    about: ComparedFigure
    make: Callable[[], dict[str, Any]]


class ComparisonView(NamedTuple):
    """A comparison with its figures by name."""

    compared: ComparisonData
    remarks: tuple[str, ...]
    figures: dict[str, NamedFigure]


SceneOf = Callable[[str, str], Scene]
"""The scene of a design: (study, key)."""


def comparison_view(store: Store, compared: ComparisonData, scene_of: SceneOf) -> ComparisonView:
    """Build the view; each figure is made when it is asked for, and not held here."""
    setups = compared.setups.values()
    remarks = compared_remarks(store, [setup.study for setup in setups])
    refused = [setup.refusal for setup in setups if setup.refusal]
    figures = [_marked(named, compared.comparison) for named in _figures(store, compared)]
    figures += _workspaces(compared, scene_of)
    return ComparisonView(compared, (*remarks, *refused), {named.about.figure: named for named in figures})


def contest_resource(view: ComparisonView) -> ContestResource:
    """The whole comparison but for its figures, which are fetched one by one."""
    compared, comparison = view.compared, view.compared.comparison
    found = conditions(compared)
    return ContestResource(
        **dict(comparison_resource(comparison, _confounders(view))),
        contenders=[_contender(compared, entry) for entry in compared.entries],
        others={
            name: [goal.name for goal in goals_of(setup.study) if goal.name not in comparison.objectives]
            for name, setup in compared.setups.items()
        },
        stated=comparison.stated,
        point=reference_point_text(comparison),
        least_seeds=least_seeds(max(2, len(comparison.fronts)), len(comparison.objectives)),
        verdict=_verdict(compared),
        conditions=[*view.remarks, *_conditions(compared, found)],
        across=mark_text(comparison),
        knees=_knees(comparison),
        same_conditions=not any(condition.differs for condition in found),
        differences=[
            DifferenceResource(topic=c.topic, condition=c.name, values=dict(c.texts))
            for c in found
            if c.differs and c.topic != NUMBERS
        ],
        tables=_tables(compared, found),
        figures=[named.about for named in view.figures.values()],
        seed_tests_note=seed_tests_note(comparison) if comparison.seed_tests else "",
        not_optimised_note=not_optimised_note(comparison) if comparison.not_optimised else "",
    )


def _tables(compared: ComparisonData, found: list[Condition]) -> dict[ComparisonTable, TableResource]:
    """The tables by name; those of which there is nothing to show are left out."""
    comparison = compared.comparison
    caption = "Criteria" if compared.several else "Layouts compared"
    board = scoreboard(comparison)
    meanings = {score.objective: score.meaning for score in board.objectives}
    tables: dict[ComparisonTable, Table | None] = {
        "scoreboard": scoreboard_table(comparison, board),
        "criteria": criteria_table(comparison, caption, meanings),
        "seeds": seeds_table(comparison),
        "seed_tests": seed_tests_table(comparison, meanings),
        "not_optimised": not_optimised_table(comparison),
        "differing": conditions_table(compared, found, differing=True),
        "same": conditions_table(compared, found, differing=False),
    }
    return {name: table_resource(table) for name, table in tables.items() if table is not None}


def figure_resource(view: ComparisonView, figure: str) -> FigureResource:
    """One of the comparison's figures; raises ``AbsentError``."""
    if figure not in view.figures:
        raise AbsentError(UnknownNameError("figure", figure, list(view.figures)).message)
    return FigureResource.model_validate(view.figures[figure].make())


def table_resource(table: Table) -> TableResource:
    """A table of texts."""
    return TableResource(
        caption=table.caption,
        head=list(table.head),
        rows=[[CellResource.model_validate(cell) for cell in row] for row in table.rows],
        numeric=sorted(table.numeric),
        tooltips=dict(table.tooltips),
    )


def _contender(compared: ComparisonData, entry: ComparisonEntry) -> ContenderResource:
    states = {run.state for run in entry.runs}
    return ContenderResource(
        label=entry.label,
        study=entry.study.name,
        layout=entry.layout,
        model=compared.setup(entry).model.name,
        state=states.pop() if len(states) == 1 else entry.study.state,
        runs=len(entry.runs),
        done=sum(run.state == "done" for run in entry.runs),
        asked=compared.asked[entry.label],
        front=len(compared.comparison.fronts[entry.label]),
        seed_fronts=sum(len(found) for found in compared.comparison.seed_fronts[entry.label].values()),
    )


def _verdict(compared: ComparisonData) -> list[str]:
    return [
        *_unfinished(compared),
        *_fruitless(compared.comparison),
        *outcome(compared.comparison, "" if compared.several else "layout"),
    ]


def _unfinished(compared: ComparisonData) -> list[str]:
    """Name the entries whose runs are not done, apart by whether that may still change."""
    moving: list[str] = []
    ended: list[str] = []
    for entry in compared.entries:
        states = [run.state for run in entry.runs]
        done = states.count("done")
        if done < len(states):
            why = "" if may_change(states) else f", {listed(sorted(set(states) & ENDED - {'done'}))}"
            text = f"{entry.label} ({done} of {len(states)} runs done{why})"
            (moving if may_change(states) else ended).append(text)
    return [
        *([f"Not finished: {', '.join(moving)}; the results below may change."] if moving else []),
        *([f"Ended early: {', '.join(ended)}; the results below are all that was found."] if ended else []),
    ]


def _fruitless(comparison: Comparison) -> list[str]:
    """The seeds whose runs have no feasible design, beside others that have some."""
    found: list[str] = []
    for label, fronts in comparison.seed_fronts.items():
        empty = [str(seed) for seed, front in fronts.items() if not len(front)]
        if not empty or len(empty) == len(fronts):
            continue
        seeds, count = ("Seed", "counts") if len(empty) == 1 else ("Seeds", "count")
        found.append(
            f"{seeds} {listed(empty)} of {label} found no feasible design and {count} as hypervolume 0."
        )
    return found


def _confounders(view: ComparisonView) -> list[str]:
    """Differences between a study's layouts other than geometry; of one study also its versions."""
    found = confounder_sentences(view.compared.setups)
    return found if view.compared.several else [*found, *view.remarks]


def _conditions(compared: ComparisonData, found: list[Condition]) -> list[str]:
    if compared.several:
        return [*difference_sentences(compared, found), *confounder_sentences(compared.setups)]
    (setup,) = compared.setups.values()
    return condition_sentences(setup)


def _knees(comparison: Comparison) -> list[KneeResource]:
    """The knee of each front, that of the greatest hypervolume first."""
    entries = {entry.label: entry for entry in comparison.entries}
    volumes = next(each.values for each in comparison.criteria if each.name == HYPERVOLUME)
    order = sorted(knee_designs(comparison).items(), key=lambda item: -(volumes[item[0]] or 0.0))
    return [
        KneeResource(
            label=label, study=entries[label].study.name, layout=entries[label].layout, key=design.key
        )
        for label, design in order
    ]


# ---------------------------------------------------------------- figures


def _marked(named: NamedFigure, comparison: Comparison) -> NamedFigure:
    """The figure with the mark of a comparison across conditions in its caption too."""
    mark = mark_text(comparison)
    if not mark:
        return named
    caption = f"{named.about.caption} {mark[:1].upper()}{mark[1:]}."
    return named._replace(about=named.about.model_copy(update={"caption": caption}))


def _figures(store: Store, compared: ComparisonData) -> Iterator[NamedFigure]:
    comparison = compared.comparison
    if any(comparison.fronts.values()):
        yield from _fronts(compared)
        point = reference_point_text(comparison)
        yield NamedFigure(
            ComparedFigure(
                figure="spread", title="Hypervolume of each seed", kind="full",
                caption="One mark per seed; the bar is their range, the line across it their median. "
                    f"Measured against {point}.",
            ),
            lambda: spread_figure(comparison),
        )  # fmt: skip
        yield from _attainments(comparison)
        yield NamedFigure(
            ComparedFigure(
                figure="history", title="Hypervolume over evaluations", kind="full",
                caption="All feasible designs found so far: median and middle half of the seeds. "
                f"Measured against {point}.",
            ),
            lambda: history_figure(hypervolume_histories(store, comparison), conditions_mark(comparison)),
        )  # fmt: skip


def _workspaces(compared: ComparisonData, scene_of: SceneOf) -> list[NamedFigure]:
    """The workspaces of the two knees that the page draws, where their back-ends have cells."""
    knees = _knees(compared.comparison)[:2]
    if len(knees) < 2 or any(compared.models[knee.label].grid is None for knee in knees):
        return []
    labels = [entry.label for entry in compared.entries]
    knees.sort(key=lambda knee: labels.index(knee.label))
    names = [knee.label for knee in knees]
    about = ComparedFigure(
        figure="workspaces", title="Workspaces of the knees", kind="space",
        caption="The workspaces of both knees over each other, at one scale.",
    )  # fmt: skip

    def draw() -> Figure:
        try:
            scenes = [scene_of(knee.study, knee.key) for knee in knees]
        except InputError as error:  # another version evaluated them, or their code is not here
            return empty(error.message)
        return packed(workspace_overlay_figure(names, scenes, [labels.index(name) for name in names]))

    return [NamedFigure(about, draw)]


def _attainments(comparison: Comparison) -> Iterator[NamedFigure]:
    for number, (title, columns) in enumerate(attainment_pairs(comparison), 1):
        about = ComparedFigure(
            figure=f"attainment-{number}", title=title, caption=attainment_caption(comparison), kind="flat"
        )
        yield NamedFigure(about, partial(attainment_figure, comparison, *columns))


def _fronts(compared: ComparisonData) -> Iterator[NamedFigure]:
    comparison = compared.comparison
    found = front_figures(comparison, compared.models)
    beside: Literal["flat", "full"] = "flat" if len(found) > 1 else "full"
    for number, item in enumerate(found, 1):
        about = ComparedFigure(
            figure=f"front-{number}",
            title=item.title,
            caption=front_caption(comparison, item.columns),
            kind=beside if item.kind == "flat" else item.kind,
        )
        yield NamedFigure(about, item.make)
