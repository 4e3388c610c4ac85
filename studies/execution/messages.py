"""What the process that evaluates designs is sent, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, NonNegativeInt, PositiveInt, TypeAdapter

from studies.execution.code_version import CodeVersion
from studies.execution.evaluation import Outcome
from studies.records import Task


@dataclass(frozen=True, slots=True)
class Order:
    """Tasks to evaluate in turn, the code that they are meant for, and the limit of memory if any.

    Outcomes are sent when the last ones were sent ``gather`` s ago: a message for each cheap design
    would be dear, and one kept back waits for the next design, which may take hours.
    """

    tasks: list[Task]
    version: CodeVersion
    memory: int | None
    gather: float


@dataclass(frozen=True, slots=True)
class Ready:
    """The process has started."""

    kind: Literal["ready"] = "ready"


@dataclass(frozen=True, slots=True)
class Refused:
    """The process cannot evaluate these tasks at all, which says nothing about the designs."""

    reason: str
    kind: Literal["refused"] = "refused"


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


Message = Ready | Refused | Begun | Finished

ORDER = TypeAdapter(Order)
MESSAGE: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="kind")])

Outcomes = list[tuple[int, Outcome]]
"""Outcomes with the number of their task."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Outcomes by the number of their task in the parcel, from 0, and who evaluated them."""

    worker: str
    outcomes: list[tuple[NonNegativeInt, Outcome]]


REPLY = TypeAdapter(Reply)
