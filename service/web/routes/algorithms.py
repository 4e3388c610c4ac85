"""Search algorithms, and examples of studies."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from service.resources.algorithms import AlgorithmResource
from service.resources.drafts import ExampleResource
from service.resources.models import Page
from service.web.dependencies import Services
from service.web.documents import StrictRoute
from service.web.problems import problems

router = APIRouter(tags=["studies"], route_class=StrictRoute)
AlgorithmName = Annotated[str, Path(max_length=200, description="a name as `GET /algorithms` lists it")]


@router.get("/algorithms", responses=problems())
def list_algorithms(services: Services) -> Page[AlgorithmResource]:
    """Search algorithms with their settings, Tautline's own first; the answer has all of them."""
    return services.algorithms.list()


@router.get("/algorithms/{algorithm}", responses=problems(404, 422))
def show_algorithm(services: Services, algorithm: AlgorithmName) -> AlgorithmResource:
    """A search algorithm with its limits and settings."""
    return services.algorithms.get(algorithm)


@router.get("/examples", responses=problems())
def list_examples(services: Services) -> Page[ExampleResource]:
    """Study files to begin with, of installed models; the answer has all of them."""
    return services.drafts.examples()
