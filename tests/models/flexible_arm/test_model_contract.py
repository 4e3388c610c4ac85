"""The back-end keeps the contract that all back-ends keep."""

from models.flexible_arm import MODEL
from models.testing import ModelContract


class TestFlexibleArm(ModelContract):
    model = MODEL
