"""Studies against each other, as the resources that faces view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from dashboards.content.comparison_data import Contest
from dashboards.content.confounders import unequal_studies
from dashboards.content.criteria import criteria_table, reference_point_text, seeds_table
from dashboards.content.differences import (
    NUMBERS,
    Condition,
    conditions,
    conditions_table,
    differences_told,
)
from dashboards.content.drawing import front_caption
from dashboards.content.not_optimised import not_optimised_note, not_optimised_table
from dashboards.content.tables import Table, listed
from dashboards.content.verdict import ENDED, conditions_told, may_change, outcome
from dashboards.figures import front_figures, history_figure, hypervolume_histories, spread_figure
from errors import AbsentError, UnknownNameError
from service.app.comparisons import comparison_resource
from service.resources.comparison import (
    CellResource,
    ComparedFigure,
    ContenderResource,
    ContestResource,
    DifferenceResource,
    TableResource,
)
from service.resources.studies import FigureResource
from studies.contenders import Contender, goals_of
from studies.model_versions import compared_remarks
from studies.store import Store


class NamedFigure(NamedTuple):
    """A figure that can be made."""

    about: ComparedFigure
    make: Callable[[], dict[str, Any]]


class ComparisonView(NamedTuple):
    """A comparison with its figures by name."""

    contest: Contest
    remarks: tuple[str, ...]
    figures: dict[str, NamedFigure]


def comparison_view(store: Store, contest: Contest) -> ComparisonView:
    """What there is to show; fronts are drawn at once, what takes longer when it is asked for."""
    setups = contest.setups.values()
    remarks = compared_remarks(store, [setup.study for setup in setups])
    refused = [setup.refusal for setup in setups if setup.refusal]
    return ComparisonView(
        contest, (*remarks, *refused), {named.about.figure: named for named in _figures(store, contest)}
    )


def contest_resource(view: ComparisonView) -> ContestResource:
    """The whole comparison but for its figures, which are fetched one by one."""
    contest, comparison = view.contest, view.contest.comparison
    found = conditions(contest)
    caption = "Criteria" if contest.several else "Layouts compared"
    return ContestResource(
        **dict(comparison_resource(comparison, _confounders(view))),
        contenders=[_contender(contest, contender) for contender in contest.contenders],
        others={
            name: [goal.name for goal in goals_of(setup.study) if goal.name not in comparison.objectives]
            for name, setup in contest.setups.items()
        },
        stated=comparison.stated,
        point=reference_point_text(comparison),
        verdict=_verdict(contest),
        conditions=[*view.remarks, *_conditions(contest, found)],
        same_conditions=not any(condition.differs for condition in found),
        differences=[
            DifferenceResource(topic=c.topic, condition=c.name, values=dict(c.texts))
            for c in found
            if c.differs and c.topic != NUMBERS
        ],
        tables={
            "criteria": _table_resource(criteria_table(comparison, caption)),
            "seeds": _table_resource(seeds_table(comparison)),
            **({"not_optimised": _table_resource(rest)} if (rest := not_optimised_table(comparison)) else {}),
            "differing": _table_resource(conditions_table(contest, found, differing=True)),
            "same": _table_resource(conditions_table(contest, found, differing=False)),
        },
        figures=[named.about for named in view.figures.values()],
        not_optimised_note=not_optimised_note(comparison) if comparison.not_optimised else "",
    )


def figure_resource(view: ComparisonView, figure: str) -> FigureResource:
    """One of the comparison's figures; raises ``AbsentError``."""
    if figure not in view.figures:
        raise AbsentError(UnknownNameError("figure", figure, list(view.figures)).message)
    return FigureResource.model_validate(view.figures[figure].make())


def _table_resource(table: Table) -> TableResource:
    """A table of texts."""
    return TableResource(
        caption=table.caption,
        head=list(table.head),
        rows=[[CellResource.model_validate(cell) for cell in row] for row in table.rows],
        numeric=sorted(table.numeric),
    )


def _contender(contest: Contest, contender: Contender) -> ContenderResource:
    states = {run.state for run in contender.runs}
    return ContenderResource(
        label=contender.label,
        study=contender.study.name,
        layout=contender.layout,
        model=contest.setup(contender).model.name,
        state=states.pop() if len(states) == 1 else contender.study.state,
        runs=len(contender.runs),
        done=sum(run.state == "done" for run in contender.runs),
        asked=contest.asked[contender.label],
        front=len(contest.comparison.fronts[contender.label]),
    )


def _verdict(contest: Contest) -> list[str]:
    return [*_unfinished(contest), *outcome(contest.comparison, "" if contest.several else "layout")]


def _unfinished(contest: Contest) -> list[str]:
    """Whose runs are not done; whether that can change depends on why."""
    moving: list[str] = []
    ended: list[str] = []
    for contender in contest.contenders:
        states = [run.state for run in contender.runs]
        done = states.count("done")
        if done < len(states):
            why = "" if may_change(states) else f", {listed(sorted(set(states) & ENDED - {'done'}))}"
            text = f"{contender.label} ({done} of {len(states)} runs done{why})"
            (moving if may_change(states) else ended).append(text)
    return [
        *([f"Not finished: {', '.join(moving)}; the results below may change."] if moving else []),
        *([f"Ended early: {', '.join(ended)}; the results below are all that was found."] if ended else []),
    ]


def _confounders(view: ComparisonView) -> list[str]:
    """In what else than geometry the layouts of each study differ; of one study also its versions."""
    found = unequal_studies(view.contest.setups)
    return found if view.contest.several else [*found, *view.remarks]


def _conditions(contest: Contest, found: list[Condition]) -> list[str]:
    if contest.several:
        return [*differences_told(contest, found), *unequal_studies(contest.setups)]
    (setup,) = contest.setups.values()
    return conditions_told(setup)


# ---------------------------------------------------------------- figures


def _figures(store: Store, contest: Contest) -> Iterator[NamedFigure]:
    comparison = contest.comparison
    if any(comparison.fronts.values()):
        yield from _fronts(contest)
        point = reference_point_text(comparison)
        yield NamedFigure(
            ComparedFigure(
                figure="spread", title="Hypervolume of each seed", kind="full",
                caption="One mark per seed; the bar is their range, the line across it their median. "
                    f"Measured against {point}.",
            ),
            lambda: spread_figure(comparison),
        )  # fmt: skip
        yield NamedFigure(
            ComparedFigure(
                figure="history", title="Hypervolume over evaluations", kind="full",
                caption=f"All feasible designs found so far, one line per seed. Measured against {point}.",
            ),
            lambda: history_figure(hypervolume_histories(store, comparison)),
        )  # fmt: skip


def _fronts(contest: Contest) -> Iterator[NamedFigure]:
    comparison = contest.comparison
    found = front_figures(comparison, contest.models)
    beside: Literal["flat", "full"] = "flat" if len(found) > 1 else "full"
    for number, item in enumerate(found, 1):
        about = ComparedFigure(
            figure=f"front-{number}",
            title=item.title,
            caption=front_caption(comparison, item.columns),
            kind=beside if item.kind == "flat" else item.kind,
        )
        yield NamedFigure(about, lambda item=item: item.figure)
