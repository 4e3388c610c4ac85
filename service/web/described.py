"""Problems as OpenAPI describes them."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from pydantic import BaseModel, Field

from service.problem_types import MEDIA_TYPE


class FaultDescription(BaseModel):
    """One fault in a request."""

    detail: str
    pointer: str | None = Field(default=None, description="where it lies in the body (RFC 6901)")
    parameter: str | None = Field(default=None, description="the query parameter or header")
    place: str | None = None


class ProblemDescription(BaseModel):
    """A problem (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str = ""
    place: str = Field(default="", description="place of the fault in the request")
    errors: list[FaultDescription] = Field(default_factory=list[FaultDescription])
    request_id: str = Field(description="the server's log has details under this id")


Responses = dict[int | str, dict[str, Any]]


def problems(*statuses: int) -> Responses:
    """The ``responses`` of a route that can answer with these statuses, besides 401, 403 and 429."""
    schema = {"$ref": "#/components/schemas/ProblemDescription"}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: {"schema": schema}}}
        for status in sorted({400, 401, 403, 429, *statuses})
    }
