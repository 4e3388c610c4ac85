import math

import pytest

from models.continuity import DesignSpace
from models.continuum_statics.model import MODEL
from models.contract import Evaluation
from models.single_objective import Search
from models.testing import Law, ModelContract

SMALL = {"disks": 4, "rays": 3, "tension_steps": 21, "pretension_steps": 2}
ROBOT = {
    "hole_azimuths": [0.1, 2.0, 4.5], "tensions": [2.0, 1.0, 0.5], "tip_mass": 0.02, "gravity": [1.0, 2.0, 9.0],
    "tie_disks": [4, 3, 4], "targets": [[0.1, 0.05]],
}  # fmt: skip
OTHER_ORDER = {
    **ROBOT, "hole_azimuths": [4.5, 0.1, 2.0], "tensions": [0.5, 2.0, 1.0], "tie_disks": [4, 4, 3],
    "sweep_cable": 2,
}  # fmt: skip
C, S = math.cos(0.7), math.sin(0.7)
TURNED = {
    **ROBOT,
    "hole_azimuths": [0.8, 2.7, 5.2],
    "gravity": [C - 2 * S, S + 2 * C, 9.0],
    "targets": [[0.1 * C - 0.05 * S, 0.1 * S + 0.05 * C]],
}
STIFFER = {**ROBOT, "youngs_modulus": "230 GPa"}

RODS = DesignSpace({"backbone_diameter": (0.001, 0.002), "hole_radius": (0.015, 0.035)}, SMALL)
AREA = {"stable_workspace_area": (0.05, math.inf)}  # kept_by says so, and pages on payload and stiffness
PULLED = RODS._replace(settings={**SMALL, "tensions": [4.0, 1.0, 0.0], "tip_mass": 0.02})
BENT = {"tip_z": (-math.inf, 0.316)}  # of 0.32 m; kept_by of metrics under given tensions says so
MORE_SEARCHES = (
    Search("stable_workspace_area", RODS),
    *(
        Search(each, RODS, AREA)
        for each in (
            "workspace_mu_min", "workspace_max_strain", "workspace_max_stress", "stable_fraction",
            "required_tension", "tip_compliance", "mu_min", "mass",
        )
    ),
    *(Search(each, RODS) for each in ("target_miss", "reachable_volume")),
    *(
        Search(each, RODS, keeps={"stable_workspace_area": 0.1})
        for each in ("snap_tension", "first_loss_tension")
    ),
    *(Search(each, PULLED, BENT) for each in ("lambda_min_path", "max_payload")),
)  # fmt: skip


class TestContinuumStatics(ModelContract):
    model = MODEL
    more_lines = 7
    more_searches = MORE_SEARCHES
    searches = (
        Search("workspace_safety_factor", RODS, AREA),
        *(Search(each, PULLED) for each in ("tip_x", "tip_y")),
        *(
            Search(each, PULLED, BENT)
            for each in ("tip_z", "lambda_min", "max_strain", "max_stress", "safety_factor")
        ),
    )
    spaces = (
        DesignSpace(
            {
                "disk_spacing": (0.06, 0.1), "backbone_diameter": (0.0012, 0.002), "hole_radius": (0.02, 0.035),
                "hole_azimuths.1": (-0.8, -0.2), "tip_mass": (0.0, 0.02), "tensions.0": (0.0, 3.0),
            },
            {**SMALL, "disks": 3, "tension_steps": 11, "rays": 2, "payload_limit": 0.1},
        ),
    )  # fmt: skip
    finer = {"rays": 8, "tension_steps": 61, "pretension_steps": 5}  # noqa: RUF012
    settings = SMALL
    laws = (
        Law("another order of the cables", ROBOT, OTHER_ORDER),
        Law("a turn about the rod", ROBOT, TURNED, but=("tip_x", "tip_y")),
        Law("a stiffer rod", ROBOT, STIFFER, ("tip_compliance",), "falls"),
    )
    infeasible = (
        {"disks": 6, "gravity": "up", "tip_mass": "0.1 kg"},
        {"disks": 6, "gravity": "up", "disk_mass": "50 g"},
    )


@pytest.mark.parametrize("disks", [1, 40])
def test_the_fewest_and_the_most_disks_are_evaluated(disks):
    parameters = MODEL.resolve(None, {"disks": disks, "disk_spacing": 0.48 / disks, "tip_mass": 0.0})
    assert isinstance(MODEL.evaluate(parameters, "pose", 0), Evaluation)
