"""The process that :mod:`service.local.aside` starts: carries out one order after the other."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from typing import Any, Literal

from models import load
from models.errors import InputError, TautlineError
from service.local.work import InThisProcess
from studies.execution.child import bound_memory
from studies.execution.evaluation import one_blas_thread
from studies.execution.processes import end_with_parent

Verb = Literal["evaluate", "scene", "reference_cases"]


@dataclass(frozen=True, slots=True)
class Order:
    """A verb of :class:`~service.local.work.Work`, the model whose kernels it needs, and what it is given."""

    verb: Verb
    model: str
    cost_class: str | None
    given: Any
    memory: int | None = None


BEGUN = "begun"
"""Sent once kernels are loaded: the clock starts."""

Answer = tuple[Literal["done", "refused"], Any]


def main() -> None:
    """Start of the process; its arguments are file descriptors and the parent's number."""
    pipe, lifeline, parent = map(int, sys.argv[1:4])
    for descriptor in (pipe, lifeline):
        os.set_inheritable(descriptor, False)
    end_with_parent(parent, Connection(lifeline))
    os.dup2(2, 1)
    one_blas_thread()
    connection = Connection(pipe)
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            order: Order = connection.recv()
            connection.send(_carried_out(order, connection))


def _carried_out(order: Order, connection: Connection) -> Answer:
    try:
        _load_kernels(order.verb, order.model, order.cost_class)
        bound_memory(order.memory)
        connection.send(BEGUN)
        return "done", _computed(order)
    except TautlineError as error:
        return "refused", error
    except Exception as error:  # noqa: BLE001 - a back-end may raise anything
        return "refused", InputError(f"the back-end gave up: {type(error).__name__}: {error}")


@cache
def _load_kernels(verb: Verb, model: str, cost_class: str | None) -> None:
    """Load, or compile, what an order needs; drawing needs other kernels than evaluating may."""
    found = load(model)
    found.prepare(cost_class or found.cost_classes[0])
    if verb == "scene":
        with contextlib.suppress(TautlineError, ArithmeticError, ValueError):
            found.scene(found.resolve(None, {}))


def _computed(order: Order) -> Any:
    here = InThisProcess()
    if order.verb == "evaluate":
        return here.evaluate(order.given)
    if order.verb == "scene":
        return here.scene(order.model, order.given)
    return here.reference_cases(order.model)
