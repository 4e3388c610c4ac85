"""Messages to and from the server's evaluation process: JSON, never a pickle."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Literal, get_args

import numpy as np
from pydantic import ConfigDict, Field, TypeAdapter

from errors import Fault, FaultsError, InputError, TautlineError, WorkerError
from models.contract import ReferenceCase
from models.scene import Box, Line, Points, Scene, Surface, Up
from studies.execution.channel import MalformedError
from studies.execution.evaluation import Outcome
from studies.records import Task

Verb = Literal["evaluate", "scene", "reference_cases"]


@dataclass(frozen=True, slots=True)
class Order:
    """A verb of :class:`~service.app.model_calls.ModelCalls`, the model, and its input."""

    verb: Verb
    model: str
    cost_class: str | None = None
    task: Task | None = None
    parameters: Mapping[str, Any] | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Begun:
    """Kernels are loaded: the clock starts."""

    kind: Literal["begun"] = "begun"


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What became of a design."""

    outcome: Outcome
    kind: Literal["evaluated"] = "evaluated"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A scene, as :func:`scene_document` writes it."""

    scene: dict[str, Any]
    kind: Literal["drawn"] = "drawn"


@dataclass(frozen=True, slots=True)
class Compared:
    """Published reference cases and our results."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(allow_inf_nan=False)

    cases: list[ReferenceCase]
    kind: Literal["compared"] = "compared"


@dataclass(frozen=True, slots=True)
class Refused:
    """Why there is no answer; ``at_fault`` says whether the input or the process is the cause."""

    faults: list[Fault]
    at_fault: Literal["input", "process"]
    kind: Literal["refused"] = "refused"

    @classmethod
    def because(cls, error: TautlineError) -> Refused:
        """The refusal that stands for an error."""
        if isinstance(error, InputError):
            return cls(list(error.faults), "input")
        return cls([Fault((), str(error))], "process")

    @property
    def error(self) -> TautlineError:
        """The error that it stands for."""
        if self.at_fault == "process":
            return WorkerError(self.faults[0].message)
        return FaultsError(self.faults) if len(self.faults) > 1 else InputError.of(self.faults[0])


Answer = Begun | Evaluated | Drawn | Compared | Refused

ORDER = TypeAdapter(Order)
ANSWER: TypeAdapter[Answer] = TypeAdapter(Annotated[Answer, Field(discriminator="kind")])

_SHAPES = {kind.__name__: kind for kind in (Line, Box, Surface, Points)}
_ARRAYS = {"points", "center", "rotation", "half_size", "vertices", "triangles", "cell_size"}


def scene_document(scene: Scene) -> dict[str, Any]:
    """A scene as plain values, arrays as base64 of their bytes."""
    shapes = [
        {"shape": type(shape).__name__} | {f.name: _plain(getattr(shape, f.name)) for f in fields(shape)}
        for shape in scene.shapes
    ]
    return {"caption": scene.caption, "up": scene.up, "shapes": shapes}


def scene_of(document: Mapping[str, Any]) -> Scene:
    """The scene that :func:`scene_document` wrote; raises ``MalformedError`` when it is none."""
    try:
        caption, up = document["caption"], document["up"]
        shapes = tuple(_shape(entry) for entry in document["shapes"])
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error) as error:
        raise MalformedError(f"no scene: {type(error).__name__}: {error}") from None
    if not isinstance(caption, str) or up not in get_args(Up):
        raise MalformedError("a scene without a caption or a direction upwards")
    return Scene(shapes, caption, up)


def _shape(entry: Mapping[str, Any]) -> Line | Box | Surface | Points:
    values = dict(entry)
    kind = _SHAPES[values.pop("shape")]
    for name, value in values.items():
        array = _array(value) if isinstance(value, Mapping) else value
        if not (isinstance(array, np.ndarray) if name in _ARRAYS and array is not None else True):
            raise ValueError(f"{name} is not an array")
        if name not in _ARRAYS and not isinstance(array, str):
            raise ValueError(f"{name} is not text")
        values[name] = array
    return kind(**values)


def _plain(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    numbers = np.ascontiguousarray(value, dtype="<i8" if value.dtype.kind in "iu" else "<f8")
    return {
        "dtype": numbers.dtype.str,
        "shape": list(numbers.shape),
        "data": base64.b64encode(numbers.tobytes()).decode(),
    }


def _array(value: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    """The array that :func:`_plain` wrote; raises ``ValueError`` for one with a number that is not finite."""
    if value["dtype"] not in {"<f8", "<i8"}:
        raise ValueError(f"an array of {value['dtype']}")
    data = base64.b64decode(value["data"], validate=True)
    array = np.frombuffer(data, dtype=value["dtype"]).reshape([int(n) for n in value["shape"]])
    if not np.isfinite(array).all():
        raise ValueError("an array with a number that is not finite")
    return array
