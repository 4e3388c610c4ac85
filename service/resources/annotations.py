"""Records of notes, tags and favourites."""

from __future__ import annotations

from pydantic import Field

from service.resources.models import Moment, Resource
from studies.records import AnnotationKind
from studies.store.annotations import LONGEST_NOTE


class AnnotationRequest(Resource):
    """A note, a tag or a favourite; without ``key`` of the study itself. A favourite has no text."""

    kind: AnnotationKind
    text: str = Field(default="", max_length=LONGEST_NOTE)
    key: str = Field(
        default="", max_length=64, description="key of a design, or its first characters (6 or more)"
    )


class AnnotationEdit(Resource):
    """Another text of a note."""

    text: str = Field(max_length=LONGEST_NOTE)


class AnnotationResource(Resource):
    """A note, a tag or a favourite of a study, or of one of its designs.

    ``mine`` says that the caller wrote it. ``author`` is their account, or the operating system's user where
    there are no accounts; it is empty for a favourite there, and for what earlier versions kept.
    """

    id: int
    study: str
    key: str
    kind: AnnotationKind
    text: str
    author: str
    mine: bool
    created: Moment
    changed: Moment
