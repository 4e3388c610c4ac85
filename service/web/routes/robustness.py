"""Designs under tolerances, and what a study is sensitive to."""

from __future__ import annotations

from fastapi import APIRouter

from service.resources.robustness import (
    RobustRequest,
    RobustResource,
    SensitivityRequest,
    SensitivityResource,
)
from service.web.dependencies import Services
from service.web.documents import StrictRoute
from service.web.problems import problems
from service.web.routes.designs import Key
from service.web.routes.studies import StudyName

router = APIRouter(tags=["robustness"], route_class=StrictRoute)


@router.post("/designs/{key}/robust", responses=problems(404, 413, 415, 422, 503))
def find_robust_design(services: Services, key: Key, wanted: RobustRequest) -> RobustResource:
    """A design under tolerances, of the first study that you may see and that evaluated it."""
    return services.robustness.design(key, None, wanted)


@router.post("/studies/{name}/designs/{key}/robust", responses=problems(404, 413, 415, 422, 503))
def show_robust_design(
    services: Services, name: StudyName, key: Key, wanted: RobustRequest
) -> RobustResource:
    """A design under tolerances: statistics with standard errors, robots, tornado, Sobol indices.

    Evaluates for a few seconds; send the same request until `done`.
    """
    return services.robustness.design(key, name, wanted)


@router.post("/studies/{name}/sensitivity", responses=problems(404, 413, 415, 422, 503))
def show_sensitivity(services: Services, name: StudyName, wanted: SensitivityRequest) -> SensitivityResource:
    """Sobol indices of objectives and constraints to the variables of a layout.

    Evaluates for a few seconds; send the same request until `done`.
    """
    return services.robustness.variables(name, wanted)
