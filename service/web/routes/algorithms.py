"""Examples and search algorithms for a new study."""

from __future__ import annotations

from fastapi import APIRouter

from service.examples import examples
from service.resources.drafts import AlgorithmResource, ExampleResource
from service.resources.studies import Page
from service.web.dependencies import Desk
from service.web.documents import StrictRoute
from service.web.problems import problems

router = APIRouter(tags=["studies"], route_class=StrictRoute)


@router.get("/algorithms", responses=problems())
def list_algorithms(desk: Desk) -> Page[AlgorithmResource]:
    """Search algorithms with their settings; the answer has all of them."""
    return Page(items=desk.algorithms())


@router.get("/examples", responses=problems())
def list_examples(desk: Desk) -> Page[ExampleResource]:
    """Study files to begin with, of installed models; the answer has all of them."""
    known = {model.model for model in desk.models() if not model.fault}
    return Page(items=[example for example in examples() if example.model in known])
