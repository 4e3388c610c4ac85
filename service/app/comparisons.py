"""Studies, and layouts of a study, against each other, as the resources that faces view."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar

from dashboards.content.comparison.conditions import confounder_sentences
from dashboards.content.comparison.differences import (
    NUMBERS,
    ComparisonData,
    Condition,
    conditions,
    conditions_table,
    difference_sentences,
)
from dashboards.content.comparison.headline import (
    not_optimised_note,
    not_optimised_sentences,
    not_optimised_table,
    scoreboard_table,
)
from dashboards.content.comparison.margins import criteria_table, reference_point_text, seeds_table, title
from dashboards.content.comparison.seed_tests import seed_tests_note, seed_tests_table
from dashboards.content.comparison.trade_off import attainment_caption, attainment_pairs, front_caption
from dashboards.content.report.verdict import (
    ENDED,
    condition_sentences,
    may_change,
    outcome,
    shared_quantity_sentences,
)
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
from models.scene_view import AS_DESIGNED
from service.app.cache import study_stamp
from service.app.context import Context
from service.app.designs import require_same_model
from service.app.models import title_of_model
from service.app.scenes import kept_scene
from service.resources.comparison import (
    CellResource,
    ComparedFigure,
    ComparisonResource,
    ComparisonTable,
    ContenderResource,
    ContestResource,
    CriterionResource,
    DifferenceResource,
    HeadlineResource,
    KneeResource,
    NotOptimisedResource,
    ObjectiveScoreResource,
    SafetyScoreResource,
    SeedTestResource,
    SharedQuantityResource,
    SpreadResource,
    TableResource,
)
from service.resources.figures import FigureResource
from service.resources.parameters import MOST_COMPARED, AcrossConditions, ComparedNames, ShortName, StudyName
from studies.comparison.comparison import (
    HYPERVOLUME,
    Comparison,
    Criterion,
    NotOptimised,
    compare_layouts,
    compare_studies,
)
from studies.comparison.conditions import check_comparable, compared_remarks, version_remarks
from studies.comparison.entries import ComparisonEntry, goals_of
from studies.comparison.scoreboard import Scoreboard, knee_designs, scoreboard
from studies.comparison.seed_tests import least_seeds
from studies.records import StudyRecord
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
    found, board = conditions(compared), scoreboard(comparison)
    return ContestResource(
        **dict(comparison_resource(comparison, board, _confounders(view))),
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
        tables=_tables(compared, board, found),
        figures=[named.about for named in view.figures.values()],
        seed_tests_note=seed_tests_note(comparison) if comparison.seed_tests else "",
        not_optimised_note=not_optimised_note(comparison) if comparison.not_optimised else "",
    )


def _tables(
    compared: ComparisonData, board: Scoreboard, found: list[Condition]
) -> dict[ComparisonTable, TableResource]:
    """The tables by name; those of which there is nothing to show are left out."""
    comparison = compared.comparison
    caption = "Criteria" if compared.several else "Layouts compared"
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
    model = compared.setup(entry).model
    return ContenderResource(
        label=entry.label,
        study=entry.study.name,
        layout=entry.layout,
        model=model.name,
        model_title=title_of_model(model.name, model.title),
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
    for number, (heading, columns) in enumerate(attainment_pairs(comparison), 1):
        about = ComparedFigure(
            figure=f"attainment-{number}", title=heading, caption=attainment_caption(comparison), kind="flat"
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


T = TypeVar("T")


class ComparisonService:
    """Studies, and layouts of a study, against each other."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store

    def layouts(self, name: StudyName) -> ComparisonResource:
        """The layouts compared: winner and margin for every criterion."""
        study = self._context.authorization.study(name)
        remarks = [*_unequal_layouts(study), *version_remarks(self._store, study)]
        comparison = compared_layouts(self._context, study)
        return comparison_resource(comparison, scoreboard(comparison), remarks)

    def studies(
        self, names: ComparedNames, *, across_conditions: AcrossConditions = False
    ) -> ContestResource:
        """Fronts, criteria and conditions of studies, in the objectives that all of them have."""
        studies = self._read(names)
        comparison = self._comparison(studies, across_conditions)
        return self._cached(
            "comparison resource", studies, lambda: contest_resource(self._view(studies, comparison))
        )

    def figure(
        self, names: ComparedNames, figure: ShortName, *, across_conditions: AcrossConditions = False
    ) -> FigureResource:
        """A figure of the comparison as Plotly draws it."""
        studies = self._read(names)
        comparison = self._comparison(studies, across_conditions)
        return self._cached(
            f"comparison figure {figure}",
            studies,
            lambda: figure_resource(self._view(studies, comparison), figure),
        )

    def _comparison(self, studies: Sequence[StudyRecord], across_conditions: bool) -> Comparison:
        """The comparison; it is refused after it was kept, too, unless it is asked for across conditions."""
        if len(studies) == 1:
            return compared_layouts(self._context, studies[0])
        found = self._cached(
            "comparison", studies, lambda: compare_studies(self._store, studies, across_conditions=True)
        )
        if not across_conditions:
            check_comparable(found.across)
        return found

    def _view(self, studies: Sequence[StudyRecord], comparison: Comparison) -> ComparisonView:
        """The view of a comparison; all figures share one read of setups, conditions and versions."""
        from dashboards.content.comparison.differences import read_comparison_data

        return self._cached(
            "comparison view",
            studies,
            lambda: comparison_view(self._store, read_comparison_data(self._store, comparison), self._scene),
        )

    def _scene(self, study: str, key: str) -> Scene:
        """The scene of a design, kept for the pictures of robots."""
        task = self._context.authorization.design(key, study).task
        return kept_scene(self._context, require_same_model(task, "view"), task, AS_DESIGNED)

    def _read(self, names: Sequence[str]) -> list[StudyRecord]:
        wanted = list(dict.fromkeys(names))
        if not wanted:
            raise InputError("is missing: name one study or more", ("of",))
        if len(wanted) > MOST_COMPARED:
            raise InputError(f"names {len(wanted)} studies; at most {MOST_COMPARED} can be compared", ("of",))
        return [self._context.authorization.study(name) for name in wanted]

    def _cached(self, what: str, studies: Sequence[StudyRecord], compute: Callable[[], T]) -> T:
        """Kept as long as these studies are as they are, and their runs in the states that they are in."""
        stamp = tuple(
            (
                study_stamp(study, self._store.trial_counts(study.runs)),
                tuple(run.state for run in study.runs),
            )
            for study in studies
        )
        return self._context.cache.get((what, *(study.name for study in studies)), stamp, compute)


