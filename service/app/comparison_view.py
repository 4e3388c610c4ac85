"""Studies against each other, as the resources that faces show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from dashboards.content.comparison_data import ComparisonData
from dashboards.content.confounders import confounder_sentences
from dashboards.content.criteria import criteria_table, reference_point_text, seeds_table
from dashboards.content.differences import (
    NUMBERS,
    Condition,
    conditions,
    conditions_table,
    difference_sentences,
)
from dashboards.content.drawing import front_caption
from dashboards.content.not_optimised import not_optimised_note, not_optimised_table
from dashboards.content.tables import Table, listed
from dashboards.content.verdict import ENDED, condition_sentences, may_change, outcome
from dashboards.figures import front_figures, history_figure, hypervolume_histories, spread_figure
from errors import AbsentError, UnknownNameError
from service.app.serializers import comparison_resource
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


class Drawn(NamedTuple):
    """A figure that can be made."""

    about: ComparedFigure
    make: Callable[[], dict[str, Any]]


class Show(NamedTuple):
    """A comparison with its figures by name."""

    contest: ComparisonData
    remarks: tuple[str, ...]
    figures: dict[str, Drawn]


def show_of(store: Store, contest: ComparisonData) -> Show:
    """What there is to show; fronts are drawn at once, what takes longer when it is asked for."""
    setups = contest.setups.values()
    remarks = compared_remarks(store, [setup.study for setup in setups])
    refused = [setup.refusal for setup in setups if setup.refusal]
    return Show(
        contest, (*remarks, *refused), {drawn.about.figure: drawn for drawn in _figures(store, contest)}
    )


def contest_resource(show: Show) -> ContestResource:
    """The whole comparison but for its figures, which are fetched one by one."""
    contest, comparison = show.contest, show.contest.comparison
    found = conditions(contest)
    caption = "Criteria" if contest.several else "Layouts compared"
    return ContestResource(
        **dict(comparison_resource(comparison, _confounders(show))),
        contenders=[_contender(contest, contender) for contender in contest.contenders],
        others={
            name: [goal.name for goal in goals_of(setup.study) if goal.name not in comparison.objectives]
            for name, setup in contest.setups.items()
        },
        stated=comparison.stated,
        point=reference_point_text(comparison),
        verdict=_verdict(contest),
        conditions=[*show.remarks, *_conditions(contest, found)],
        same_conditions=not any(condition.differs for condition in found),
        differences=[
            DifferenceResource(topic=c.topic, condition=c.name, values=dict(c.texts))
            for c in found
            if c.differs and c.topic != NUMBERS
        ],
        tables={
            "criteria": table_resource(criteria_table(comparison, caption)),
            "seeds": table_resource(seeds_table(comparison)),
            **({"not_optimised": table_resource(rest)} if (rest := not_optimised_table(comparison)) else {}),
            "differing": table_resource(conditions_table(contest, found, differing=True)),
            "same": table_resource(conditions_table(contest, found, differing=False)),
        },
        figures=[drawn.about for drawn in show.figures.values()],
        not_optimised_note=not_optimised_note(comparison) if comparison.not_optimised else "",
    )


def drawn_figure(show: Show, figure: str) -> FigureResource:
    """One of the comparison's figures; raises ``AbsentError``."""
    if figure not in show.figures:
        raise AbsentError(UnknownNameError("figure", figure, list(show.figures)).message)
    made = show.figures[figure].make()
    return FigureResource(data=made["data"], layout=made["layout"])


def table_resource(shown: Table) -> TableResource:
    """A table of texts."""
    return TableResource(
        caption=shown.caption,
        head=list(shown.head),
        rows=[[CellResource(text=c.text, note=c.note, mark=c.mark) for c in row] for row in shown.rows],
        numeric=sorted(shown.numeric),
    )


def _contender(contest: ComparisonData, contender: Contender) -> ContenderResource:
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


def _verdict(contest: ComparisonData) -> list[str]:
    return [*_unfinished(contest), *outcome(contest.comparison, "" if contest.several else "layout")]


def _unfinished(contest: ComparisonData) -> list[str]:
    """Whose runs are not done; whether that can change depends on why."""
    moving: list[str] = []
    ended: list[str] = []
    for contender in contest.contenders:
        states = [run.state for run in contender.runs]
        done = states.count("done")
        if done < len(states):
            why = "" if may_change(states) else f", {listed(sorted(set(states) & ENDED - {'done'}))}"
            told = f"{contender.label} ({done} of {len(states)} runs done{why})"
            (moving if may_change(states) else ended).append(told)
    return [
        *([f"Not finished: {', '.join(moving)}; the results below may change."] if moving else []),
        *([f"Ended early: {', '.join(ended)}; the results below are all that was found."] if ended else []),
    ]


def _confounders(show: Show) -> list[str]:
    """In what else than geometry the layouts of each study differ; of one study also its versions."""
    found = confounder_sentences(show.contest.setups)
    return found if show.contest.several else [*found, *show.remarks]


def _conditions(contest: ComparisonData, found: list[Condition]) -> list[str]:
    if contest.several:
        return [*difference_sentences(contest, found), *confounder_sentences(contest.setups)]
    (setup,) = contest.setups.values()
    return condition_sentences(setup)


# ---------------------------------------------------------------- figures


def _figures(store: Store, contest: ComparisonData) -> Iterator[Drawn]:
    comparison = contest.comparison
    if any(comparison.fronts.values()):
        yield from _fronts(contest)
        point = reference_point_text(comparison)
        yield Drawn(
            ComparedFigure(
                figure="spread", title="Hypervolume of each seed", kind="full",
                caption="One mark per seed; the bar is their range, the line across it their median. "
                    f"Measured against {point}.",
            ),
            lambda: spread_figure(comparison),
        )  # fmt: skip
        yield Drawn(
            ComparedFigure(
                figure="history", title="Hypervolume over evaluations", kind="full",
                caption=f"All feasible designs found so far, one line per seed. Measured against {point}.",
            ),
            lambda: history_figure(hypervolume_histories(store, comparison)),
        )  # fmt: skip


def _fronts(contest: ComparisonData) -> Iterator[Drawn]:
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
        yield Drawn(about, lambda item=item: item.figure)
