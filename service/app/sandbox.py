"""Model calls in child processes within limits of time and memory, so that no request harms the server."""

from __future__ import annotations

import base64
import binascii
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from errors import InputError, LimitError, WorkerError
from models import load
from models.contract import ReferenceCase
from models.scene import Scene
from models.scene_view import AS_DESIGNED, SceneView
from service.logs import logger
from studies.exchange.design import DesignFile
from studies.exchange.formats import Format, require_format
from studies.execution import NO_LIMITS, Interrupted, Limits
from studies.execution.channel import MalformedError
from studies.execution.code_version import code_version
from studies.execution.evaluation import believed
from studies.execution.messages import (
    Compared,
    Drawn,
    Exported,
    ExportOrder,
    ModelOrder,
    Outcomes,
    ReferenceOrder,
    Refused,
    SceneOrder,
    scene_of,
)
from studies.execution.supervision import EndedError, ProcessPool, SupervisedProcess
from studies.records import EvaluationRecord, Task

PREPARE_SECONDS = 180.0
"""Longest time to compile kernels, which this machine may never have run."""
WORKER = "server"
_QUEUE_SECONDS = 20.0
_CLOSE_SECONDS = 10.0
"""Longest time for running computations to end; they need a fraction of it."""
_CLOSING = "the server is shutting down"
T = TypeVar("T", Drawn, Exported, Compared)


class Sandbox:
    """See :class:`studies.execution.model_calls.ModelCalls`. Several threads may use one.

    Parameters
    ----------
    limits : Limits
        What one computation may take; loading kernels does not count.
    children : int
        How many run at once. A later caller waits, then gets a ``LimitError``.
    """

    def __init__(self, limits: Limits, children: int) -> None:
        self._limits = limits
        self._children = children
        self._room = threading.BoundedSemaphore(children)
        self._pool = ProcessPool(prepare=PREPARE_SECONDS)
        self._closing = threading.Event()

    def evaluate(self, task: Task, limits: Limits = NO_LIMITS) -> EvaluationRecord:
        """Evaluate one design; one that exceeds ``limits`` or those of the sandbox is reported as failed."""
        held = self._limits.narrowed(limits)
        found: Outcomes = []
        try:
            with self._process() as process:
                process.evaluate([task], code_version(task.model), held, found.extend, self._closing.is_set)
        except WorkerError as error:
            logger().error("no evaluation", model=task.model, reason=str(error))
            raise
        return believed(load(task.model), task, found[0][1]).record(task, WORKER)

    def scene(self, model: str, parameters: Mapping[str, Any], view: SceneView = AS_DESIGNED) -> Scene:
        """Draw a design in 3D in the sandbox; raises ``InputError`` when the back-end cannot draw it."""
        try:
            return scene_of(self._ask(SceneOrder(model, dict(parameters), view), Drawn).scene)
        except (EndedError, MalformedError) as error:
            raise InputError(f"no view of this design: {error}") from None

    def export(self, model: str, parameters: Mapping[str, Any], kind: Format) -> DesignFile:
        """A design as a file; raises ``InputError`` when the back-end cannot give it."""
        require_format(load(model), kind)
        try:
            answer = self._ask(ExportOrder(model, dict(parameters), kind), Exported)
            return DesignFile(base64.b64decode(answer.content, validate=True), tuple(answer.warnings))
        except (EndedError, MalformedError, binascii.Error) as error:
            raise InputError(f"no {kind} file of this design: {error}") from None

    def reference_cases(self, model: str) -> Sequence[ReferenceCase]:
        """Published reference cases."""
        try:
            return self._ask(ReferenceOrder(model), Compared).cases
        except EndedError as error:
            raise WorkerError(f"the reference cases of {model} were not computed: {error}") from None

    def close(self) -> None:
        """End all children, also those at work."""
        if self._closing.is_set():
            return
        self._closing.set()
        deadline = time.monotonic() + _CLOSE_SECONDS
        for _ in range(self._children):  # who computes sees it within a moment
            self._room.acquire(timeout=max(0.0, deadline - time.monotonic()))
        self._pool.close()

    def _ask(self, order: ModelOrder, kind: type[T]) -> T:
        """The answer to an order; raises ``EndedError``, or the error of the order."""
        with self._process() as process:
            answer = process.ask(order, kind, self._limits, self._closing.is_set)
        if isinstance(answer, Refused):
            raise answer.error
        return answer

    @contextmanager
    def _process(self, *, new: bool = False) -> Generator[SupervisedProcess]:
        """A process for one computation; raises ``LimitError`` when none gets free."""
        acquired = not self._closing.is_set() and self._room.acquire(timeout=_QUEUE_SECONDS)
        if self._closing.is_set():
            if acquired:
                self._room.release()
            raise WorkerError(_CLOSING)
        if not acquired:
            raise LimitError(
                "the server is busy with the computations of others; try again in a moment", _QUEUE_SECONDS
            )
        try:
            with self._pool.process(new=new) as process:
                yield process
        except Interrupted:
            raise WorkerError(_CLOSING) from None
        finally:
            self._room.release()
