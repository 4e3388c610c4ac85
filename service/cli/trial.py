"""The time of a study: one design of each layout is tried before a search asks for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dashboards.formatting import counted, quantity
from errors import TautlineError
from service.cli.output import say
from service.cli.progress import LOADING

if TYPE_CHECKING:
    from service.app.services import Services
    from service.app.study_checks import StorelessServices
    from service.resources.models import LayoutCheck
    from studies.definition.study_definition import StudyDefinition

TRIAL_SECONDS = 20.0
"""A design that takes longer makes a search of hours; nobody waits for more to read that."""
_SHORT = 1.0


def load_kernels(definition: StudyDefinition, layouts: Sequence[LayoutCheck]) -> None:
    """Load what evaluations of a study need, so that no trial waits until it is compiled."""
    from models import load

    model = load(definition.model)
    if not model.has_kernels:
        return
    for cost_class in {model.cost_class_for(layout.middle.metrics) for layout in layouts}:
        say(LOADING)
        model.prepare(cost_class)


def trial_text(ops: Services | StorelessServices, definition: StudyDefinition, layout: LayoutCheck) -> str:
    """The stages of a layout's model, the time of the design at mid-range, and that of all designs."""
    stages = f"stages of {definition.model}: {', '.join(layout.stages)}"
    try:
        tried = ops.models.evaluate(definition.model, layout.middle)
        if tried.seconds < _SHORT:  # the first evaluation of a process is slower than the others
            tried = ops.models.evaluate(definition.model, layout.middle)
    except TautlineError as error:  # such as an account that may read and not compute
        return f"{stages}; the design at mid-range was not tried: {error}"
    if tried.status == "failed":
        return f"{stages}; the design at mid-range failed: {tried.reason}"
    designs, seconds = layout.designs * len(definition.seeds), tried.seconds * layout.robots
    infeasible = f", which is infeasible ({tried.reason})," if tried.status == "infeasible" else ""
    robots = f" with {layout.robots} robots" if layout.robots > 1 else ""
    return (
        f"{stages}; the design at mid-range{infeasible} takes {_time(seconds)}{robots}, "
        f"{counted(designs, 'design')} about {_time(designs * seconds)} on one worker"
    )


def _time(seconds: float) -> str:
    """A time in the unit that a reader would choose: ``45 ms``, ``12 min``, ``30 h``."""
    minutes = seconds / 60.0
    if minutes < 2.0:
        return quantity(seconds, "s", 2)
    return f"{minutes:.0f} min" if minutes < 120.0 else f"{minutes / 60.0:.0f} h"
