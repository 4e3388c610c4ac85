"""Results of a study: fronts, indicators, comparison, figures."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from service.resources.review import PickResource, QuantitiesResource
from service.resources.studies import (
    ComparisonResource,
    FigureResource,
    FigureSummary,
    FrontDesignResource,
    IndicatorsResource,
    Page,
)
from service.web.dependencies import Desk
from service.web.documents import StrictRoute
from service.web.paging import DEFAULT_LIMIT, Cursor, Limit, capped, decoded, encoded
from service.web.problems import problems
from service.web.routes.runs import LayoutName, SeedNumber
from service.web.routes.studies import StudyName

router = APIRouter(prefix="/studies/{name}", tags=["results"], route_class=StrictRoute)


@router.get("/front", responses=problems(404, 422))
def list_front(
    desk: Desk,
    name: StudyName,
    layout: LayoutName = None,
    seed: SeedNumber = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = "",
) -> Page[FrontDesignResource]:
    """The front of each layout, joint over its seeds, sorted by key."""
    after = decoded(cursor, str, str)
    place = None if after is None else (after[0], after[1])
    items, last = desk.page_of_front(name, layout, seed, place, capped(limit))
    return Page(items=items, next=encoded(last))


@router.get("/picks", responses=problems(404, 422))
def list_picks(desk: Desk, name: StudyName) -> Page[PickResource]:
    """Designs to begin with: the best of each objective, the knee, the nearest to the ideal point."""
    return Page(items=desk.picks(name))


@router.get("/quantities", responses=problems(404, 422))
def show_quantities(desk: Desk, name: StudyName) -> QuantitiesResource:
    """Variables and objectives of the study in SI, and all metrics of its back-end."""
    return desk.quantities(name)


@router.get("/indicators", responses=problems(404, 422))
def show_indicators(desk: Desk, name: StudyName) -> IndicatorsResource:
    """Every run's hypervolume after each generation, against one point."""
    return desk.indicators(name)


@router.get("/comparison", responses=problems(404, 422))
def show_comparison(desk: Desk, name: StudyName) -> ComparisonResource:
    """The layouts compared: winner and margin for every criterion."""
    return desk.compare(name)


@router.get("/figures", responses=problems(404, 422))
def list_figures(desk: Desk, name: StudyName) -> Page[FigureSummary]:
    """The figures that are available now."""
    return Page(items=desk.figures(name))


@router.get("/figures/{figure}", responses=problems(404, 422))
def show_figure(desk: Desk, name: StudyName, figure: Annotated[str, Path(max_length=64)]) -> FigureResource:
    """A figure as Plotly draws it: `Plotly.newPlot(element, figure)`."""
    return desk.figure(name, figure)
