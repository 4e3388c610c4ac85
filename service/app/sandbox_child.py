"""The process that :mod:`service.app.sandbox` starts: carries out one order after the other."""

from __future__ import annotations

import contextlib
import os
import sys
from functools import cache
from multiprocessing.connection import Connection

from errors import InputError, TautlineError
from models import load
from service.app.model_calls import LocalModelCalls
from service.app.sandbox_messages import (
    ANSWER,
    ORDER,
    Answer,
    Begun,
    Compared,
    Drawn,
    Evaluated,
    Order,
    Refused,
    Verb,
    scene_document,
)
from studies.execution.channel import Channel, ClosedError, read
from studies.execution.child import bound_memory
from studies.execution.evaluation import fitting_model, one_blas_thread, outcome_of
from studies.execution.processes import end_with_parent


def main() -> None:
    """Start of the process; its arguments are file descriptors and the parent's number."""
    number, lifeline, parent = map(int, sys.argv[1:4])
    for descriptor in (number, lifeline):
        os.set_inheritable(descriptor, False)
    end_with_parent(parent, Connection(lifeline))
    os.dup2(2, 1)
    one_blas_thread()
    channel, me = Channel.of_descriptor(number), os.getpid()
    with contextlib.suppress(ClosedError):
        while line := channel.next():
            answer = _carried_out(read(ORDER, line), channel)
            if os.getpid() != me:
                os._exit(0)  # a copy of this process that the back-end has made and let return
            channel.send(ANSWER, answer)


def _carried_out(order: Order, channel: Channel) -> Answer:
    try:
        _load_kernels(order.verb, order.model, order.cost_class)
        bound_memory(order.memory)
        channel.send(ANSWER, Begun())
        return _computed(order)
    except TautlineError as error:
        return Refused.because(error)
    except ClosedError:
        raise
    except Exception as error:  # noqa: BLE001 - a back-end may raise anything
        return Refused.because(InputError(f"the back-end failed: {type(error).__name__}: {error}"))


@cache
def _load_kernels(verb: Verb, model: str, cost_class: str | None) -> None:
    """Load, or compile, what an order needs; drawing needs other kernels than evaluating may."""
    found = load(model)
    found.prepare(cost_class or found.cost_classes[0])
    if verb == "scene":
        with contextlib.suppress(TautlineError, ArithmeticError, ValueError):
            found.scene(found.resolve(None, {}))


def _computed(order: Order) -> Answer:
    here = LocalModelCalls()
    if order.task is not None:
        return Evaluated(outcome_of(fitting_model(order.task), order.task))
    if order.verb == "scene":
        return Drawn(scene_document(here.scene(order.model, order.parameters or {})))
    return Compared(list(here.reference_cases(order.model)))
