import subprocess
import sys

import numpy as np
import pytest

from models.jit import Kernel, entry, inner


@inner
def double(a):
    return 2.0 * a


@entry
def double_sum(values):
    total = 0.0
    for value in values:
        total += double(value)
    return total


def test_a_kernel_calls_another_one_and_both_are_compiled_when_first_called():
    other = Kernel(double_sum.__wrapped__)
    assert "compiled" not in vars(other)
    assert other(np.arange(3.0)) == double_sum(np.arange(3.0)) == 6.0
    assert len(other.compiled.nopython_signatures) == 1


def test_a_kernel_keeps_the_name_and_the_docstring_of_its_function():
    assert (double.__name__, double.__module__) == ("double", __name__)


IMPORTED = """
import sys
sys.argv = {arguments!r}
from service.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(sorted({{"numba", "scipy", "pymoo"}} & sys.modules.keys()), file=sys.stderr)
"""


def imported_by(*arguments):
    code = IMPORTED.format(arguments=["tautline", *arguments])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    "arguments", [["--help"], ["models", "list"], ["models", "show", "hybrid-cable-robot"]], ids=" ".join
)
def test_a_command_that_evaluates_nothing_loads_no_numba_no_scipy_and_no_pymoo(arguments):
    assert imported_by(*arguments) == "[]"


def test_listing_studies_loads_none_of_them_either(store, tmp_path):
    assert imported_by("study", "list", "--store", str(tmp_path / "tautline.db")) == "[]"
