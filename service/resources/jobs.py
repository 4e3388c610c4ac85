"""Records of a job, and of a front that is evaluated again under the installed version of its model."""

from typing import Any, Literal

from pydantic import Field

from service.resources.fields import EndState, Key, Layout, Metrics, Model, ModelVersion, Reason, Study
from service.resources.models import Resource
from studies.records import RunKind, RunState
from studies.results.reevaluation import Outcome


class JobResource(Resource):
    """A question about a study that a runner answers by evaluations; its states are those of runs."""

    job: int = Field(description="number of the job in addresses")
    study: Study
    kind: RunKind = Field(description="question: a re-evaluation, a sweep, tolerances or a sensitivity")
    request: dict[str, Any] = Field(description="the question, as it is stored")
    account: str = Field(description="account that asked")
    state: RunState = Field(description="state of the job, as of a run")
    wanted: int = Field(description="evaluations that answer it; 0 before they are counted")
    evaluated: int = Field(description="evaluations among them that are there, as far as the job has looked")
    message: str = Field(description="how the job ended; while it runs, what it waits for")


class ReevaluationResource(Resource):
    """Progress of a front that is evaluated again under the installed version of its back-end."""

    study: Study
    model: Model
    version: int = Field(description="installed version of the back-end")
    state: Literal["none", "queued", "running", "failed", "done"] = Field(
        description="`none`: not asked for yet; `done`: all designs of the front are evaluated"
    )
    designs: int = Field(description="designs of the fronts")
    evaluated: int = Field(description="designs evaluated so far")
    message: str = Field(description="reason of a failure, or what it waits for; else empty")
    outcomes: dict[Outcome, int] = Field(description="designs by what became of them, once it is done")


class EvaluatedResource(Resource):
    """An evaluation of a design by one version of its model."""

    key: Key
    model_version: ModelVersion
    state: EndState
    reason: Reason
    metrics: Metrics


class ReevaluatedResource(Resource):
    """A design of a layout's front as stored and as evaluated now."""

    layout: Layout
    outcome: Outcome = Field(
        description="`stays`: no design of the front as it is now is better; `dominated`: one is"
    )
    stored: EvaluatedResource = Field(description="the evaluation of the study")
    now: EvaluatedResource = Field(description="the evaluation under the installed version")
