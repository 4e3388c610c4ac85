"""Robots that many tests of this back-end share."""

from models.continuum_statics import ContinuumStatics

PAPER = {"density": 0.0, "enforce_material_limits": False}  # sections include the rod, which may yield


def paper(**settings):
    """The paper's robot, or one that differs from it in ``settings``."""
    return ContinuumStatics.model_validate({**PAPER, **settings})
