"""The back-end: what it computes, draws and is checked by."""

import math
from collections.abc import Callable

import numpy as np

from models import Evaluation, Infeasible, Metric, Model, Outcome, Preset, ReferenceCase
from models.scene import Line, Points, Scene
from tautline_cable_camera.parameters import CameraParameters
from tautline_cable_camera.tensions import GRAVITY, tensions

SOURCE = "statics of a particle on two cables; any textbook of mechanics"


def workspace(robot: CameraParameters) -> Outcome:
    """The area in which the camera can accelerate in every direction, and the tension that this takes."""
    from tautline_cable_camera.kernels import evaluate_grid

    counters = {"cells": robot.cells**2}
    feasible, greatest, violation = evaluate_grid(
        robot.span,
        robot.depth,
        robot.tension_min,
        robot.tension_max,
        robot.mass,
        robot.acceleration,
        robot.cells,
    )
    if not feasible:
        return Infeasible("no position keeps both tensions within their limits", violation, counters)
    area = robot.span * robot.depth * feasible / robot.cells**2
    return Evaluation({"workspace_area": area, "tension": greatest}, counters)


def warm_up(cost_class: str, evaluate: Callable[[CameraParameters], Outcome]) -> None:
    """Compile the kernel, or load it."""
    evaluate(CameraParameters(cells=4))


def scene(robot: CameraParameters) -> Scene:
    """Both cables, with the camera in the middle of the area."""
    camera = np.array([0.0, 0.0, -robot.depth / 2])
    anchors = {"left": -robot.span / 2, "right": robot.span / 2}
    cables = [
        Line(f"{side} cable", np.array([[x, 0.0, 0.0], camera]), "cables") for side, x in anchors.items()
    ]
    return Scene((*cables, Points("camera", camera[None])), "the camera in the middle of its area")


def reference_cases() -> list[ReferenceCase]:
    """In the middle, tensions are ``m g / (2 sin)`` of the angle at which the cables hang."""
    robot = CameraParameters()
    sine = math.sin(math.atan2(robot.depth, robot.span / 2))
    at_rest, _ = tensions(np.array([0.0, -robot.depth]), robot.span, robot.mass, 0.0)
    expected = robot.mass * GRAVITY / (2 * sine)
    return [ReferenceCase("tension in the middle", "N", expected, float(at_rest[0]), 1e-12, SOURCE)]


MODEL = Model(
    name="cable-camera",
    version=1,
    summary="A camera on two cables in a vertical plane: where it can accelerate, and with which tension.",
    source=SOURCE,
    parameters=CameraParameters,
    presets={"stadium": Preset("a small camera over a playing field", "none; a round example", {})},
    metrics=(
        Metric("workspace_area", "m^2", "area in which all accelerations are possible", "maximize"),
        Metric("tension", "N", "greatest tension inside that area", "minimize"),
    ),
    stages={"workspace": workspace},
    scene=scene,
    reference_cases=reference_cases,
    warm_up=warm_up,
)
