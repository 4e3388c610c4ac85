"""The child process in which back-ends compute; started and watched by a ``SupervisedProcess``.

A design may crash it, hang it or fill its memory: the process reports each design before it begins,
so that the parent knows which one it was, and starts another child for the rest.
"""

from __future__ import annotations

import base64
import contextlib
import os
import sys
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

import psutil

from errors import TautlineError
from models import Model, load
from models.model_output import BoundedOutput
from models.model_source import ModelSource
from models.own_model import load_source
from models.registry import own_model_of
from studies.execution.channel import Channel, ClosedError, read
from studies.execution.code_version import CodeVersion, code_version, refuse_other
from studies.execution.evaluation import fitting_model, one_blas_thread, outcome_of
from studies.execution.messages import (
    MESSAGE,
    ORDER,
    Begun,
    Compared,
    Drawn,
    EvaluateOrder,
    Exported,
    ExportOrder,
    Finished,
    Message,
    ModelAnswer,
    ModelOrder,
    Order,
    Outcomes,
    Ready,
    Refused,
    SceneOrder,
    scene_document,
)
from studies.execution.model_calls import LOCAL
from studies.execution.processes import end_with_parent
from studies.records import Task

_ROOM = 256 * 1024**2


@dataclass
class _Child:
    channel: Channel
    prepared: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    process: psutil.Process = field(default_factory=psutil.Process)

    def serve(self) -> None:
        """Carry out orders until the parent closes the channel."""
        with contextlib.suppress(ClosedError):
            self._send(Ready())
            while line := self.channel.next():
                order = read(ORDER, line)
                try:
                    self._carry_out(order)
                except ClosedError:
                    raise
                except Exception as error:  # noqa: BLE001 - a back-end may raise anything
                    self._send(Refused.because(error))

    def _send(self, message: Message) -> None:
        if os.getpid() != self.process.pid:
            os._exit(0)  # a copy of this process that the back-end has made and let return
        self.channel.send(MESSAGE, message)

    def _carry_out(self, order: Order) -> None:
        if isinstance(order, EvaluateOrder):
            self._evaluate(order)
            return
        self._prepare(order)
        bound_memory(order.memory)
        self._begin(1, order.memory)
        self._send(_answer(order))

    def _begin(self, number: int, limit: int | None) -> None:
        self._send(Begun(number, 0 if limit is None else int(self.process.memory_info().rss)))

    def _evaluate(self, order: EvaluateOrder) -> None:
        done: Outcomes = []
        if order.version.own is not None:
            self._use(order.version.own)
        models = [self._prepared(task, order.version) for task in order.tasks]
        bound_memory(order.memory)
        sent = time.monotonic()
        for number, (model, task) in enumerate(zip(models, order.tasks, strict=True), start=1):
            self._begin(number, order.memory)
            done.append((number, outcome_of(model, task)))
            if time.monotonic() - sent >= order.gather:
                self._send(Finished(done))
                done, sent = [], time.monotonic()
        if done:
            self._send(Finished(done))

    def _use(self, source: ModelSource) -> None:
        """Load a model of the user's own by the source that the run began with."""
        if own_model_of(source) is None:
            if not isinstance(sys.stdout, BoundedOutput):
                sys.stdout = sys.stderr = BoundedOutput(sys.stderr)
            model = load_source(source)
            self.prepared = {kind for kind in self.prepared if kind[0] != model.name}

    def _prepared(self, task: Task, version: CodeVersion) -> Model:
        """The model with its kernels loaded: that takes seconds, which no design should answer for."""
        model = fitting_model(task)
        kind = (task.model, task.cost_class)
        if kind not in self.prepared:
            refuse_other(code_version(task.model, version), version, "this evaluation process")
            model.prepare(task.cost_class)
            self.prepared.add(kind)
        return model

    def _prepare(self, order: ModelOrder) -> None:
        """Load the kernels of a scene, which are others than those of an evaluation, or of the cases."""
        model = load(order.model)
        kind = (order.model, f"order: {order.kind}")
        if kind not in self.prepared:
            model.prepare(model.cost_classes[0])
            if isinstance(order, SceneOrder | ExportOrder):
                with contextlib.suppress(TautlineError, ArithmeticError, ValueError):
                    model.scene(model.resolve(None, {}))
            self.prepared.add(kind)


def _answer(order: ModelOrder) -> ModelAnswer:
    try:
        if isinstance(order, SceneOrder):
            return Drawn(scene_document(LOCAL.scene(order.model, order.parameters, order.view)))
        if isinstance(order, ExportOrder):
            file = LOCAL.export(order.model, order.parameters, order.format)
            return Exported(base64.b64encode(file.content).decode(), list(file.warnings))
        return Compared(list(LOCAL.reference_cases(order.model)))
    except Exception as error:  # noqa: BLE001 - a back-end may raise anything
        return Refused.because(error)


def bound_memory(limit: int | None) -> None:
    """Let one great allocation fail instead of filling the machine before the parent sees it.

    Far above the limit, which the parent watches over: compiling takes memory of its own, and a
    compiler that gets none ends the process.
    """
    if sys.platform != "linux":
        return
    import resource

    _, wanted = resource.getrlimit(resource.RLIMIT_DATA)
    if limit is not None:
        now = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
        room = now + 2 * limit + _ROOM
        wanted = room if wanted == resource.RLIM_INFINITY else min(room, wanted)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def main() -> None:
    """Start of the process; its arguments are file descriptors and the parent's number."""
    channel, lifeline, parent = map(int, sys.argv[1:4])
    for descriptor in (channel, lifeline):
        os.set_inheritable(descriptor, False)
    end_with_parent(parent, Connection(lifeline))
    os.dup2(2, 1)  # what a back-end prints must not mix with a command's output
    one_blas_thread()
    _Child(Channel.of_descriptor(channel)).serve()
