"""Examples and search algorithms for a new study."""

from __future__ import annotations

from fastapi import APIRouter

from service.resources.drafts import AlgorithmResource, ExampleResource
from service.resources.studies import Page
from service.web.dependencies import Services
from service.web.documents import StrictRoute
from service.web.problems import problems

router = APIRouter(tags=["studies"], route_class=StrictRoute)


@router.get("/algorithms", responses=problems())
def list_algorithms(services: Services) -> Page[AlgorithmResource]:
    """Search algorithms with their settings; the answer has all of them."""
    return services.drafts.algorithms()


@router.get("/examples", responses=problems())
def list_examples(services: Services) -> Page[ExampleResource]:
    """Study files to begin with, of installed models; the answer has all of them."""
    return services.drafts.examples()
