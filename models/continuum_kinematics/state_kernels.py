"""Compiled random states and the tips of many states at once; ``sections.forward`` defines a tip."""

from __future__ import annotations

import math

from models.arrays import FloatArray
from models.continuum_kinematics.robot import Robot
from models.jit import entry, inner

STRAIGHT = 1e-8  # [rad]; what a bend below it changes is lost in rounding


@inner
def fill_state(robot: Robot, draw: FloatArray, state: FloatArray) -> None:
    """Fill a state (k, 3) from numbers (k, 3) in [0, 1): lengths and the disks of bends are filled evenly."""
    for n in range(len(state)):
        bend, angle = robot.bend[n] * math.sqrt(draw[n, 1]), 2 * math.pi * draw[n, 2]
        state[n, 0] = robot.lower[n] + (robot.upper[n] - robot.lower[n]) * draw[n, 0]
        state[n, 1], state[n, 2] = bend * math.cos(angle), bend * math.sin(angle)


@entry
def fill_states(robot: Robot, draws: FloatArray, states: FloatArray) -> None:
    """Fill states (n, k, 3) from numbers (n, k, 3); see :func:`fill_state`."""
    for n in range(len(draws)):
        fill_state(robot, draws[n], states[n])


@entry
def fill_tips(states: FloatArray, tips: FloatArray) -> None:
    """Fill the tips (n, 3) m of states (n, k, 3): length [m], u and v [rad] of each section.

    From the tip to the base, so that no rotation is needed: each section moves a point of its end's frame
    to the frame where it begins. A = sin(theta)/theta and B = (1 - cos(theta))/theta^2 come from half the
    angle.
    """
    for n in range(len(states)):
        x, y, z = 0.0, 0.0, 0.0
        for k in range(states.shape[1] - 1, -1, -1):
            s, u, v = states[n, k, 0], states[n, k, 1], states[n, k, 2]
            theta = max(math.sqrt(u * u + v * v), STRAIGHT)
            sine, cosine = math.sin(0.5 * theta), math.cos(0.5 * theta)
            A, B, C = 2 * sine * cosine / theta, 2 * (sine / theta) ** 2, 1 - 2 * sine * sine
            along, across = u * x + v * y, v * x - u * y
            x, y, z = (
                C * x + B * v * across - u * (A * z + s * B),
                C * y - B * u * across - v * (A * z + s * B),
                A * (along + s) + C * z,
            )
        tips[n, 0], tips[n, 1], tips[n, 2] = x, y, z
