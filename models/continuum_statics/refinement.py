"""Refinement: finer arcs check the losses of a sweep or of a payload again.

A loss that one arc per gap shows may vanish with two, or the other way round: near the payload at which a
jump first appears the arcs decide. The arcs are doubled until two results agree, at most twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from models.continuum_statics.continuation import sweep_loading
from models.continuum_statics.parameters import MOST_ARCS, ContinuumStatics
from models.continuum_statics.payload import Payload, max_payload
from models.continuum_statics.records import Path
from models.continuum_statics.tension_sweep import slack_start, straight_and_taken

MOST_DOUBLINGS = 2
CHANGE = 0.02  # share of a tension or mass; results that differ by less agree
ENERGY_RATIO = 20.0  # of the energies that two jumps release, beyond which the smaller may vanish yet
FIRM = 0.15  # least mu_min of a path without events from which finer arcs are not asked

T = TypeVar("T")


class Losses(NamedTuple):
    """Losses along a sweep, or under a payload.

    ``snap`` and ``first`` are the tensions [N] of the first jump and of the first loss of stability, of a
    payload both its mass [kg]; None where there is none. ``energy`` [J] is what the first jump releases.
    ``known`` says whether the path reached its end, or a jump with a stable state after it.
    """

    snap: float | None
    first: float | None
    energy: float
    known: bool


class Checked(NamedTuple):
    """Losses after the check, and warnings of those that changed."""

    losses: Losses
    warnings: tuple[str, ...]


def losses_of(taken: Path) -> Losses:
    """Losses of a robot on its way."""
    jumps = [event for event in taken.losses if not event.supercritical]
    landed = jumps[0].snap if jumps else None
    return Losses(
        jumps[0].tension if jumps else None,
        taken.losses[0].tension if taken.losses else None,
        landed.energy_released if landed else 0.0,
        taken.complete or landed is not None,
    )


def check_sweep(parameters: ContinuumStatics, straight: Path, taken: Path) -> Checked:
    """The losses of a sweep, checked with finer arcs unless the path stays far from any."""
    given = losses_of(taken)
    if straight.complete and not straight.events and straight.mu_min.min() > FIRM:
        return Checked(given, ())
    found = refined(parameters, given, _sweep_losses, _alike)
    limit = f"up to {parameters.max_tension:.4g} N"
    words = _words(parameters, found, ("snap_tension", "first_loss_tension"), "N", limit)
    return Checked(_settled(found), words)


def check_payload(parameters: ContinuumStatics, carried: Payload) -> Checked:
    """The mass that is carried, checked with finer arcs."""
    found = refined(parameters, _payload_losses(carried), _refined_payload, _alike)
    limit = f"up to {carried.limit:.4g} kg"
    words = _words(parameters, found, ("max_payload", ""), "kg", limit)
    return Checked(_settled(found), words)


def refined(
    parameters: ContinuumStatics,
    given: T,
    evaluate: Callable[[ContinuumStatics], T],
    alike: Callable[[T, T], bool],
) -> list[T]:
    """Results with the given arcs per gap, twice and four times as many, until two are alike."""
    found, arcs = [given], parameters.arcs_per_gap
    while len(found) <= MOST_DOUBLINGS and 2 * arcs * parameters.disks <= MOST_ARCS:
        arcs *= 2
        found.append(evaluate(parameters.model_copy(update={"arcs_per_gap": arcs})))
        if alike(found[-2], found[-1]):
            break
    return found


def agree(first: float | None, second: float | None) -> bool:
    """True if two tensions or masses differ by no more than ``CHANGE``, or neither exists."""
    if first is None or second is None:
        return first is second
    return abs(first - second) <= CHANGE * max(abs(first), abs(second))


def _settled(found: list[Losses]) -> Losses:
    """The given results, but for those that the finest arcs change."""
    given, last = found[0], found[-1]
    if not last.known:
        return given
    return given._replace(
        snap=given.snap if agree(given.snap, last.snap) else last.snap,
        first=given.first if agree(given.first, last.first) else last.first,
    )


def _alike(first: Losses, second: Losses) -> bool:
    same = agree(first.snap, second.snap) and agree(first.first, second.first)
    low, high = sorted((first.energy, second.energy))
    return same and first.known and second.known and high <= ENERGY_RATIO * low


def _sweep_losses(parameters: ContinuumStatics) -> Losses:
    loading = sweep_loading(parameters, parameters.sweep_cable, parameters.max_tension)
    start = slack_start(parameters, loading, parameters.sweep_cable)
    if start is None:
        return Losses(None, None, 0.0, known=False)
    return losses_of(straight_and_taken(loading, parameters.sweep_cable, start)[1])


def _refined_payload(parameters: ContinuumStatics) -> Losses:
    return _payload_losses(max_payload(parameters))


def _payload_losses(carried: Payload) -> Losses:
    return Losses(carried.mass, carried.mass, 0.0, known=carried.loss != "steps")


def _words(
    parameters: ContinuumStatics, found: list[Losses], names: tuple[str, str], unit: str, limit: str
) -> tuple[str, ...]:
    """A warning of each result that the finer arcs change, or that they could not check."""
    arcs, given, last = parameters.arcs_per_gap, found[0], found[-1]
    both = " and ".join(filter(None, names))
    if len(found) == 1:
        words = (
            f"{both}: not checked with finer arcs, because at most {MOST_ARCS} arcs can be computed; lower "
            "'arcs_per_gap'"
        )
        return (words,)
    finer = arcs * 2 ** (len(found) - 1)
    if not last.known:
        words = (
            f"{both}: the check with {finer} arcs per gap did not reach its end; the results are those of "
            f"{_arcs(arcs)} per gap"
        )
        return (words,)
    pairs = zip(names, given[:2], last[:2], strict=True)
    return tuple(
        f"{name} is {_value(before, unit, limit)} with {_arcs(arcs)} per gap and "
        f"{_value(after, unit, limit)} with {finer}: the second is the result; set 'arcs_per_gap' to {finer} "
        "or more"
        for name, before, after in pairs
        if name and not agree(before, after)
    )


def _arcs(count: int) -> str:
    return "1 arc" if count == 1 else f"{count} arcs"


def _value(value: float | None, unit: str, limit: str) -> str:
    return f"none {limit}" if value is None else f"{value:.4g} {unit}"
