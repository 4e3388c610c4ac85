import pytest

from models.continuum_statics.model import MODEL
from models.contract import Evaluation
from models.testing import ModelContract


class TestContinuumStatics(ModelContract):
    model = MODEL
    settings = {"segments": 4, "rays": 3, "tension_steps": 21, "pretension_steps": 2}  # noqa: RUF012 - the suite's way to state settings
    infeasible = (
        {"segments": 6, "gravity": "up", "tip_mass": "0.1 kg"},
        {"segments": 6, "gravity": "up", "section_mass": "50 g"},
    )


@pytest.mark.parametrize("segments", [1, 40])
def test_the_fewest_and_the_most_segments_are_evaluated(segments):
    parameters = MODEL.resolve(
        None, {"segments": segments, "segment_length": 0.48 / segments, "tip_mass": 0.0}
    )
    assert isinstance(MODEL.evaluate(parameters, "pose", 0), Evaluation)
