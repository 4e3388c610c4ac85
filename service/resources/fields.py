"""Types of fields that many records of answers have: each says its meaning once.

Units stand in brackets, and are SI.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

# ---------------------------------------------------------------- names and words

Study = Annotated[str, Field(description="name of the study")]
Layout = Annotated[str, Field(description="name of the layout")]
Model = Annotated[str, Field(description="name of the back-end")]
Metric = Annotated[str, Field(description="name of the metric")]
CriterionName = Annotated[str, Field(description="name of the criterion")]
Key = Annotated[str, Field(description="key of the design")]
Seed = Annotated[int, Field(description="seed of the run")]
RunNumber = Annotated[int, Field(description="number of the run in addresses")]
Version = Annotated[int, Field(description="version of the back-end; 0 where it cannot be loaded")]
ModelVersion = Annotated[int, Field(description="version of the back-end that evaluated it")]
Unit = Annotated[str, Field(description="SI unit; `1` for a number without unit")]
Better = Annotated[Literal["minimize", "maximize"], Field(description="sense in which it gets better")]
Meaning = Annotated[str, Field(description="what the metric measures, in a sentence")]
Title = Annotated[str, Field(description="heading of the figure")]
Caption = Annotated[str, Field(description="what the figure shows, in sentences")]
PathLabel = Annotated[str, Field(description="the same in words; items of lists count from 1")]
Author = Annotated[
    str,
    Field(description="account that wrote it; without accounts, the user of the operating system, or empty"),
]

# ---------------------------------------------------------------- evaluations

EndState = Annotated[
    Literal["done", "infeasible", "failed"],
    Field(description="`infeasible`: a check of the model ruled it out; `failed`: there is no result"),
]
KindOfFailure = Annotated[
    str, Field(description="`timeout`, `out_of_memory` or another kind of failure; empty for none")
]
Reason = Annotated[
    str, Field(description="why it is infeasible or failed, in a sentence; empty for a design that is done")
]
Parameters = Annotated[dict[str, Any], Field(description="all parameters of the design [SI]")]
Variables = Annotated[dict[str, Any], Field(description="values of the variables by dotted path [SI]")]
Linked = Annotated[dict[str, Any], Field(description="parameters that follow from variables [SI]")]
Metrics = Annotated[
    dict[str, float | None],
    Field(description="metrics by name [SI]; null: the design has none; empty unless the state is `done`"),
]
ModelViolation = Annotated[
    float,
    Field(description="distance of an infeasible design from feasible, as the model measures it; else 0"),
]
Violation = Annotated[
    float,
    Field(
        description="sum of the relative violations of all constraints; 0: feasible; 1e6 and more: "
        "infeasible; 1e9: failed"
    ),
]
Unsafe = Annotated[
    list[str], Field(description="sentences on the margins that are past their limit of safety")
]
Warnings = Annotated[list[str], Field(description="warnings of the model about the result")]
Counters = Annotated[
    dict[str, int], Field(description="work that it took by name, such as cells and iterations")
]
EvaluationTime = Annotated[float, Field(description="time that the evaluation took [s]")]

# ---------------------------------------------------------------- runs

StudyState = Annotated[
    str, Field(description="state that all runs share, else the one that most needs attention")
]
Runs = Annotated[int, Field(description="number of runs")]
RunsDone = Annotated[int, Field(description="runs that are done")]
RunOwner = Annotated[str, Field(description="process that works on the run; empty: none")]
Planned = Annotated[
    int | None, Field(description="designs until the end; null: time or missing progress ends it")
]
Generations = Annotated[int, Field(description="generations so far")]
Designs = Annotated[int, Field(description="designs asked for so far")]
Computed = Annotated[
    int, Field(description="designs among them that were evaluated, and not found in the store")
]
Feasible = Annotated[int, Field(description="feasible designs so far")]
Failed = Annotated[int, Field(description="failed designs so far")]
OnFront = Annotated[int, Field(description="designs on the front")]
Share = Annotated[float, Field(description="share of the budget that is spent, 0 to 1")]
SearchTime = Annotated[float, Field(description="time searched so far [s]; of several runs the sum")]
Rate = Annotated[
    float | None, Field(description="designs per second, of late [1/s]; null while nothing runs")
]
Hypervolume = Annotated[
    float | None,
    Field(
        description="hypervolume against `reference_point` of the study [product of the objectives' units]; "
        "null: no design is feasible"
    ),
]
ReferencePoint = Annotated[
    dict[str, float] | None,
    Field(
        description="point against which the hypervolumes of all runs are measured, by objective [SI]; it "
        "may move while a run is active; null: no design is feasible"
    ),
]
PointText = Annotated[str, Field(description="`reference_point` in words")]

# ---------------------------------------------------------------- answers of jobs

Wanted = Annotated[int, Field(description="evaluations that the answer needs")]
Evaluated = Annotated[int, Field(description="evaluations among them that are there")]
Done = Annotated[bool, Field(description="true once the results are here; until then, ask again")]
Job = Annotated[int, Field(description="number of the job that evaluates it; 0 once it is done")]
JobMessage = Annotated[str, Field(description="remark that no runner takes the job; empty while one does")]
