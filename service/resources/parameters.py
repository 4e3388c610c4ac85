"""Types of the parameters of verbs: names, numbers and choices, with their limits.

A limit holds where a parameter comes over REST; the interface describes it with the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from studies.exchange.formats import Format

MOST_COMPARED = 6
"""Most studies in one comparison: the fronts of more could not be distinguished."""
MOST_SEARCHED = 200
"""Letters of a search."""

ShortName = Annotated[str, Field(max_length=64)]
LongName = Annotated[str, Field(max_length=200)]

StudyName = Annotated[str, Field(max_length=64, description="a study's name")]
ModelName = Annotated[str, Field(max_length=200, description="a name as `GET /models` lists it")]
AlgorithmName = Annotated[str, Field(max_length=200, description="a name as `GET /algorithms` lists it")]
DesignKey = Annotated[
    str, Field(max_length=64, description="key of a design, or its first characters (6 or more)")
]

ShapeNumber = Annotated[int, Field(ge=0, lt=2**31, description="`shape` of the scene")]
ShapePart = Annotated[
    Literal["points", "triangles", "values", "moments"],
    Field(description="what of a surface, of points, or of a line that moves"),
]
FileKind = Annotated[Format, Field(description="of the file; robot descriptions need rigid links")]

RunId = Annotated[int, Field(ge=0, lt=2**63, description="`id` of a run")]
AskNumber = Annotated[int, Field(ge=0, lt=2**31, description="`ask_no` of a design")]
JobId = Annotated[int, Field(ge=0, lt=2**63, description="`job` of a job")]
SweepId = Annotated[int, Field(ge=0, lt=2**63, description="`sweep` of a sweep")]
ProposalId = Annotated[int, Field(ge=1, lt=2**63, description="`id` of a proposal")]
AnnotationId = Annotated[int, Field(ge=1, lt=2**63, description="`id` of an annotation")]
DecisionNumber = Annotated[
    int, Field(ge=1, lt=2**31, description="number of a decision of the study, from 1")
]

SearchText = Annotated[
    str, Field(max_length=MOST_SEARCHED, description="text in name, description, model or tag")
]
ReplacedName = Annotated[str, Field(max_length=64, description="name of a draft that the study replaces")]
LayoutName = Annotated[str | None, Field(max_length=64, description="only this layout")]
SeedNumber = Annotated[int | None, Field(ge=0, lt=2**32, description="only this seed")]
EndState = Annotated[
    Literal["done", "infeasible", "failed"] | None, Field(description="only designs that ended in this state")
]
Failure = Annotated[
    Literal["model_error", "non_finite", "timeout", "out_of_memory", "worker_lost", "cancelled"] | None,
    Field(description="only designs that failed in this way"),
]
StudyNames = Annotated[
    Sequence[ShortName] | None,
    Field(max_length=100, description="only studies of this name; may be given several times"),
]
ComparedNames = Annotated[
    Sequence[ShortName],
    Field(description="names of the studies, one parameter each", min_length=1, max_length=MOST_COMPARED),
]
AcrossConditions = Annotated[
    bool,
    Field(description="compare studies with other loads, limits, resolutions or versions all the same"),
]
MetricNames = Annotated[
    Sequence[LongName],
    Field(
        description="these metrics, one parameter each, instead of objectives and constraints", max_length=100
    ),
]
OtherVariable = Annotated[str | None, Field(max_length=200, description="a second variable")]
CriterionName = Annotated[
    str, Field(max_length=200, description="name of a criterion; the first one if not given")
]
NotedKey = Annotated[
    str | None, Field(max_length=64, description="key of a design; empty for those of the study itself")
]
Everybody = Annotated[bool, Field(description="for admins: those of all accounts, and of none")]