def compared_layouts(context: Context, study: StudyRecord) -> Comparison:
    """The comparison of the layouts of a study, as it is now; it holds the states of the runs."""
    states = tuple(run.state for run in study.runs)
    stamp = (study_stamp(study, context.store.trial_counts(study.runs)), states)
    return context.cached(
        "comparison", study, study.runs, lambda: compare_layouts(context.store, study), stamp=stamp
    )


def _criterion(criterion: Criterion, labels: Mapping[str, str]) -> CriterionResource:
    found = CriterionResource.model_validate(criterion)
    return found.model_copy(update={"title": title(criterion.name, labels)})


def _unequal_layouts(study: StudyRecord) -> list[str]:
    """Differences between layouts other than geometry, and the refusal of the installed version."""
    from dashboards.content.comparison.conditions import confounder_sentences
    from studies.problem.problem import setup_of

    setup = setup_of(study)
    return [*confounder_sentences({study.name: setup}), *([setup.refusal] if setup.refusal else [])]


def comparison_resource(
    comparison: Comparison, board: Scoreboard, unequal: Sequence[str]
) -> ComparisonResource:
    """Layouts against each other, without the designs of their fronts."""
    from dashboards.content.comparison.headline import headline

    point = dict(zip(comparison.objectives, comparison.reference_point, strict=True))
    return ComparisonResource(
        study=comparison.study,
        objectives=list(comparison.objectives),
        units=list(comparison.units),
        senses=list(comparison.senses),
        reference_point=point,
        seed_hypervolumes={label: dict(by_seed) for label, by_seed in comparison.seed_hypervolumes.items()},
        seed_tests=[SeedTestResource.model_validate(test) for test in comparison.seed_tests],
        criteria=[_criterion(criterion, comparison.labels) for criterion in comparison.criteria],
        headline=HeadlineResource.model_validate(headline(comparison, board)),
        scores=[ObjectiveScoreResource.model_validate(score) for score in board.objectives],
        safety=[SafetyScoreResource.model_validate(score) for score in board.safety],
        unequal=list(unequal),
        shared=[SharedQuantityResource.model_validate(shared) for shared in comparison.shared],
        not_optimised=[_not_optimised(each) for each in comparison.not_optimised],
        remarks=[*shared_quantity_sentences(comparison), *not_optimised_sentences(comparison)],
    )


def _not_optimised(metric: NotOptimised) -> NotOptimisedResource:
    return NotOptimisedResource(
        metric=metric.name,
        unit=metric.unit,
        meaning=metric.meaning,
        better=metric.better,
        safety_limit=metric.safety_limit,
        spreads={
            label: None if spread is None else SpreadResource.model_validate(spread)
            for label, spread in metric.spreads.items()
        },
    )
