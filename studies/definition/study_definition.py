"""The study file: what an engineer declares, read from TOML and checked before anything runs.

:class:`StudyDefinition` holds the file's shape; :mod:`studies.problem.problem` checks it against the
model and turns it into something that can be searched.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, cast

from pydantic import (
    BeforeValidator,
    Field,
    PrivateAttr,
    SerializerFunctionWrapHandler,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    field_validator,
    model_serializer,
    model_validator,
)

from models.html_table import html_table
from studies.definition.documents import Number, Seed, Table, amount, plain_text, without_points
from studies.definition.tolerance_tables import RobustTable, TolerancesTable
from studies.records import Limits

MAX_EVALUATIONS = 1_000_000
MAX_POPULATION = 10_000
MAX_VARIABLES = 1_000
MAX_OBJECTIVES = 15
MAX_SECONDS = 366 * 86_400.0
SEEDS_OF_LAYOUTS = (1, 2, 3, 4, 5)
"""The seeds where layouts are compared and none are given: five per layout are the fewest that can show a
difference in two or three objectives."""
MIN_MEMORY = 1024**2

Name = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9-]{1,64}$",
        description="1 to 64 characters: a-z, 0-9 and '-'",
    ),
]
ExpressionName = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$",
        description="1 to 64 letters, digits and '_', no digit first",
    ),
]
Item = Annotated[StrictInt, Field(ge=0, lt=1000)]
"""An item of a list, counted from 0."""


def _american(text: Any) -> Any:
    return {"minimise": "minimize", "maximise": "maximize"}.get(text, text) if isinstance(text, str) else text


Sense = Annotated[Literal["minimize", "maximize"], BeforeValidator(_american)]
Option = StrictBool | Number | list[Number | list[Number]]


class Bound(Table):
    """``lower <= metric <= upper``; at least one of the two, numbers in SI or text with units."""

    lower: Number | None = Field(default=None, description="least value")
    upper: Number | None = Field(default=None, description="greatest value")

    @model_validator(mode="after")
    def _one_side(self) -> Bound:
        if self.lower is None and self.upper is None:
            raise ValueError('needs lower, upper or both, as in { lower = "2 mm" }')
        return self


class DriveTable(Table):
    """A parameter that a variable drives: ``factor`` times the variable, plus ``offset``.

    Text alone is the parameter.
    """

    parameter: StrictStr = Field(description="dotted path of the parameter")
    factor: StrictInt | StrictFloat = Field(default=1, description="factor of the variable; not 0")
    offset: Number = Field(default=0, description="value that is added")

    @field_validator("factor")
    @classmethod
    def _moves(cls, factor: float) -> float:
        if factor == 0:
            raise ValueError("must not be 0: the parameter would not follow; fix it under parameters instead")
        return factor

    @model_validator(mode="before")
    @classmethod
    def _name_alone(cls, given: Any) -> Any:
        return {"parameter": given} if isinstance(given, str) else given

    @model_serializer(mode="wrap")
    def _plain(self, plain: SerializerFunctionWrapHandler) -> Any:
        return self.parameter if self.factor == 1 and self.offset == 0 else plain(self)


class SymmetryTable(Table):
    """Items of a list of points that are the mirror image of others, or others rotated.

    ``from`` and ``to`` are items counted from 0. The plane with the normal ``mirror``, or the axis
    ``rotate``, goes through ``point``, the origin if left out.
    """

    parameter: str = Field(description="a list of points, such as `pulleys`")
    from_: list[Item] = Field(
        alias="from", min_length=1, max_length=1000, description="items that are copied, counted from 0"
    )
    to: list[Item] = Field(
        min_length=1, max_length=1000, description="items that are the copies, as many, in the same order"
    )
    mirror: Literal["x", "y", "z"] | None = Field(
        default=None, description="normal of the plane of a mirror image"
    )
    rotate: Literal["x", "y", "z"] | None = Field(
        default=None, description="axis of a rotation, right-handed"
    )
    angle: Number | None = Field(default=None, description="angle of the rotation: 90, 180 or 270 degrees")
    point: list[Number] | None = Field(
        default=None, min_length=3, max_length=3, description="a point of the plane or axis; else the origin"
    )

    @model_validator(mode="after")
    def _one_way(self) -> SymmetryTable:
        if (self.mirror is None) == (self.rotate is None):
            raise ValueError('needs either mirror = "x" or rotate = "z" with an angle')
        if (self.rotate is None) != (self.angle is None):
            raise ValueError('needs an angle for rotate, as in angle = "90 deg", and none for mirror')
        if len(self.from_) != len(self.to):
            raise ValueError(f"copies {len(self.from_)} items to {len(self.to)}; give as many of both")
        if self.angle is not None and self.quarters is None:
            raise ValueError('needs an angle of 90, 180 or 270 degrees, as in angle = "90 deg"')
        return self

    @property
    def quarters(self) -> int | None:
        """The angle in quarter turns, 0 to 3; None for another angle. A mirror has none."""
        quarters = amount(self.angle or 0, "rad") / (math.pi / 2)
        whole = round(quarters)
        return whole % 4 if abs(quarters - whole) < 1e-6 and whole % 4 else None


class VariableTable(Table):
    """A variable: ``lower`` and ``upper``, or ``options``.

    ``type = "integer"`` makes it whole, ``step`` lets it rise in steps, ``scale = "log"`` spans decades.
    ``drives`` lists parameters that follow it. It acts where all variables in ``when`` have the values there.
    """

    added = frozenset({"drives", "scale", "step", "when"})

    lower: Number | None = Field(default=None, description="least value")
    upper: Number | None = Field(default=None, description="greatest value")
    type: Literal["real", "integer"] = Field(default="real", description="real or whole numbers")
    scale: Literal["linear", "log"] = Field(
        default="linear", description="log: spread over decades; both bounds above 0"
    )
    step: Number | None = Field(default=None, description="distance between values, counted from lower")
    options: list[Option] | None = Field(
        default=None,
        min_length=1,
        max_length=1000,
        description="the values to choose from, instead of bounds",
    )
    drives: list[DriveTable] = Field(
        default=[], max_length=1000, description="parameters that follow the variable; text is a path alone"
    )
    when: dict[StrictStr, Option | list[Option]] = Field(
        default={},
        max_length=100,
        description="values of other variables at which this one acts; a list has several",
    )

    @model_validator(mode="after")
    def _range_or_options(self) -> VariableTable:
        ranged = self.lower is not None and self.upper is not None
        bounded = self.lower is not None or self.upper is not None or self.type == "integer"
        mixed = self.options is not None and bounded
        if ranged == (self.options is not None) or mixed:
            raise ValueError("needs either lower and upper, or options alone")
        if self.step is not None and (self.options is not None or self.type == "integer"):
            raise ValueError("needs no step: options and whole numbers have theirs")
        stepped = self.options is not None or self.type == "integer" or self.step is not None
        if self.scale == "log" and stepped:
            raise ValueError("is logarithmic, which only a range without steps can be")
        return self


InitialDesign = dict[str, Option]
"""A value for every variable, by dotted path."""


Member = StrictStr | Annotated[list[StrictStr], Field(min_length=1, max_length=100)]
"""A part of a robot: a variable, the beginning of several, or a list of these."""
Interchangeable = Annotated[
    list[Annotated[list[Member], Field(min_length=2, max_length=100)]],
    Field(max_length=100, description="groups of equal parts, whose order makes no other design"),
]


class LayoutTable(Table):
    """One layout: a preset, its own fixed parameters, variables, symmetry, equal parts, initial designs."""

    added = frozenset({"initial", "earlier", "symmetry", "interchangeable"})

    preset: str | None = Field(default=None, description="design that the layout starts from")
    parameters: dict[str, Any] = Field(
        default_factory=dict, description="fixed parameters, before those of the study"
    )
    variables: dict[str, VariableTable] = Field(
        default_factory=dict, description="variables, before those of the study"
    )
    symmetry: list[SymmetryTable] | None = Field(
        default=None, max_length=100, description="symmetry, instead of that of the study"
    )
    interchangeable: Interchangeable | None = Field(
        default=None, description="equal parts, instead of those of the study"
    )
    initial: list[InitialDesign] | None = Field(
        default=None, max_length=MAX_POPULATION, description="first designs, instead of those of the search"
    )
    earlier: list[InitialDesign] | None = Field(
        default=None,
        max_length=MAX_POPULATION,
        description="what was chosen of the studies in from; Tautline writes it when it stores a study",
    )


POPULATION = 40
POPULATIONS = {"optuna-tpe": 8}
"""Smaller where a batch is chosen without the results of the designs in it."""


class SearchTable(Table):
    """Search: algorithm, initial designs and budget."""

    added = frozenset(
        {"wall_time", "stagnation", "initial", "from_", "earlier", "settings", "asynchronous", "ladder"}
    )

    algorithm: str = Field(default="nsga2", description="name of a search algorithm")
    population: StrictInt = Field(
        default_factory=lambda given: POPULATIONS.get(given.get("algorithm", ""), POPULATION),
        ge=4,
        le=MAX_POPULATION,
        description=f"designs per generation or batch; {POPULATION}, or 8 with optuna-tpe, if left out",
    )
    generations: StrictInt | None = Field(
        default=None, ge=1, le=MAX_EVALUATIONS, description="most generations of a run"
    )
    evaluations: StrictInt | None = Field(
        default=None, ge=1, le=MAX_EVALUATIONS, description="most designs that a run evaluates"
    )
    asynchronous: StrictBool = Field(
        default=False,
        description="true: each worker gets its next design at once, and no generation waits for its last",
    )
    ladder: StrictBool | list[dict[str, Any]] = Field(
        default=False,
        description="true: rank designs at lower fidelities first, those that the back-end declares; or a "
        "list of parameters of each, the cheapest first",
    )
    points: StrictInt = Field(
        default=10, ge=2, le=MAX_EVALUATIONS, description="grid: values per real variable"
    )
    wall_time: Number | None = Field(
        default=None, description="longest time of a search, in seconds or as text with a unit"
    )
    stagnation: StrictInt | None = Field(
        default=None,
        ge=1,
        le=MAX_EVALUATIONS,
        description="a run ends after so many generations without growth of the hypervolume",
    )
    initial: list[InitialDesign] | None = Field(
        default=None,
        max_length=MAX_POPULATION,
        description="designs to start from; each gives every variable a value",
    )
    from_: list[Name] | None = Field(
        default=None,
        alias="from",
        min_length=1,
        max_length=20,
        description="stored studies whose best designs within the ranges fill the first generation",
    )
    earlier: list[InitialDesign] | None = Field(
        default=None,
        max_length=MAX_POPULATION,
        description="what was chosen of the studies in from; Tautline writes it when it stores a study",
    )
    settings: dict[str, StrictInt | StrictFloat | StrictStr] = Field(
        default={},
        max_length=100,
        description="settings of the algorithm, each with a default",
    )

    @field_validator("wall_time")
    @classmethod
    def _positive_time(cls, given: Number | None) -> Number | None:
        if given is not None and not 0 < amount(given, "s") <= MAX_SECONDS:
            raise ValueError(f"must be above 0 and at most {MAX_SECONDS:g} s, a year")
        return given

    @property
    def wall_seconds(self) -> float | None:
        """``wall_time`` in seconds."""
        return None if self.wall_time is None else amount(self.wall_time, "s")


class EvaluationTable(Table):
    """Evaluation of designs: limits and tolerated failures."""

    added = frozenset({"timeout", "memory"})

    max_failure_share: float = Field(
        default=0.2,
        ge=0,
        le=1,
        description="a run stops as failed when more than this share of its designs failed",
    )
    seed: Seed = Field(default=0, description="seed of stochastic models")
    timeout: Number | None = Field(
        default=None, description="time that one design may take, in seconds or as text with a unit"
    )
    memory: Number | None = Field(
        default=None, description="memory that one design may take, in bytes or as text with a unit"
    )

    @field_validator("timeout")
    @classmethod
    def _timeout_is_time(cls, timeout: Number | None) -> Number | None:
        if timeout is not None and not amount(timeout, "s") > 0:
            raise ValueError('must be more than 0 s, as in "10 min"')
        return timeout

    @field_validator("memory")
    @classmethod
    def _memory_is_enough(cls, memory: Number | None) -> Number | None:
        if memory is not None and amount(memory, "byte") < MIN_MEMORY:
            raise ValueError('is less than 1 MiB, too little for any design; write for example "2 GiB"')
        return memory

    @property
    def limits(self) -> Limits:
        """Limits of one evaluation."""
        return Limits(
            None if self.timeout is None else amount(self.timeout, "s"),
            None if self.memory is None else int(amount(self.memory, "byte")),
        )


class IndicatorTable(Table):
    """Indicators of fronts."""

    reference_point: dict[str, Number] | None = Field(
        default=None, description="a value for each objective; every useful design is better"
    )


class ForeignMetric(Table):
    """A metric of elsewhere that the model does not have."""

    unit: str = Field(default="1", max_length=64, description="SI unit")
    sense: Sense = Field(description="direction in which it gets better")


class ImportedTable(Table):
    """Results that were not evaluated here: who says so, and what they measure beside the model's metrics.

    ``digest`` is the sha256 of the table, so that another table is another study.
    """

    source: str = Field(min_length=1, max_length=200, description="who computed or measured the results")
    digest: str = Field(pattern=r"^[0-9a-f]{64}$", description="sha256 of the table")
    metrics: dict[ExpressionName, ForeignMetric] = Field(
        default={}, max_length=100, description="metrics that the model does not have"
    )


class StudyDefinition(Table):
    """A study as declared."""

    added = frozenset({"symmetry", "expressions", "tolerances", "robust", "imported", "interchangeable"})

    schema_version: Literal[1] = Field(default=1, description="version of this form of file")
    name: Name
    description: str = Field(default="", max_length=4000, description="text for people")
    model: str = Field(max_length=200, description="name of a back-end")
    seeds: list[Seed] = Field(
        default=[1], min_length=1, max_length=1000,
        description="whole numbers, one run for each: [1, 2]; [1, 2, 3, 4, 5] where layouts are compared",
    )  # fmt: skip
    preset: str | None = Field(default=None, description="design of the model that the study starts from")
    parameters: dict[str, Any] = Field(
        default_factory=dict, description="parameters of the model that are fixed"
    )
    variables: dict[str, VariableTable] = Field(
        default_factory=dict, max_length=MAX_VARIABLES, description="what the search varies, by dotted path"
    )
    symmetry: list[SymmetryTable] = Field(
        default=[], max_length=100, description="items of lists of points that are copies of others"
    )
    interchangeable: Interchangeable = Field(default=[])
    expressions: dict[ExpressionName, StrictStr] = Field(
        default={}, max_length=100, description="quantities computed from metrics, parameters and variables"
    )
    layouts: dict[Name, LayoutTable] = Field(
        default_factory=dict, max_length=100,
        description="a table for each layout; a name has 1 to 64 characters: a-z, 0-9 and '-'",
    )  # fmt: skip
    objectives: dict[str, Sense] = Field(
        min_length=1,
        max_length=MAX_OBJECTIVES,
        description='1 to 15 metrics of the model, each to "minimize" or "maximize"',
    )
    constraints: dict[str, Bound] = Field(
        default_factory=dict,
        max_length=1000,
        description="bounds of metrics, which each design of a front keeps",
    )
    tolerances: TolerancesTable = Field(
        default=TolerancesTable(), description="what production makes of parameters: a spread for each path"
    )
    robust: RobustTable = Field(
        default=RobustTable(), description="robots that are drawn from the tolerances"
    )
    search: SearchTable = Field(default=SearchTable(), description="algorithm and budget")
    evaluation: EvaluationTable = Field(
        default=EvaluationTable(), description="limits of evaluations, and failures that a run tolerates"
    )
    indicators: IndicatorTable = Field(default=IndicatorTable(), description="measures of fronts")
    imported: ImportedTable | None = Field(
        default=None, description="results from elsewhere; an import writes it, and no study file has it"
    )
    _model: Mapping[str, Any] | None = PrivateAttr(None)

    def _repr_html_(self) -> str:
        """The tables of a notebook: variables of all layouts, then objectives and constraints."""
        layouts = {"": self.variables, **{name: one.variables for name, one in self.layouts.items()}}
        variables = [
            (layout or "all", path, "" if one.options is None else one.options, one.lower, one.upper)
            for layout, table in layouts.items()
            for path, one in table.items()
        ]
        goals = [(name, sense, None, None) for name, sense in self.objectives.items()]
        goals += [(name, "within", bound.lower, bound.upper) for name, bound in self.constraints.items()]
        stated = self.search.model_dump(
            include={"population", "generations", "evaluations"}, exclude_none=True
        )
        search = ", ".join([self.search.algorithm, *(f"{name} {value}" for name, value in stated.items())])
        title = f"Definition of {self.name}: {self.model}"
        said = [self.description] if self.description else []
        seeds = f"seeds {', '.join(map(str, self.seeds))}"
        columns = ("layout", "variable", "options", "lower", "upper")
        first = html_table(title, columns, variables, said)
        return first + html_table("Goals", ("metric", "wanted", "lower", "upper"), goals, [search, seeds])

    @property
    def stored_model(self) -> Mapping[str, Any] | None:
        """Tables of the model that the store keeps, empty where it keeps none; None before it is stored."""
        return self._model

    def with_model(self, tables: Mapping[str, Any] | None) -> Self:
        """Add the tables of the model that the store keeps; they are no part of the study."""
        self._model = tables
        return self

    @model_validator(mode="before")
    @classmethod
    def _layouts_have_seeds(cls, tree: Any) -> Any:
        """Give seeds where several layouts are compared and the file has none."""
        if isinstance(tree, Mapping) and "seeds" not in tree:
            stated = cast("Mapping[str, Any]", tree)
            layouts = stated.get("layouts")
            if isinstance(layouts, Mapping) and len(cast("Mapping[str, Any]", layouts)) > 1:
                return {**stated, "seeds": list(SEEDS_OF_LAYOUTS)}
        return tree

    @field_validator("seeds")
    @classmethod
    def _seeds_differ(cls, seeds: list[int]) -> list[int]:
        if len(set(seeds)) != len(seeds):
            raise ValueError("each seed may be given only once")
        return seeds

    def digest(self) -> str:
        """sha256 of the content; comments and order of tables do not count."""
        return hashlib.sha256(plain_text(self.model_dump(mode="json")).encode()).hexdigest()

    def is_same(self, digest: str, stored: Mapping[str, Any]) -> bool:
        """True if a stored study, its digest and definition, says the same.

        ``1000.0`` and ``1000`` are one number, but have different digests: those in stores were made so,
        and a form that writes a file again writes whole numbers without a point.
        """
        texts = {plain_text(without_points(tree)) for tree in (stored, self.model_dump(mode="json"))}
        return digest == self.digest() or len(texts) == 1
