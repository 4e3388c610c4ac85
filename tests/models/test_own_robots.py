"""Robots of the user's own: defaults follow their cables, and no list of a preset joins them in silence."""

import math

import pytest

from errors import InputError
from models import load

CABLES, RODS = load("hybrid-cable-robot"), load("continuum-statics")


def own(cables):
    """Pulleys and attachments of a robot with so many cables, all that a user writes."""
    turns = [2 * math.pi * n / cables for n in range(cables)]
    return {
        "pulleys": [[math.cos(t), math.sin(t), 1.0] for t in turns],
        "attachments": [[0.1 * math.cos(t), 0.1 * math.sin(t), 0.0] for t in turns],
    }


@pytest.mark.parametrize("cables", [6, 7, 8, 12])
def test_pulleys_and_attachments_are_enough(cables):
    assert CABLES.resolve(None, own(cables)).cable_stiffness == 1000.0


def test_the_papers_robot_keeps_its_stiffnesses():
    assert CABLES.resolve(None, {}).cable_stiffness == (1000.0,) * 4 + (100.0,) * 4
    assert CABLES.resolve(None, {"attachments": own(8)["attachments"]}).cable_stiffness[7] == 100.0


def test_lists_of_a_preset_are_not_mixed_with_own_pulleys():
    with pytest.raises(InputError) as error:
        CABLES.resolve("constrained", own(8))
    assert error.value.place == ("pulleys",)
    assert "'platform_half_size' and 'cable_stiffness' would come from the preset 'constrained'" in str(
        error.value
    )
    whole = {**own(8), "platform_half_size": [0.1, 0.1, 0.1], "cable_stiffness": 1000}
    assert CABLES.resolve("constrained", whole).cable_stiffness == 1000.0


def test_a_list_that_does_not_fit_is_named_with_its_origin():
    with pytest.raises(InputError, match=r"'attachments' comes from the defaults: write your own"):
        CABLES.resolve(None, {"pulleys": own(6)["pulleys"]})


def test_items_of_lists_follow_the_cables_too():
    azimuths = ["0 deg", "90 deg", "180 deg", "270 deg"]
    assert RODS.resolve(None, {"tensions.3": 2.0, "hole_azimuths": azimuths}).tensions == (0.0, 0.0, 0.0, 2.0)


def test_a_stored_design_keeps_its_lists_when_its_pulleys_change():
    stored = CABLES.resolve(None, own(8)).model_dump()
    moved = [[2.0 * x for x in point] for point in own(8)["pulleys"]]
    assert CABLES.resolve_over(stored, {"pulleys": moved}).attachments[0] == (0.1, 0.0, 0.0)


def test_all_faults_are_found_and_an_angle_without_a_unit_is_asked_about():
    with pytest.raises(InputError) as error:
        CABLES.resolve(None, {"beta1": 270, "f_max": "5 kg", "colour": "red", "cells": 2.5})
    faults = "\n".join(fault.text for fault in error.value.faults)
    assert len(error.value.faults) == 4
    assert "did you mean '270 deg'?" in faults
    assert "unknown parameter 'colour'" in faults
