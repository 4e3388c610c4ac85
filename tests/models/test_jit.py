import subprocess
import sys

import numpy as np

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
from service.cli import main
for words in {commands!r}:
    sys.argv = ["tautline", *words]
    try:
        main()
    except SystemExit as end:
        assert not end.code, (words, end.code)
print(sorted({{"numba", "scipy", "pymoo"}} & sys.modules.keys()), file=sys.stderr)
"""


def test_commands_that_evaluate_nothing_load_no_numba_no_scipy_and_no_pymoo(store, tmp_path):
    commands = [
        ["--help"],
        ["models", "list"],
        ["models", "show", "hybrid-cable-robot"],
        ["study", "list", "--store", str(tmp_path / "tautline.db")],
    ]
    code = IMPORTED.format(commands=commands)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[]"
