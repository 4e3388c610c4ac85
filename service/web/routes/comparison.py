"""Comparison of studies."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from service.app.comparisons import MOST_COMPARED
from service.resources.comparison import ContestResource
from service.resources.figures import FigureResource
from service.web.dependencies import Services
from service.web.documents import StrictRoute
from service.web.problems import problems

router = APIRouter(prefix="/comparison", tags=["results"], route_class=StrictRoute)

Compared = Annotated[
    list[Annotated[str, Query(max_length=64)]],
    Query(description="names of the studies, one parameter each", min_length=1, max_length=MOST_COMPARED),
]


Across = Annotated[
    bool,
    Query(description="compare studies with other loads, limits, resolutions or versions all the same"),
]


@router.get("", responses=problems(404, 422))
def compare_studies(services: Services, of: Compared, across_conditions: Across = False) -> ContestResource:
    """Fronts, criteria and conditions of studies, in the objectives that all of them have."""
    return services.comparisons.studies(of, across_conditions=across_conditions)


@router.get("/figures/{figure}", responses=problems(404, 422))
def show_comparison_figure(
    services: Services,
    of: Compared,
    figure: Annotated[str, Path(max_length=64)],
    across_conditions: Across = False,
) -> FigureResource:
    """A figure of the comparison as Plotly draws it."""
    return services.comparisons.figure(of, figure, across_conditions=across_conditions)
