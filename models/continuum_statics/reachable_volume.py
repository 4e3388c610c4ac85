"""The volume that the tip sweeps in stable states while two neighbouring cables and the pretension vary."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.ray_following import follow_lines
from models.continuum_statics.rays import Line, Sampling, centred_rays, sampling, sectors
from models.continuum_statics.reachable_volume_kernels import swept_volumes

GREATEST_SHARE = 0.25  # of the greatest tension that is given to every cable as pretension
SAFETY = 2.0  # times what fewer samples change, since the Jacobian grows without bound towards a fold


class ReachableVolume(NamedTuple):
    """Volume of the tips of stable states.

    Attributes
    ----------
    volume : float, m^3
        Integral of the Jacobian's magnitude over the tensions: what overlaps is counted twice.
    error : float, m^3
        Estimate of its error: twice the sum of the changes with every other tension, with every other ray,
        and with straight lines instead of parabolas between pretensions.
    pretensions : (p,) float, N
    """

    volume: float
    error: float
    pretensions: FloatArray


class Layer(NamedTuple):
    """Slices of the volume at one pretension, per newton of it [m^3/N]: whole, and with fewer samples."""

    whole: float
    half_tensions: float
    even_rays: float
    odd_rays: float


def reachable_volume(parameters: ContinuumStatics, pretensions: FloatArray | None = None) -> ReachableVolume:
    """Integrate ``|det d tip / d (T_a, T_b, pretension)|`` over the tensions of stable states.

    T_a and T_b [N] are the tensions of two neighbouring cables, sampled along the rays at the centres of
    cells. ``pretensions`` (p,) [N] rise; when not given, ``pretension_steps`` of them from 0 to a quarter of
    the record's greatest tension.
    """
    from scipy.integrate import simpson

    if pretensions is None:
        greatest = GREATEST_SHARE * parameters.max_tension
        pretensions = np.linspace(0.0, greatest, parameters.pretension_steps)
    given = np.asarray(pretensions, float)
    layers = np.array([_layer(parameters.model_copy(update={"pretension": float(each)})) for each in given])
    parts = np.asarray(simpson(layers, x=given, axis=0), np.float64)
    volume = float(parts[0])
    return ReachableVolume(volume, _error(parts, layers[:, 0], given), given)


def _error(parts: FloatArray, wholes: FloatArray, pretensions: FloatArray) -> float:
    """Error [m^3] from volumes with fewer samples, and from slices (p,) [m^3/N] at the pretensions."""
    volume, half_tensions, even_rays, odd_rays = parts.tolist()
    straight = float(np.trapezoid(wholes, pretensions))
    if len(pretensions) < 3:  # no parabola: the change from one end to the other
        between = 0.5 * abs(float(wholes[-1] - wholes[0])) * float(pretensions[-1] - pretensions[0])
    else:
        between = abs(volume - straight)
    rays = max(abs(volume - even_rays), abs(volume - odd_rays))
    return SAFETY * (abs(volume - half_tensions) + rays + between)


def _layer(parameters: ContinuumStatics) -> Layer:
    """The slice of the volume at the record's pretension."""
    given, rays = sampling(parameters), centred_rays(parameters)
    if not len(rays.psi):
        return Layer(0.0, 0.0, 0.0, 0.0)
    lines = follow_lines(given, rays)
    pairs = np.array(sectors(parameters), np.int64)
    heights = [_heights(given, line, pairs[line.sector]) for line in lines]
    coarse = _sums(given, lines, heights, 2)
    fine, count = _sums(given, lines, heights, 1).reshape(-1, parameters.rays), parameters.rays
    return Layer(
        _over_directions(fine, np.arange(count)),
        _over_directions(coarse.reshape(-1, count), np.arange(count)),
        _over_directions(fine, np.arange(0, count, 2)),
        _over_directions(fine, np.arange(1 if count > 1 else 0, count, 2)),
    )


def _heights(given: Sampling, line: Line, pair: IntArray) -> FloatArray:
    """Magnitude (k,) [m^3/N^2] of the Jacobian by load, direction and pretension at the loads reached."""
    kept = line.reached
    loads, states = given.loads[:kept], line.states[:kept]
    tensions = given.pretension + loads[:, None] * line.rate
    found = swept_volumes(given.body, tensions, states, np.broadcast_to(pair, (kept, 2)))
    return np.abs(found) * loads / max(np.cos(line.psi), np.sin(line.psi)) ** 2


def _sums(given: Sampling, lines: list[Line], heights: list[FloatArray], stride: int) -> FloatArray:
    """Integrals (r,) [m^3/N] along rays, of every ``stride``-th load, and on to where a ray ends early."""
    return np.array(
        [_along(given, line, values, stride) for line, values in zip(lines, heights, strict=True)]
    )


def _along(given: Sampling, line: Line, values: FloatArray, stride: int) -> float:
    if not len(values):
        return 0.0
    loads = given.loads[: len(values) : stride]
    end = given.loads[len(values) - 1]
    if math.isfinite(line.end_mu):
        end = line.between_loads[-1]
    chosen = values[::stride]
    return float(np.trapezoid(chosen, loads) + chosen[-1] * max(end - loads[-1], 0.0))


def _over_directions(values: FloatArray, chosen: IntArray) -> float:
    """Sum over sectors of the integrals over direction of ``values`` (sectors, rays), at the rays chosen.

    Each chosen ray stands for the directions that are nearest to it.
    """
    count = values.shape[1]
    centres = (chosen + 0.5) * (np.pi / 2 / count)
    borders = np.concatenate([[0.0], 0.5 * (centres[1:] + centres[:-1]), [np.pi / 2]])
    return float((values[:, chosen] @ np.diff(borders)).sum())
