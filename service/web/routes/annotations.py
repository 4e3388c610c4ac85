"""Notes, tags and favourites of studies and their designs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from service.resources.annotations import AnnotationEdit, AnnotationRequest, AnnotationResource
from service.resources.models import Page
from service.web.dependencies import Services
from service.web.documents import StrictRoute
from service.web.problems import problems
from service.web.routes.studies import StudyName

router = APIRouter(prefix="/studies/{name}/annotations", tags=["annotations"], route_class=StrictRoute)

AnnotationId = Annotated[int, Path(ge=1, lt=2**63, description="`id` of an annotation")]


@router.get("", responses=problems(404, 422))
def list_annotations(
    services: Services,
    name: StudyName,
    key: Annotated[
        str | None,
        Query(max_length=64, description="key of a design; empty for those of the study itself"),
    ] = None,
) -> Page[AnnotationResource]:
    """Notes and tags of the study and its designs, and your own favourites, oldest first."""
    return services.annotations.list(name, key)


@router.post("", status_code=201, responses=problems(404, 413, 415, 422, 507))
def add_annotation(services: Services, name: StudyName, annotation: AnnotationRequest) -> AnnotationResource:
    """Write a note, set a tag, or mark a favourite; a tag or favourite that is there is answered as it is."""
    return services.annotations.add(name, annotation)


@router.patch("/{annotation_id}", responses=problems(404, 413, 415, 422, 507))
def edit_annotation(
    services: Services, name: StudyName, annotation_id: AnnotationId, edit: AnnotationEdit
) -> AnnotationResource:
    """Give a note of your own another text."""
    return services.annotations.edit(name, annotation_id, edit)


@router.delete("/{annotation_id}", responses=problems(404, 415, 422, 507))
def remove_annotation(services: Services, name: StudyName, annotation_id: AnnotationId) -> AnnotationResource:
    """Delete what you wrote, or anybody's note or tag of a study that you may change."""
    return services.annotations.remove(name, annotation_id)
