"""A job as it is shown."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from service.resources.models import Resource
from studies.records import RunKind, RunState


class JobResource(Resource):
    """A question about a study that a runner answers by evaluations; its states are those of runs."""

    job: int
    study: str
    kind: RunKind
    request: dict[str, Any] = Field(description="the question, as it is stored")
    account: str = Field(description="the account that asked")
    state: RunState
    wanted: int = Field(description="evaluations that answer it; 0 before they are counted")
    evaluated: int = Field(description="those of them that are there, as far as the job has looked")
    message: str
