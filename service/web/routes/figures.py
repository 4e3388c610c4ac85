"""Results of a study: fronts, indicators, comparison, figures."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from service.resources.comparison import ComparisonResource
from service.resources.figures import FigureResource, FigureSummary
from service.resources.models import Page
from service.resources.results import FrontDesignResource, IndicatorsResource
from service.resources.review import PickResource, QuantitiesResource
from service.web.dependencies import DEFAULT_LIMIT, Cursor, Limit, Services, capped
from service.web.documents import StrictRoute
from service.web.problems import problems
from service.web.routes.runs import LayoutName, SeedNumber
from service.web.routes.studies import StudyName

router = APIRouter(prefix="/studies/{name}", tags=["results"], route_class=StrictRoute)


@router.get("/front", responses=problems(404, 422))
def list_front(
    services: Services,
    name: StudyName,
    layout: LayoutName = None,
    seed: SeedNumber = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = "",
) -> Page[FrontDesignResource]:
    """The front of each layout, joint over its seeds, sorted by key."""
    return services.fronts.list(name, layout, seed, cursor=cursor, limit=capped(limit))


@router.get("/picks", responses=problems(404, 422))
def list_picks(services: Services, name: StudyName) -> Page[PickResource]:
    """Designs to begin with: the best of each objective, the knee, the nearest to the ideal point."""
    return services.fronts.picks(name)


@router.get("/quantities", responses=problems(404, 422))
def show_quantities(services: Services, name: StudyName) -> QuantitiesResource:
    """Variables and objectives of the study in SI, and all metrics of its back-end."""
    return services.studies.quantities(name)


@router.get("/indicators", responses=problems(404, 422))
def show_indicators(services: Services, name: StudyName) -> IndicatorsResource:
    """Every run's hypervolume after each generation, against one point."""
    return services.runs.indicators(name)


@router.get("/comparison", responses=problems(404, 422))
def show_comparison(services: Services, name: StudyName) -> ComparisonResource:
    """The layouts compared: winner and margin for every criterion."""
    return services.comparisons.layouts(name)


@router.get("/figures", responses=problems(404, 422))
def list_figures(services: Services, name: StudyName) -> Page[FigureSummary]:
    """The figures that are available now."""
    return services.figures.list(name)


@router.get("/figures/{figure}", responses=problems(404, 422))
def show_figure(
    services: Services, name: StudyName, figure: Annotated[str, Path(max_length=64)]
) -> FigureResource:
    """A figure as Plotly draws it: `Plotly.newPlot(element, figure)`."""
    return services.figures.get(name, figure)
