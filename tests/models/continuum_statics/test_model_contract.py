from models.continuum_statics.model import MODEL
from models.testing import ModelContract


class TestContinuumStatics(ModelContract):
    model = MODEL
    settings = {"rays": 3, "tension_steps": 21, "pretension_steps": 2}  # noqa: RUF012 - the suite's way to state settings
    infeasible = ({"gravity": "up", "tip_mass": "0.1 kg"}, {"gravity": "up", "section_mass": "50 g"})
