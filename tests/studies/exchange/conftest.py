"""Designs of each kind, small enough for quick files."""

import pytest

from models import load

SMALL = {"cells": 6, "orientations": "nominal"}
BODY = {"mass": 2.0, "centre_of_mass": [0.01, 0.0, -0.02], "inertia": [0.02, 0.03, 0.04, 0.001, 0.0, -0.002]}
LINK = {
    "mass": 0.3,
    "centre_of_mass": [0.05, 0.0, 0.01],
    "inertia": [0.001, 0.0012, 0.0015, 0.0, 0.0, 0.0001],
}


@pytest.fixture(scope="session")
def cable_robot():
    """The paper's robot with bodies that can exist, so that simulators accept them."""
    return load("hybrid-cable-robot").resolve(
        "constrained", {**SMALL, "platform_body": BODY, "arm_links": [LINK] * 6}
    )


@pytest.fixture(scope="session")
def axial_robot():
    return load("hybrid-cable-robot").resolve("suspended", {**SMALL, "axial_stiffness": 12345.678})


@pytest.fixture(scope="session")
def arm():
    return load("flexible-arm").resolve(None, {"duration": 0.05, "pinned": True})
