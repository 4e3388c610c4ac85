"""Importance of variables, from the stored evaluations of a study."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from service.resources.importances import ImportancesResource, SliceResource
from service.web.dependencies import Services
from service.web.documents import StrictRoute
from service.web.problems import problems
from service.web.routes.runs import LayoutName
from service.web.routes.studies import StudyName

router = APIRouter(prefix="/studies/{name}", tags=["results"], route_class=StrictRoute)

_LONGEST_NAME = 200
Metrics = Annotated[
    list[Annotated[str, Query(max_length=_LONGEST_NAME)]],
    Query(
        description="these metrics, one parameter each, instead of objectives and constraints",
        max_length=100,
        default_factory=list,
    ),
]
Name = Annotated[str, Query(max_length=_LONGEST_NAME)]


@router.get("/importances", responses=problems(404, 422))
def show_importances(
    services: Services, name: StudyName, metrics: Metrics, layout: LayoutName = None
) -> ImportancesResource:
    """Rank correlation and importance of a layout's variables, from the stored evaluations.

    Nothing is evaluated. `layout` may be left out where there is one only. `POST .../sensitivity` has the
    Sobol indices over the whole design space.
    """
    return services.importances.get(name, layout, metrics)


@router.get("/slice", responses=problems(404, 422))
def show_slice(
    services: Services,
    name: StudyName,
    metric: Name,
    variable: Name,
    other: Annotated[str | None, Query(max_length=_LONGEST_NAME, description="a second variable")] = None,
    layout: LayoutName = None,
) -> SliceResource:
    """A metric over one or two variables: the stored designs as points, with the medians of bins."""
    return services.importances.slice(name, metric, variable, other, layout)
