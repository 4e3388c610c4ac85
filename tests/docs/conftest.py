"""Fixtures of tests of the documentation."""

from tests.service.conftest import call

__all__ = ["call"]
