"""The back-end keeps the contract that all back-ends keep."""

from models.flexible_arm import MODEL
from models.testing import ModelContract


class TestFlexibleArm(ModelContract):
    model = MODEL
    settings = {"ensemble": {"runs": 3}}  # noqa: RUF012 - the suite's way to state settings
