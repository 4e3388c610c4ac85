"""Settling and overshoot: ways of a tip whose numbers are known, and overdamped robots."""

from types import SimpleNamespace

import numpy as np
import pytest

from models.continuum_dynamics import MODEL
from models.continuum_dynamics.response import settling
from models.contract import Evaluation

TIMES = np.arange(0.0, 10.0, 0.01)


def settled(x, *, stop=1.0):
    """Settling of a tip (k,) m along x that rests at 1 m, with a drive that stops at ``stop`` [s]."""
    tip = np.stack([x, 0 * x, 0 * x], axis=1)
    motion = SimpleNamespace(times=TIMES, positions=tip[:, None])
    drives = SimpleNamespace(speeds=(stop > TIMES).astype(float)[None])
    rest = SimpleNamespace(positions=np.array([[1.0, 0.0, 0.0]]))
    return settling(motion, drives, rest, 5.0)


def test_a_tip_that_creeps_to_its_place_does_not_overshoot_and_settles_in_two_percent_of_its_way():
    found = settled(1 - np.exp(-TIMES))
    assert found.overshoot == pytest.approx(0.0, abs=1e-12)
    assert (found.way, found.band) == pytest.approx((1.0, 0.02))
    assert found.arrival == pytest.approx(-np.log(0.02), abs=0.01)
    assert found.time == pytest.approx(-np.log(0.02) - 1.0, abs=0.011)


@pytest.mark.parametrize("stop", [0.5, 4.0])
def test_an_oscillator_overshoots_by_its_closed_form(stop):
    """By exp(-pi zeta / sqrt(1 - zeta^2)); also if it passes its place while the drive still runs."""
    zeta, omega = 0.3, 1.0
    damped = omega * np.sqrt(1 - zeta**2)
    swing = np.cos(damped * TIMES) + zeta * omega / damped * np.sin(damped * TIMES)
    found = settled(1 - np.exp(-zeta * omega * TIMES) * swing, stop=min(stop, np.pi / damped))
    assert found.overshoot == pytest.approx(np.exp(-np.pi * zeta / np.sqrt(1 - zeta**2)), abs=1e-4)


def test_a_tip_that_returns_settles_in_two_percent_of_its_greatest_distance():
    found = settled(1 + np.exp(-TIMES) * np.sin(TIMES))
    assert found.way == 0.0
    assert found.overshoot is None
    greatest = np.exp(-np.pi / 4) * np.sin(np.pi / 4)
    assert found.band == pytest.approx(0.02 * greatest, rel=1e-3)
    assert found.arrival is not None


def test_an_overdamped_robot_does_not_overshoot():
    settings = {"mass_damping": 50.0, "drive_time": 0.5, "duration": 8.0, "disks": 4}
    outcome = MODEL.evaluate(MODEL.resolve(None, settings), "motion", 0)
    assert isinstance(outcome, Evaluation)
    assert outcome.metrics["overshoot"] == pytest.approx(0.0, abs=1e-3)
    assert outcome.metrics["settling_time"] is None  # the tip is still on its way
    assert outcome.metrics["tip_way"] > 0.1
