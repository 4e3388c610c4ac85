"""Records that the REST interface sends, its client reads and the command line prints.

Every number is finite, every quantity SI with its unit named beside it; what does not exist is null.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from service.resources.fields import (
    Author,
    Computed,
    Designs,
    Failed,
    Feasible,
    Generations,
    Hypervolume,
    Layout,
    Model,
    OnFront,
    PointText,
    ReferencePoint,
    RunNumber,
    RunOwner,
    Runs,
    RunsDone,
    Seed,
    Study,
    StudyState,
    Variables,
)
from service.resources.models import (
    Created,
    Edit,
    Moment,
    Resource,
    left_out,
)
from studies.definition.study_definition import Name, Sense
from studies.records import AnnotationKind, RunState
from studies.store.annotations import LONGEST_NOTE

Visibility = Literal["private", "shared"]
StateOfRun = Annotated[
    RunState,
    Field(description="state of the run; `diverged`: the search asked for other designs than its log has"),
]


# ---------------------------------------------------------------- studies


class RunResource(Resource):
    """One search of a study."""

    id: RunNumber
    layout: Layout
    seed: Seed
    state: StateOfRun
    generations: Generations
    designs: Designs
    computed: Computed
    feasible: Feasible
    failed: Failed
    front: OnFront
    hypervolume: Hypervolume
    reference_point: ReferencePoint = None
    point: PointText = ""
    owner: RunOwner
    message: str = Field(description="how it ended; while it runs, what it waits for")
    reasons: list[str] = Field(
        description="the most frequent reasons why designs are infeasible, while none is feasible"
    )
    warnings: list[str] = Field(
        description="the most frequent warnings of the model about designs of the front"
    )
    notes: list[str] = Field(
        default=[], description="sentences on the ladder and the surrogate of the search"
    )


class StudySummary(Resource):
    """A study in a list."""

    name: Study
    model: Model
    model_title: str = Field(description="plain name of the model, such as Cable robot")
    description: str = Field(description="description; empty: none")
    state: StudyState
    runs: Runs
    done: RunsDone
    created: Created
    owner: str = Field(description="account whose study it is; empty for one that was made without accounts")
    visibility: Visibility = Field(
        description="`private`: its owner and admins see it; `shared`: all accounts"
    )
    archived: bool = Field(description="true: lists leave it out")
    source: str = Field(
        default="", description="who computed or measured imported results; empty for a study evaluated here"
    )


class StudyResource(StudySummary):
    """A study with its definition."""

    definition: dict[str, Any] = Field(description="the study file as a tree")
    branch_of: str | None = Field(
        description="study whose definition this one repeats under other versions; null: none"
    )
    revision: int = Field(
        description="changes of description, owner, visibility and archive so far: the ETag"
    )
    remarks: list[str] = Field(
        default_factory=list[str],
        description="sentences on the versions of the back-end that evaluated it, if not the installed one",
    )


class StudyEdit(Edit):
    """Fields of a stored study that may be changed; those that are left out stay."""

    description: str | None = Field(
        default_factory=left_out, max_length=4000, description="the new description; null: none"
    )
    visibility: Visibility = Field(
        default_factory=left_out, description="`private`: its owner and admins see it; `shared`: all accounts"
    )
    archived: bool = Field(default_factory=left_out, description="true: lists leave it out")
    owner: str = Field(
        default_factory=left_out, max_length=64, description="another account's name; admins only"
    )


class BranchRequest(Resource):
    """The name under which a study is stored again."""

    name: Name
    launch: bool = Field(default=True, description="true: its runs are queued; false: they stay drafts")


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
    model: str = Field(
        default="", max_length=200, description="back-end whose metrics the columns are, without a study file"
    )
    preset: str | None = Field(
        default=None,
        max_length=200,
        description="preset of the back-end that gives what no column does; null: none",
    )
    objectives: dict[str, Sense] = Field(
        default_factory=dict[str, Sense], description="further objectives, also columns that no model has"
    )
    columns: dict[str, str] = Field(
        default_factory=dict[str, str], description="other headings for columns; empty for one to leave out"
    )


class ImportedStudy(Resource):
    """A study of imported results, and sentences on rows and columns that were passed over."""

    study: StudyResource = Field(description="the study that was made")
    remarks: list[str] = Field(description="sentences on rows and columns that were passed over")


class ExtensionRequest(Resource):
    """A larger budget per run and more seeds, as totals; what is null does not change."""

    seeds: int | None = Field(default=None, ge=1, le=1000, description="seeds of each layout, as a total")
    generations: int | None = Field(default=None, ge=1, description="generations of each run, as a total")
    evaluations: int | None = Field(default=None, ge=1, description="designs of each run, as a total")
    wall_time: float | str | None = Field(
        default=None, description="wall time of each run, as a total [s], or text with a unit"
    )


class ProposalRequest(Resource):
    """A design for a study at work: a value for every variable, by dotted path, as in its file."""

    layout: str = Field(
        default="", max_length=64, description="name of the layout; may be left out where the study has one"
    )
    design: dict[str, Any] = Field(
        max_length=1000, description="value of every variable by dotted path [SI], or text with a unit"
    )


class ProposalResource(Resource):
    """A proposed design."""

    id: int = Field(description="number of the proposal in addresses")
    study: Study
    layout: Layout
    design: Variables
    author: Author
    created: Created
    taken: bool = Field(
        description="true once a run has begun to evaluate it: it cannot be withdrawn any more"
    )
    evaluated: list[int] = Field(description="seeds whose runs have evaluated it")
    key: str | None = Field(description="key of the design; null before it is evaluated")


class Deletion(Resource):
    """A study that was deleted."""

    name: Study
    evaluations: int = Field(description="evaluations deleted with it, which no other study used")


class GenerationResource(Resource):
    """A run's indicators after one generation.

    Its own point stays once 100 designs are feasible: until then earlier generations are measured again when
    it moves. It says how this run grew. To compare runs, take the study's indicators, where one point serves
    all.
    """

    number: int = Field(description="number of the generation, from 1")
    asked: int = Field(description="designs asked for so far")
    computed: Computed
    feasible: Feasible
    failed: Failed
    front_size: OnFront
    hypervolume: float | None = Field(
        description="hypervolume against the run's own point [product of the objectives' units]; null: none "
        "is feasible"
    )
    least_violation: float = Field(description="least violation of any design so far; 0 once one is feasible")
    seconds: float = Field(description="wall time of this generation [s]")
    finished: Moment = Field(description="end of the generation, UTC")
    notes: dict[str, float | str] | None = Field(
        default=None, description="what the search says of its ladder of fidelities and of its surrogate"
    )


class EventResource(Resource):
    """Something that happened to a run."""

    id: int = Field(description="number of the event, which grows and is never given out twice")
    study: Study
    layout: Layout
    seed: Seed
    time: Moment = Field(description="time of the event, UTC")
    kind: str = Field(description="state that the run came to, or `generation`")
    message: str = Field(description="number of the generation; how the run ended; what it waits for")


class AnnotationRequest(Resource):
    """A note, a tag or a favourite."""

    kind: AnnotationKind = Field(description="a note, a tag or a favourite")
    text: str = Field(
        default="", max_length=LONGEST_NOTE, description="text of a note or tag; empty for a favourite"
    )
    key: str = Field(
        default="", max_length=64, description="key of a design, or its first characters (6 or more)"
    )


class AnnotationEdit(Resource):
    """Another text of a note."""

    text: str = Field(max_length=LONGEST_NOTE, description="the new text")


class AnnotationResource(Resource):
    """A note, a tag or a favourite of a study, or of one of its designs."""

    id: int = Field(description="number of the annotation in addresses")
    study: Study
    key: str = Field(description="key of the design; empty for the study itself")
    kind: AnnotationKind = Field(description="a note, a tag or a favourite")
    text: str = Field(description="text of a note or tag; empty for a favourite")
    author: Author
    mine: bool = Field(description="true if the caller wrote it")
    created: Created
    changed: Moment = Field(description="time of the last change, UTC")
