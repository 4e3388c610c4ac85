import pytest

from models.continuum_statics.model import MODEL
from models.contract import Evaluation
from models.testing import ModelContract


class TestContinuumStatics(ModelContract):
    model = MODEL
    settings = {"disks": 4, "rays": 3, "tension_steps": 21, "pretension_steps": 2}  # noqa: RUF012 - the suite's way to state settings
    infeasible = (
        {"disks": 6, "gravity": "up", "tip_mass": "0.1 kg"},
        {"disks": 6, "gravity": "up", "disk_mass": "50 g"},
    )


@pytest.mark.parametrize("disks", [1, 40])
def test_the_fewest_and_the_most_disks_are_evaluated(disks):
    parameters = MODEL.resolve(None, {"disks": disks, "disk_spacing": 0.48 / disks, "tip_mass": 0.0})
    assert isinstance(MODEL.evaluate(parameters, "pose", 0), Evaluation)
