"""Orders to a child process, and its answers and scenes: JSON, never a pickle."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any, ClassVar, Literal, get_args

import numpy as np
from pydantic import ConfigDict, Field, NonNegativeInt, PositiveInt, TypeAdapter

from errors import Fault, FaultsError, InputError, TautlineError, WorkerError
from models.contract import ReferenceCase
from models.scene import (
    Box,
    Line,
    Moment,
    Points,
    PostureCoordinate,
    Scene,
    Surface,
    Up,
    motion_fault,
    posture_fault,
    value_fault,
)
from models.scene_view import AS_DESIGNED, SceneView
from studies.exchange.formats import Format
from studies.execution.channel import MalformedError
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
    """A scene, as :func:`studies.execution.messages.scene_document` writes it."""

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


_SHAPES = {kind.__name__: kind for kind in (Line, Box, Surface, Points)}
_ARRAYS = {
    "points", "center", "rotation", "half_size", "vertices", "triangles", "cell_size", "values",
    "value_range",
}  # fmt: skip
_SCALARS: dict[str, type] = {"number": int, "value": float, "dashed": bool, "shown": bool}


def scene_document(scene: Scene) -> dict[str, Any]:
    """A scene as plain values, arrays as base64 of their bytes."""
    shapes = [_shape_document(shape) for shape in scene.shapes]
    motion = {"motion": _motion_document(scene.moments)} if scene.moments else {}
    posture = {"posture": [asdict(each) for each in scene.posture]} if scene.posture else {}
    return {"caption": scene.caption, "up": scene.up, "shapes": shapes, **motion, **posture}


def _motion_document(moments: Sequence[Moment]) -> dict[str, Any]:
    """Times (k,), and of each moving line its points (k, n, 3)."""
    lines = [
        {"name": first.name, "group": first.group, "points": _plain(np.stack([line.points for line in same]))}
        for first, *same in zip(moments[0].lines, *(moment.lines for moment in moments), strict=True)
    ]
    return {"times": _plain(np.array([moment.time for moment in moments], dtype=np.float64)), "lines": lines}


def _shape_document(shape: Line | Box | Surface | Points) -> dict[str, Any]:
    values = {
        field.name: _plain(value)
        for field in fields(shape)
        if (value := getattr(shape, field.name)) is not field.default
    }
    return {"shape": type(shape).__name__} | values


def scene_of(document: Mapping[str, Any]) -> Scene:
    """The scene that :func:`scene_document` wrote; raises ``MalformedError`` when it is none."""
    try:
        caption, up = document["caption"], document["up"]
        shapes = tuple(_shape(entry) for entry in document["shapes"])
        moments = _moments(document["motion"]) if "motion" in document else ()
        posture = tuple(_coordinate(entry) for entry in document.get("posture", ()))
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error) as error:
        raise MalformedError(f"no scene: {type(error).__name__}: {error}") from None
    if not isinstance(caption, str) or up not in get_args(Up):
        raise MalformedError("a scene without a caption or a direction upwards")
    scene = Scene(shapes, caption, up, moments, posture)
    if fault := motion_fault(scene) or posture_fault(posture):
        raise MalformedError(f"no scene: {fault}")
    return scene


def _moments(motion: Mapping[str, Any]) -> tuple[Moment, ...]:
    times = _array(motion["times"])
    lines = [
        (_text(entry["name"]), _text(entry["group"]), _array(entry["points"])) for entry in motion["lines"]
    ]
    if times.ndim != 1 or any(points.ndim != 3 or len(points) != len(times) for *_, points in lines):
        raise ValueError("moments need one time and one set of points each")
    return tuple(
        Moment(float(time), tuple(Line(name, points[place], group) for name, group, points in lines))
        for place, time in enumerate(times)
    )


def _coordinate(entry: Mapping[str, Any]) -> PostureCoordinate:
    numbers = (float(entry[name]) for name in ("lower", "upper", "value"))
    return PostureCoordinate(_text(entry["name"]), _text(entry["unit"]), *numbers)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is not text")
    return value


def _shape(entry: Mapping[str, Any]) -> Line | Box | Surface | Points:
    values = dict(entry)
    shape_type = _SHAPES[values.pop("shape")]
    for name, value in values.items():
        array = _array(value) if isinstance(value, Mapping) else value
        kind = np.ndarray if name in _ARRAYS else _SCALARS.get(name, str)
        if kind is float and type(array) is int:
            array = float(array)
        if type(array) is not kind:
            raise ValueError(f"{name} is not of type {kind.__name__}")
        values[name] = array
    shape = shape_type(**values)
    if isinstance(shape, Points | Line) and (fault := value_fault(shape)):
        raise ValueError(fault)
    return shape


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
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
