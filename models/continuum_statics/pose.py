"""The state that a robot has under given tensions: where the stable path of the loading leads.

The loading starts from the slack robot, which gravity and pretension bend; then all tensions rise
together, in proportion. Where the path loses its stability the robot goes on as a real one does: along a
stable branch where there is one, else by a jump.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_statics.continuation import start_from, tension_loading
from models.continuum_statics.continuation_kernels import REACHED, Ramp, follow_ramp
from models.continuum_statics.equilibrium import STEPS, Equilibrium, judged_at, stable_rest
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.quasi_static import traced_path_from, walk
from models.continuum_statics.records import ENDINGS, Event
from models.continuum_statics.robot import checked_tensions, robot_of
from models.contract import LEAST_VIOLATION, Infeasible

LOADED = "along the stable path of rising tensions"


class StablePose(NamedTuple):
    """A stable state, and what the robot passed on its way there.

    Attributes
    ----------
    state : Equilibrium
    losses : tuple of Event
        Where stability was lost on the way, in order; their ``tension`` is the share [1] of the tensions.
    """

    state: Equilibrium
    losses: tuple[Event, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Losses that were passed, in sentences."""
        return tuple(_sentence(event) for event in self.losses)


def stable_equilibrium(parameters: ContinuumStatics, tensions: FloatArray) -> StablePose | Infeasible:
    """The stable state that the robot reaches under tensions, or why it reaches none.

    Parameters
    ----------
    tensions : (m,) float, N
        They rise together from nothing; gravity and pretension act before.

    Returns
    -------
    StablePose or Infeasible
        The violation is 1 to 2 where the robot is not stable without tensions (see
        :func:`~models.continuum_statics.equilibrium.stable_rest`), else the share of the
        tensions beyond the end of the stable path: 0 to 1.

    Raises
    ------
    InputError
        When ``tensions`` are not one finite number per cable, or a cable would push.
    """
    whole, before = checked_tensions(parameters, tensions), stable_rest(parameters)
    if isinstance(before, Infeasible):
        return before
    if not np.any(tensions):
        return StablePose(before, ())
    pull = np.full(parameters.cables, parameters.pretension)
    loads = np.linspace(0.0, 1.0, STEPS + 1)
    ramp = Ramp(pull, whole - pull, 1.0, 0.0)
    found = follow_ramp(robot_of(parameters), ramp, loads, before.q, stable_only=True)
    if found.reason == REACHED:
        return StablePose(judged_at(parameters, whole, found.end, LOADED), ())
    return _walked(parameters, np.asarray(tensions, float), whole, before.q)


def _walked(
    parameters: ContinuumStatics, tensions: FloatArray, whole: FloatArray, start: FloatArray
) -> StablePose | Infeasible:
    """As :func:`stable_equilibrium`, through losses of stability, from the slack state (n, 3)."""
    loading = tension_loading(parameters, tensions)
    first = start_from(loading, start.ravel()[loading.places], 0.0)
    if first is None:
        return _unreached(tensions, 0.0, ENDINGS["lost"])
    path = walk(loading, 0, traced_path_from(loading, first))
    if not path.complete:
        return _unreached(tensions, float(path.tensions[-1]), ENDINGS[path.ending or "steps"])
    state = judged_at(parameters, whole, path.states[-1], LOADED)
    if not state.stable:
        return _unreached(tensions, 1.0, state.reason)
    return StablePose(state, path.losses)


def _unreached(tensions: FloatArray, share: float, why: str) -> Infeasible:
    given = ", ".join(f"{tension:.4g}" for tension in tensions)
    return Infeasible(
        f"under tensions of {given} N no stable state is reached: the stable path ends at "
        f"{100 * share:.4g} % of them, {why}",
        max(1.0 - share, LEAST_VIOLATION),
    )


def _sentence(event: Event) -> str:
    where = f"at {100 * event.tension:.4g} % of the tensions"
    if event.snap is not None:
        return (
            f"{where} the robot jumps, which releases {1e3 * event.snap.energy_released:.3g} mJ: the state "
            "is the one after the jump"
        )
    return (
        f"{where} the robot leaves its path along a stable branch, without a jump; imperfections decide "
        "which of the two mirrored branches it takes"
    )
