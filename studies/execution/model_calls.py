"""Calls to a back-end while somebody waits for the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pydantic import ValidationError

from errors import InputError
from models import Model, Parameters, load
from models.contract import ReferenceCase
from models.messages import explain
from models.model_output import printing_to_stderr
from models.scene import Scene
from models.scene_view import AS_DESIGNED, SceneView, scene_of_view
from studies.exchange.design import DesignFile
from studies.exchange.formats import Format, design_file
from studies.execution.evaluation import evaluate_task, one_blas_thread
from studies.records import EvaluationRecord, Task

REPEATED_BELOW = 60.0
"""Seconds that a first evaluation may take to be repeated for its time without kernels being compiled."""


class ModelCalls(Protocol):
    """Every call that runs a back-end's code on a user's numbers; it may take long, and it may fail."""

    def evaluate(self, task: Task) -> EvaluationRecord:
        """Evaluate one design; whatever the back-end does, a record comes back."""
        ...

    def scene(self, model: str, parameters: Mapping[str, Any], view: SceneView = AS_DESIGNED) -> Scene:
        """Draw a design in 3D, from its parameters as plain values."""
        ...

    def export(self, model: str, parameters: Mapping[str, Any], kind: Format) -> DesignFile:
        """A design as a file, from its parameters as plain values."""
        ...

    def reference_cases(self, model: str) -> Sequence[ReferenceCase]:
        """Published reference cases, computed now."""
        ...


class LocalModelCalls:
    """Calls in this process, for a person at this machine, who can interrupt them (:class:`ModelCalls`)."""

    def __init__(self) -> None:
        self._warm: set[tuple[str, str]] = set()

    def evaluate(self, task: Task) -> EvaluationRecord:
        """Evaluate; at first twice, because the first time loads or compiles what this design needs."""
        one_blas_thread()
        with printing_to_stderr():
            record = evaluate_task(task, "here")
            kind = task.model, task.cost_class
            known = kind in self._warm or not load(task.model).has_kernels
            if not known and record.seconds < REPEATED_BELOW:
                record = evaluate_task(task, "here")
            self._warm.add(kind)
        return record

    def scene(self, model: str, parameters: Mapping[str, Any], view: SceneView = AS_DESIGNED) -> Scene:
        """See :class:`ModelCalls`."""
        found = load(model)
        return scene_of_view(found, _record(found, parameters, "view"), view)

    def export(self, model: str, parameters: Mapping[str, Any], kind: Format) -> DesignFile:
        """See :class:`ModelCalls`."""
        found = load(model)
        return design_file(found, _record(found, parameters, "file"), kind)

    def reference_cases(self, model: str) -> Sequence[ReferenceCase]:
        """See :class:`ModelCalls`."""
        return load(model).reference_cases()


def _record(model: Model, parameters: Mapping[str, Any], what: str) -> Parameters:
    """The record of a stored design; raises ``InputError`` where the installed version refuses it."""
    try:
        return model.parameters.model_validate(parameters)
    except ValidationError as error:
        reason = explain(error, (), model.parameters)
        raise InputError(
            f"no {what} of this design: version {model.version} of {model.name}, which is installed, refuses "
            f"it: {reason}"
        ) from None


LOCAL: ModelCalls = LocalModelCalls()
