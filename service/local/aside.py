"""Computes in child processes within limits of time and memory, so that no request harms the server."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from models import load
from models.contract import ReferenceCase
from models.errors import InputError, LimitError, WorkerError
from models.scene import Scene
from service.local.aside_messages import Compared, Drawn, Evaluated, Order, scene_of
from service.local.aside_parent import Child, EndedError
from service.local.kept_scenes import KeptScenes
from studies.execution.base import Limits
from studies.execution.channel import MalformedError
from studies.execution.evaluation import believed, failure
from studies.records import EvaluationRecord, Task

WORKER = "server"
_QUEUE_SECONDS = 20.0
T = TypeVar("T")


class Aside:
    """See :class:`service.local.work.Work`. Several threads may use one.

    Parameters
    ----------
    limits : Limits
        What one computation may take; loading kernels does not count.
    children : int
        How many run at once. A later caller waits, then gets a ``LimitError``.
    """

    def __init__(self, limits: Limits, children: int) -> None:
        self._limits = limits
        self._room = threading.BoundedSemaphore(children)
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        self._busy: set[Child] = set()
        self._closed = False
        self._scenes = KeptScenes()
        self._cases: dict[str, Sequence[ReferenceCase]] = {}

    def evaluate(self, task: Task) -> EvaluationRecord:
        """Evaluate one design; one that exceeds the limits is reported as failed."""
        try:
            answer = self._ask(Order("evaluate", task.model, task.cost_class, task=task), Evaluated)
        except EndedError as ended:
            return failure(ended.kind, str(ended)).record(task, WORKER)
        return believed(load(task.model), task, answer.outcome).record(task, WORKER)

    def scene(self, model: str, parameters: Mapping[str, Any]) -> Scene:
        """What a 3D view of a design shows; raises ``InputError`` when the back-end cannot draw it."""
        key = hashlib.sha256(json.dumps([model, parameters], sort_keys=True).encode()).hexdigest()
        scene = self._scenes.get(key)
        if scene is None:
            try:
                answer = self._ask(Order("scene", model, parameters=dict(parameters)), Drawn)
                scene = scene_of(answer.scene)
            except (EndedError, MalformedError) as error:
                raise InputError(f"no view of this design: {error}") from None
            self._scenes.put(key, scene)
        return scene

    def reference_cases(self, model: str) -> Sequence[ReferenceCase]:
        """Published reference cases, computed once: what is installed does not change."""
        if model not in self._cases:
            try:
                self._cases[model] = self._ask(Order("reference_cases", model), Compared).cases
            except EndedError as ended:
                raise WorkerError(f"the reference cases of {model} were not computed: {ended}") from None
        return self._cases[model]

    def close(self) -> None:
        """End all children, also those at work."""
        with self._lock:
            self._closed = True
            children = [*self._idle, *self._busy]
            self._idle.clear()
        for child in children:
            child.close()

    def _ask(self, order: Order, kind: type[T]) -> T:
        if not self._room.acquire(timeout=_QUEUE_SECONDS):
            raise LimitError(
                "the server is busy with the computations of others; try again in a moment", _QUEUE_SECONDS
            )
        try:
            with self._child() as child:
                return child.ask(order, self._limits, kind)
        except EndedError:
            if self._closed:
                raise WorkerError("the server is shutting down") from None
            raise
        finally:
            self._room.release()

    @contextmanager
    def _child(self) -> Generator[Child]:
        """A child for one order; one that did not answer it is not used again."""
        with self._lock:
            if self._closed:
                raise WorkerError("the server is shutting down")
            child = self._idle.pop() if self._idle else Child()
            self._busy.add(child)
        try:
            yield child
        except BaseException:
            child.close()
            raise
        else:
            with self._lock:
                if not self._closed:
                    self._idle.append(child)
        finally:
            with self._lock:
                self._busy.discard(child)
