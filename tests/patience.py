"""Commands that tests start evaluate models in a child process that a user's command would hand to Dask.

A user's command starts Dask where a model takes more than half a millisecond, or has not shown within a second how
long it takes: processor seconds for each command of a test, in which nothing but the designs is looked at. Tests of
what happens to a cluster ask for it by the fixture ``clusters``; when one is started is tested in
``tests/studies/execution``, with the product's own numbers.
"""

import os

import pytest

from studies.execution import evaluation_call, executor

NUMBERS = (
    (evaluation_call, "CHEAP_SECONDS", 0.2),
    (executor, "DEAR_SECONDS", 2.0),
    (executor, "PATIENCE_SECONDS", 60.0),
)
"""Numbers that change, with their values."""
_NAME = "TAUTLINE_TESTS_CLUSTERS"


def be_patient():
    """Wait longer in a process that runs a command of a test."""
    if os.environ.get(_NAME) != "1":
        for module, name, value in NUMBERS:
            setattr(module, name, value)


@pytest.fixture(scope="module")
def clusters():
    """Commands of this file start Dask as they do for users."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(_NAME, "1")
        yield
