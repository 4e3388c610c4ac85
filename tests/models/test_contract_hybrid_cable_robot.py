from models.hybrid_cable_robot import MODEL
from models.testing import ModelContract


class TestHybridCableRobot(ModelContract):
    model = MODEL
    settings = {"cells": 8}  # noqa: RUF012 - the suite's way to state settings
    infeasible = (
        {"wrench_set": "paper-extreme"},
        {"f_max": "1 N"},
        {"clearance": "0.4 m"},
        {"platform_half_size": [0.2, 0.2, 0.2]},
        {"f_min": "22 N"},
    )
