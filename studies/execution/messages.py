"""Orders to a child process, and its answers: JSON, never a pickle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, NonNegativeInt, PositiveInt, TypeAdapter

from errors import Fault, FaultsError, InputError, TautlineError, WorkerError
from models.contract import ReferenceCase
from models.scene_view import AS_DESIGNED, SceneView
from studies.exchange.formats import Format
from studies.execution.code_version import CodeVersion
from studies.execution.evaluation import Outcome
from studies.records import Task


@dataclass(frozen=True, slots=True)
class EvaluateOrder:
    """Tasks to evaluate in turn, the code that they are meant for, and the limit of memory if any.

    Outcomes are sent when the last ones were sent ``gather`` s ago: a message for each cheap design
    would be dear, and one kept back waits for the next design, which may take hours.
    """

    tasks: list[Task]
    version: CodeVersion
    memory: int | None
    gather: float
    kind: Literal["evaluate"] = "evaluate"


@dataclass(frozen=True, slots=True)
class SceneOrder:
    """A design to draw, by its parameters as plain values, as a picture asks for it."""

    model: str
    parameters: Mapping[str, Any]
    view: SceneView = AS_DESIGNED
    memory: int | None = None
    kind: Literal["scene"] = "scene"


@dataclass(frozen=True, slots=True)
class ExportOrder:
    """A design to write as a file of a format, by its parameters as plain values."""

    model: str
    parameters: Mapping[str, Any]
    format: Format
    memory: int | None = None
    kind: Literal["export"] = "export"


@dataclass(frozen=True, slots=True)
class ReferenceOrder:
    """Published reference cases to compute."""

    model: str
    memory: int | None = None
    kind: Literal["reference_cases"] = "reference_cases"


@dataclass(frozen=True, slots=True)
class Ready:
    """The process has started."""

    kind: Literal["ready"] = "ready"


@dataclass(frozen=True, slots=True)
class Refused:
    """Reason for no answer; ``at_fault`` says whether the input or the process is the cause."""

    faults: Annotated[list[Fault], Field(min_length=1)]
    at_fault: Literal["input", "process"]
    kind: Literal["refused"] = "refused"

    @classmethod
    def because(cls, error: Exception) -> Refused:
        """The refusal that stands for an error; one of no kind of ours is the back-end's."""
        if isinstance(error, InputError):
            return cls(list(error.faults), "input")
        if isinstance(error, TautlineError):
            return cls([Fault((), str(error))], "process")
        return cls([Fault((), f"the back-end failed: {type(error).__name__}: {error}")], "input")

    @property
    def error(self) -> TautlineError:
        """The error that it stands for."""
        if self.at_fault == "process":
            return WorkerError(self.faults[0].message)
        return FaultsError(self.faults) if len(self.faults) > 1 else InputError.of(self.faults[0])


@dataclass(frozen=True, slots=True)
class Begun:
    """A task, counted from 1 within its order, is evaluated from now on.

    ``memory`` is what the process held before, in bytes; 0 when nobody limits it.
    """

    number: PositiveInt
    memory: NonNegativeInt
    kind: Literal["begun"] = "begun"


@dataclass(frozen=True, slots=True)
class Finished:
    """Outcomes with the number of their task."""

    outcomes: list[tuple[PositiveInt, Outcome]]
    kind: Literal["finished"] = "finished"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A scene, as :func:`studies.execution.scene_messages.scene_document` writes it."""

    scene: dict[str, Any]
    kind: Literal["drawn"] = "drawn"


@dataclass(frozen=True, slots=True)
class Exported:
    """A file of a design: its bytes in base64, and what it does not hold."""

    content: str
    warnings: list[str]
    kind: Literal["exported"] = "exported"


@dataclass(frozen=True, slots=True)
class Compared:
    """Published reference cases and our results."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(allow_inf_nan=False)

    cases: list[ReferenceCase]
    kind: Literal["compared"] = "compared"


ModelOrder = SceneOrder | ExportOrder | ReferenceOrder
"""Something else about one design or model than an evaluation."""
ModelAnswer = Drawn | Exported | Compared | Refused
Order = EvaluateOrder | ModelOrder
Message = Ready | Refused | Begun | Finished | Drawn | Exported | Compared

ORDER: TypeAdapter[Order] = TypeAdapter(Annotated[Order, Field(discriminator="kind")])
MESSAGE: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="kind")])

Outcomes = list[tuple[int, Outcome]]
"""Outcomes with the number of their task."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Outcomes by the number of their task in the chunk, from 0, and who evaluated them."""

    worker: str
    outcomes: list[tuple[NonNegativeInt, Outcome]]


REPLY = TypeAdapter(Reply)
