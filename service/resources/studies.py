"""Records that the REST interface sends, its client reads and the command line prints.

Every number is finite, every quantity SI with its unit named beside it; what does not exist is null.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from service.resources.models import (
    Edit,
    Moment,
    Resource,
    left_out,
)
from studies.definition.study_definition import Name, Sense
from studies.records import AnnotationKind, RunState
from studies.store.annotations import LONGEST_NOTE

Visibility = Literal["private", "shared"]
Metrics = Mapping[str, float | None]


# ---------------------------------------------------------------- studies


class RunResource(Resource):
    """One search of a study. ``id`` names it in addresses; counts are totals so far.

    ``hypervolume`` is measured against ``reference_point``, which all runs of the study share, so that runs
    can be compared; ``point`` is that point in words. The point changes while a run is active.
    """

    id: int
    layout: str
    seed: int
    state: RunState
    generations: int
    designs: int
    computed: int
    feasible: int
    failed: int
    front: int
    hypervolume: float | None
    reference_point: dict[str, float] | None = None
    point: str = ""
    owner: str
    message: str
    reasons: list[str]
    warnings: list[str]
    notes: list[str] = Field(
        default=[], description="sentences on the ladder and the surrogate of the search"
    )


class StudySummary(Resource):
    """A study in a list. ``owner`` is empty for one that was made without accounts."""

    name: str
    model: str
    model_title: str = Field(description="plain name of the model, such as Cable robot")
    description: str
    state: str
    runs: int
    done: int
    created: Moment
    owner: str
    visibility: Visibility
    archived: bool
    source: str = Field(
        default="", description="who computed or measured imported results; empty for a study evaluated here"
    )


class StudyResource(StudySummary):
    """A study with its definition, the study that it branches from, and its metadata's revision (ETag)."""

    definition: dict[str, Any]
    branch_of: str | None
    revision: int
    remarks: list[str] = Field(
        default_factory=list[str],
        description="sentences on the versions of the back-end that evaluated it, if not the installed one",
    )


class StudyEdit(Edit):
    """Fields of a stored study that may be changed; those that are left out stay."""

    description: str | None = Field(
        default_factory=left_out, max_length=4000, description="null leaves the study without a description"
    )
    visibility: Visibility = Field(default_factory=left_out)
    archived: bool = Field(default_factory=left_out)
    owner: str = Field(
        default_factory=left_out, max_length=64, description="another account's name; admins only"
    )


class BranchRequest(Resource):
    """The name under which a study is stored again, and whether it is queued or left as a draft."""

    name: Name
    launch: bool = True


class ResultsImport(Resource):
    """A CSV table with results from elsewhere, and what to make of it.

    Either ``toml``, a study file with the ranges and goals, or ``model`` and ``objectives`` say what the
    columns mean; without a file, variables span the values that they have.
    """

    table: str = Field(description="the table, with units in its headings as an export has them")
    file: str = Field(default="the table", max_length=200, description="its name, for messages")
    source: str = Field(
        default="", max_length=200, description="who computed or measured the results, if no column says so"
    )
    name: str = Field(default="", max_length=64, description="name of the study, if its file has none")
    toml: str = Field(default="", description="study file")
    model: str = Field(default="", max_length=200)
    preset: str | None = Field(default=None, max_length=200)
    objectives: dict[str, Sense] = Field(
        default_factory=dict[str, Sense], description="further objectives, also columns that no model has"
    )
    columns: dict[str, str] = Field(
        default_factory=dict[str, str], description="other headings for columns; empty for one to leave out"
    )


class ImportedStudy(Resource):
    """A study of imported results, and sentences on rows and columns that were passed over."""

    study: StudyResource
    remarks: list[str]


class ExtensionRequest(Resource):
    """A larger budget per run and more seeds, as totals; what is null does not change."""

    seeds: int | None = Field(default=None, ge=1, le=1000, description="number of seeds of each layout")
    generations: int | None = Field(default=None, ge=1)
    evaluations: int | None = Field(default=None, ge=1)
    wall_time: float | str | None = Field(default=None, description="seconds, or text with a unit")


class ProposalRequest(Resource):
    """A design for a study at work: a value for every variable, by dotted path, as in its file."""

    layout: str = Field(default="", max_length=64, description="may be left out where the study has one")
    design: dict[str, Any] = Field(max_length=1000)


class ProposalResource(Resource):
    """A proposed design; ``evaluated`` lists the seeds whose runs have evaluated it, under ``key``.

    ``taken``: a run has begun to evaluate it, so that it can no longer be withdrawn.

    ``author`` is the account, or the operating system's user where there are no accounts.
    """

    id: int
    study: str
    layout: str
    design: dict[str, Any]
    author: str
    created: Moment
    taken: bool
    evaluated: list[int]
    key: str | None


class Deletion(Resource):
    """Numbers of the things that were deleted with a study."""

    name: str
    evaluations: int


class GenerationResource(Resource):
    """A run's indicators after one generation.

    ``hypervolume`` is measured against the run's own point, which stays once 100 designs are feasible:
    until then earlier generations are measured again when it moves. It says how this run grew. To compare
    runs, take the study's indicators, where one point serves all.
    """

    number: int
    asked: int
    computed: int
    feasible: int
    failed: int
    front_size: int
    hypervolume: float | None
    least_violation: float
    seconds: float
    finished: Moment
    notes: dict[str, float | str] | None = Field(
        default=None, description="what the search says of its ladder of fidelities and of its surrogate"
    )


class EventResource(Resource):
    """Something that happened to a run; ``id`` grows and is never given out twice."""

    id: int
    study: str
    layout: str
    seed: int
    time: Moment
    kind: str
    message: str


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
