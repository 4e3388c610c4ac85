"""Compiled equations of motion of the co-rotational form.

Their definition is :mod:`models.continuum_dynamics.corotational.elements`.

Matrices are sums of squares: of what a unit load on an element needs at its nodes. The stiffness of bending
and torsion is taken from central differences of the forces, to about 1e-9 of itself; it directs Newton's
method, and the forces decide where that ends. It is made symmetric, as it is where all moments balance.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_dynamics.corotational.element_kernels import (
    ElementRates,
    Elements,
    Ends,
    Loads,
    add_loads,
    axial_force,
    bending_moments,
    beside_chord,
    elastic_loads,
    element_rates,
    ends_of,
    middle_motion,
    new_elements,
    place_element,
    stretch_of,
)
from models.continuum_dynamics.robot import Robot
from models.jit import entry, inner
from models.numerics.rotation_kernels import rotated
from models.numerics.vector_kernels import Vector, add, cross, dot, put, row, scale, turn

BAND = 11  # entries of a matrix below its diagonal: an element joins two nodes of six coordinates
MOST_LOCAL = (
    math.pi**2 / 4
)  # [rad^2]; an end that turns by more against the chord is out of the model's range
DIFFERENCE = 1e-5  # [rad], and of an element's length
NONE = (0.0, 0.0, 0.0)


class Body(NamedTuple):
    """Room for n elements, base frame.

    Attributes
    ----------
    positions, rotations : (n + 1, 3) float, m, and (n + 1, 3, 3)
        Of the base and the disks.
    elements : Elements
    velocities, accelerations, forces : (n + 1, 6) float
        Linear, then angular, of the base and the disks.
    pair : (2, 6), flat : (12,) float
        What one load needs at the ends of an element; the same numbers twice.
    near, near_rotations : (2, 3), (2, 3, 3) float
        Displaced ends of one element, ``moved``.
    moved : Elements
    stiffness : (12, 12) float
    energies : (4,) float
    """

    positions: FloatArray
    rotations: FloatArray
    elements: Elements
    velocities: FloatArray
    accelerations: FloatArray
    forces: FloatArray
    pair: FloatArray
    flat: FloatArray
    near: FloatArray
    near_rotations: FloatArray
    moved: Elements
    stiffness: FloatArray
    energies: FloatArray


@inner
def new_body(positions: FloatArray, rotations: FloatArray) -> Body:
    """Room for elements between nodes at copies of these places."""
    count = len(positions)
    pair = np.empty((2, 6))
    return Body(
        positions.copy(), rotations.copy(), new_elements(count - 1),
        np.zeros((count, 6)), np.zeros((count, 6)), np.zeros((count, 6)), pair, pair.reshape(12),
        np.empty((2, 3)), np.empty((2, 3, 3)), new_elements(1), np.empty((12, 12)), np.empty(4),
    )  # fmt: skip


@inner
def place_elements(body: Body) -> float:
    """Put all elements between their nodes; returns the square of the largest local rotation [rad^2]."""
    largest = 0.0
    for k in range(len(body.elements.lengths)):
        largest = max(largest, place_element(body.positions, body.rotations, k, body.elements))
    return largest


@inner
def move_nodes(positions: FloatArray, rotations: FloatArray, q: FloatArray, body: Body) -> None:
    """Shift and turn the disks from their places by ``q`` (6n,) [m, rad]."""
    for k in range(1, len(positions)):
        i = 6 * (k - 1)
        put(body.positions[k], add(row(positions[k]), row(q[i : i + 3])))
        rotated(row(q[i + 3 : i + 6]), rotations[k], body.rotations[k])


@inner
def node_mass(robot: Robot, k: int) -> tuple[float, float, float]:
    """Mass [kg] of the disk at node k with its shares of the rod, and inertia across and along [kg m^2]."""
    share = 1 / 6 if k == len(robot.masses) else 1 / 3
    own, rod = robot.disk_inertias, robot.rod_inertias
    return robot.disk_mass + share * robot.rod_mass, own[0] + share * rod[0], own[1] + share * rod[1]


@inner
def round_inertia(across: float, along: float, R: FloatArray, w: Vector) -> Vector:
    """Inertia of a round body with the frame R (3, 3) times ``w``, base frame."""
    axis = (R[0, 2], R[1, 2], R[2, 2])
    return add(scale(across, w), scale((along - across) * dot(axis, w), axis))


@inner
def load_nodes(robot: Robot, body: Body) -> None:
    """Put what the disks need for their motion into the forces: inertia, mass damping and weight."""
    c, g = robot.mass_damping, row(robot.gravity)
    for k in range(1, len(body.positions)):
        mass, across, along = node_mass(robot, k)
        v, a, R = body.velocities[k], body.accelerations[k], body.rotations[k]
        w = row(v[3:])
        momentum = round_inertia(across, along, R, w)
        changing = round_inertia(across, along, R, add(row(a[3:]), scale(c, w)))
        put(body.forces[k, :3], scale(mass, add(row(a[:3]), add(scale(c, row(v[:3])), scale(-1.0, g)))))
        put(body.forces[k, 3:], add(changing, cross(w, momentum)))


@inner
def element_loads(robot: Robot, k: int, body: Body, ends: Ends, rates: ElementRates) -> Loads:
    """Elastic loads of element k, and what its auxiliary point needs for its motion."""
    at, c, L = body.elements, robot.mass_damping, robot.L
    acceleration, omega_dot = middle_motion(L, k, at, ends, rates, ends_of(body.accelerations, k, at))
    beside = beside_chord(L, row(at.local[k, 0]), row(at.local[k, 1]))
    speed = add(cross(rates.omega, beside), beside_chord(L, rates.local1, rates.local2))
    speed = add(speed, scale(0.5, add(ends.v1, ends.v2)))
    E, g = at.E[k], row(robot.gravity)
    weight = (
        E[0, 0] * g[0] + E[1, 0] * g[1] + E[2, 0] * g[2],
        E[0, 1] * g[0] + E[1, 1] * g[1] + E[2, 1] * g[2],
        E[0, 2] * g[0] + E[1, 2] * g[1] + E[2, 2] * g[2],
    )
    force = scale(2 / 3 * robot.rod_mass, add(acceleration, add(scale(c, speed), scale(-1.0, weight))))
    w, across, along = rates.omega, 2 / 3 * robot.rod_inertias[0], 2 / 3 * robot.rod_inertias[1]
    need = add(omega_dot, scale(c, w))
    turning = add(
        (across * need[0], across * need[1], along * need[2]),
        cross(w, (across * w[0], across * w[1], along * w[2])),
    )
    elastic = elastic_loads(robot, k, at, 1.0, axial_force(robot, k, at))
    damped1, damped2 = bending_moments(robot, rates.local1, rates.local2)
    first = add(elastic.local1, scale(robot.stiffness_damping, damped1))
    second = add(elastic.local2, scale(robot.stiffness_damping, damped2))
    return Loads(first, second, turning, elastic.axial, force)


@inner
def uncabled_forces(robot: Robot, v: FloatArray, a: FloatArray, body: Body, out: FloatArray) -> None:
    """Write the forces (6n,) [N, N m] of cables for velocities and accelerations (6n,) of placed disks."""
    for i in range(len(v)):
        body.velocities[i // 6 + 1, i % 6] = v[i]
        body.accelerations[i // 6 + 1, i % 6] = a[i]
    load_nodes(robot, body)
    for k in range(len(robot.masses)):
        ends = ends_of(body.velocities, k, body.elements)
        rates = element_rates(k, body.elements, ends)
        loads = element_loads(robot, k, body, ends, rates)
        add_loads(robot.L, k, body.elements, loads, body.forces[k], body.forces[k + 1])
    for i in range(len(out)):
        out[i] = body.forces[i // 6 + 1, i % 6]


@inner
def add_square(values: FloatArray, factor: float, k: int, out: FloatArray) -> None:
    """Add ``factor`` times the square of ``values`` (12,) at element k to the lower triangle of ``out``."""
    offset = 6 * (k - 1)
    begin = 6 if k == 0 else 0  # the base does not move
    for i in range(begin, 12):
        share = factor * values[i]
        for j in range(begin, i + 1):
            out[offset + i, offset + j] += share * values[j]


@inner
def add_load_square(L: float, k: int, body: Body, loads: Loads, factor: float, out: FloatArray) -> None:
    """Add ``factor`` times the square of what ``loads`` on element k need."""
    body.flat[:] = 0.0
    add_loads(L, k, body.elements, loads, body.pair[0], body.pair[1])
    add_square(body.flat, factor, k, out)


@inner
def unit(axis: int, factor: float) -> Vector:
    """``factor`` along an axis."""
    return factor if axis == 0 else 0.0, factor if axis == 1 else 0.0, factor if axis == 2 else 0.0


@inner
def add_mass(robot: Robot, factor: float, body: Body, out: FloatArray) -> None:
    """Add ``factor M`` of placed elements to the lower triangle of ``out`` (6n, 6n)."""
    for k in range(1, len(body.positions)):
        mass, across, along = node_mass(robot, k)
        i, R = 6 * (k - 1), body.rotations[k]
        for a in range(3):
            out[i + a, i + a] += factor * mass
            for b in range(a + 1):
                turned = (along - across) * R[a, 2] * R[b, 2] + (across if a == b else 0.0)
                out[i + 3 + a, i + 3 + b] += factor * turned
    for k in range(len(robot.masses)):
        for axis in range(3):
            inertia, one = robot.rod_inertias[1 if axis == 2 else 0], unit(axis, 1.0)
            point = Loads(NONE, NONE, NONE, 0.0, one)
            add_load_square(robot.L, k, body, point, factor * 2 / 3 * robot.rod_mass, out)
            turning = Loads(NONE, NONE, one, 0.0, NONE)
            add_load_square(robot.L, k, body, turning, factor * 2 / 3 * inertia, out)


@inner
def add_damping(robot: Robot, factor: float, body: Body, out: FloatArray) -> None:
    """Add ``factor`` times the stiffness of bending and torsion, for constant frames, to ``out`` (6n, 6n)."""
    for k in range(len(robot.masses)):
        for axis in range(3):
            stiffness = factor * (robot.GJ if axis == 2 else robot.EI) / robot.L
            one, less = unit(axis, 1.0), unit(axis, -1.0)
            add_load_square(robot.L, k, body, Loads(one, less, NONE, 0.0, NONE), stiffness, out)
            if axis < 2:
                add_load_square(robot.L, k, body, Loads(one, one, NONE, 0.0, NONE), 3 * stiffness, out)


@inner
def moved_forces(robot: Robot, k: int, body: Body, axial: float, coordinate: int, way: float) -> None:
    """Fill ``flat`` with the forces (12,) of element k where one coordinate of its ends is displaced.

    Elastic forces with the tension ``axial`` [N], and the weight of the auxiliary point. Coordinates 3 to 5
    turn the first end, 6 to 11 shift and turn the second.
    """
    for end in range(2):
        turned = unit(coordinate - 6 * end - 3, way)
        rotated(turned, body.rotations[k + end], body.near_rotations[end])
        put(body.near[end], add(row(body.positions[k + end]), unit(coordinate - 6 * end, way * robot.L)))
    place_element(body.near, body.near_rotations, 0, body.moved)
    elastic = elastic_loads(robot, 0, body.moved, 1.0, axial)
    E, g, share = body.moved.E[0], robot.gravity, -2 / 3 * robot.rod_mass
    weight = (
        share * (E[0, 0] * g[0] + E[1, 0] * g[1] + E[2, 0] * g[2]),
        share * (E[0, 1] * g[0] + E[1, 1] * g[1] + E[2, 1] * g[2]),
        share * (E[0, 2] * g[0] + E[1, 2] * g[1] + E[2, 2] * g[2]),
    )
    body.flat[:] = 0.0
    loads = Loads(elastic.local1, elastic.local2, NONE, axial, weight)
    add_loads(robot.L, 0, body.moved, loads, body.pair[0], body.pair[1])


@inner
def add_stiffness(robot: Robot, body: Body, out: FloatArray) -> None:
    """Add the stiffness of all elements to the lower triangle of ``out`` (6n, 6n).

    The stiffness against stretching is a square; the rest, at a constant tension, is from differences.
    Shifting both ends changes nothing, so the columns of the first end's shift follow from the second's.
    """
    K = body.stiffness
    for k in range(len(robot.masses)):
        axial = axial_force(robot, k, body.elements)
        stretching = elastic_loads(robot, k, body.elements, 0.0, 1.0)
        add_load_square(robot.L, k, body, stretching, robot.EA / robot.L, out)
        for column in range(3, 12):
            for way in (DIFFERENCE, -DIFFERENCE):
                moved_forces(robot, k, body, axial, column, way)
                size = 2 * way * (robot.L if 6 <= column < 9 else 1.0)
                for i in range(12):
                    K[i, column] = body.flat[i] / size + (0.0 if way > 0.0 else K[i, column])
        for i in range(12):
            for j in range(3):
                K[i, j] = -K[i, 6 + j]
        begin, offset = (6 if k == 0 else 0), 6 * (k - 1)
        for i in range(begin, 12):
            for j in range(begin, i + 1):
                out[offset + i, offset + j] += 0.5 * (K[i, j] + K[j, i])


@inner
def fill_energies(robot: Robot, v: FloatArray, body: Body, out: FloatArray) -> None:
    """Kinetic, elastic and gravity energy [J] of placed elements, and the power [W] of damping, into (4,)."""
    kinetic, elastic, weight, rate, g = 0.0, 0.0, 0.0, 0.0, row(robot.gravity)
    at, rod, inertias = body.elements, 2 / 3 * robot.rod_mass, robot.rod_inertias
    for i in range(len(v)):
        body.velocities[i // 6 + 1, i % 6] = v[i]
    for k in range(1, len(body.positions)):
        mass, across, along = node_mass(robot, k)
        moving, w = row(body.velocities[k, :3]), row(body.velocities[k, 3:])
        kinetic += 0.5 * mass * dot(moving, moving)
        kinetic += 0.5 * dot(w, round_inertia(across, along, body.rotations[k], w))
        weight -= mass * dot(g, row(body.positions[k]))
    for k in range(len(robot.masses)):
        ends = ends_of(body.velocities, k, at)
        rates = element_rates(k, at, ends)
        local1, local2, w = row(at.local[k, 0]), row(at.local[k, 1]), rates.omega
        beside = beside_chord(robot.L, local1, local2)
        moving = add(cross(w, beside), beside_chord(robot.L, rates.local1, rates.local2))
        moving = add(moving, scale(0.5, add(ends.v1, ends.v2)))
        kinetic += 0.5 * rod * dot(moving, moving)
        kinetic += (inertias[0] * (w[0] * w[0] + w[1] * w[1]) + inertias[1] * w[2] * w[2]) / 3
        place = add(
            scale(0.5, add(row(body.positions[k]), row(body.positions[k + 1]))), turn(at.E[k], beside)
        )
        weight -= rod * dot(g, place)
        first, second = bending_moments(robot, local1, local2)
        longer = stretch_of(robot, k, at)
        elastic += 0.5 * (dot(local1, first) + dot(local2, second) + robot.EA / robot.L * longer * longer)
        first, second = bending_moments(robot, rates.local1, rates.local2)
        rate += dot(rates.local1, first) + dot(rates.local2, second)
    out[0], out[1], out[2] = kinetic, elastic, weight
    out[3] = 2 * robot.mass_damping * kinetic + robot.stiffness_damping * rate


@entry
def evaluate_elements(
    robot: Robot, positions: FloatArray, rotations: FloatArray, v: FloatArray, a: FloatArray,
    mass: FloatArray, forces: FloatArray, energies: FloatArray,
) -> float:  # fmt: skip
    """Fill M's lower triangle (6n, 6n), forces (6n,), energies (4,); returns the largest local rotation^2."""
    body = new_body(positions, rotations)
    largest = place_elements(body)
    uncabled_forces(robot, v, a, body, forces)
    mass[:] = 0.0
    add_mass(robot, 1.0, body, mass)
    fill_energies(robot, v, body, energies)
    return largest
