import gc
import importlib
import pkgutil
import subprocess
import sys
import typing

import numba
import numpy as np
import pytest
from numba.core import event

import models
from models import kernel_pipeline
from models.jit import Kernel, entry, inlined, inner


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


def root_of_sum(values):
    return np.sqrt(double(values[0]) + values[1] / 3.0)


def sum_of_roots(values):
    total = 0.0
    for _ in values:
        total += root(values)
    return total


root = inner(root_of_sum)


def test_inner_kernels_give_the_numbers_that_numba_gives_by_itself(monkeypatch):
    values = np.random.default_rng(0).random(50)
    found = Kernel(sum_of_roots)(values)
    assert root.compiled.nopython_signatures
    plain = numba.njit(double.__wrapped__)
    monkeypatch.setitem(globals(), "double", plain)
    monkeypatch.setitem(globals(), "root", numba.njit(root_of_sum))
    assert numba.njit(sum_of_roots)(values) == found


@inner
def halves_of(values):
    return 0.5 * values


def sum_of_halves(values):
    return halves_of(values).sum() + halves_of(values)[0]


def test_references_are_counted_only_where_arrays_are_made():
    values = np.arange(4.0)
    making, reading = Kernel(sum_of_halves), Kernel(double_sum.__wrapped__)
    assert (making(values), reading(values)) == (3.0, 12.0)
    counting = [
        "NRT_" in llvm for kernel in (making, reading) for llvm in kernel.compiled.inspect_llvm().values()
    ]
    assert counting == [True, False]


class Values(typing.NamedTuple):
    values: np.ndarray


def first_beside_an_array(record):
    return record.values[0] + np.zeros(2)[1]


def test_arrays_of_a_record_are_released_after_the_call(monkeypatch):
    monkeypatch.setattr(Values, "__module__", "models.values")  # else it is no record
    values, kernel = np.ones(3), Kernel(first_beside_an_array)
    before = sys.getrefcount(values)
    assert [kernel(Values(values)) for _ in range(3)] == [1.0] * 3
    assert sys.getrefcount(values) == before


class CollectorWatch(event.Listener):
    """Notes at each pass of a compilation if the garbage collector is on."""

    def __init__(self):
        self.seen = set()

    def on_start(self, _event):
        self.seen.add(gc.isenabled())

    def on_end(self, _event):
        pass


def test_the_garbage_collector_rests_while_a_kernel_is_compiled_and_then_goes_on():
    watch = CollectorWatch()
    assert gc.isenabled()
    event.register("numba:run_pass", watch)
    try:
        Kernel(sum_of_roots)(np.ones(3))
        with pytest.raises(numba.TypingError):
            Kernel(sum_of_roots)("no array")
    finally:
        event.unregister("numba:run_pass", watch)
    assert watch.seen == {False}
    assert gc.isenabled()


def test_an_inner_kernel_refuses_to_be_called_by_python():
    Kernel(sum_of_roots)(np.ones(3))
    with pytest.raises((TypeError, ValueError)):
        root.compiled(np.ones(3))


def test_an_inner_kernel_reports_an_error_where_it_is_called():
    @inlined
    def refuse(value):
        if value < 0.0:
            raise ValueError("less than nothing")
        return value

    @inner
    def pass_on(value):
        return refuse(value)

    def call(value):
        return pass_on(value)

    assert Kernel(call)(1.0) == 1.0
    with pytest.raises(ValueError, match="less than nothing"):
        Kernel(call)(-1.0)


def test_the_installed_numba_is_one_whose_inner_kernels_are_compiled_without_machine_code():
    assert numba.__version__.startswith(kernel_pipeline.KNOWN), (
        "see whether models/kernel_pipeline.py still fits this numba: if all tests of models pass with its "
        "versions among KNOWN, add it there"
    )
    assert kernel_pipeline.options_of(inner=True)


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


INTERRUPTED = """
import os, signal, threading, time
import numpy as np
from models import load
from models.continuum_statics.continuation_kernels import Ramp, follow_ramp
from models.continuum_statics.robot import robot_of

signal.signal(signal.SIGINT, signal.default_int_handler)
model = load("continuum-statics")
body = robot_of(model.resolve(None, {}))
ramp = Ramp(np.zeros(3), np.array([1.0, 0.0, 0.0]), 1.0, 0.0)
given = body, ramp, np.linspace(0.0, 5.0, 20_000), np.zeros((6, 3)), True
follow_ramp(*given)
for _ in range(5):
    timer = threading.Timer(0.005, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        follow_ramp(*given)
        time.sleep(60)
    except KeyboardInterrupt:
        print("interrupted")
    timer.join()
"""


def test_ctrl_c_during_a_kernel_is_an_interruption():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()) == (0, ["interrupted"] * 5), done.stderr


def numbers_of(hint):
    """The types in a return hint, those in its tuples by themselves."""
    inner_hints = typing.get_args(hint)
    return set().union(*map(numbers_of, inner_hints)) if inner_hints else {hint}


def test_kernels_that_python_calls_return_numbers_and_fill_arrays():
    names = [module.name for module in pkgutil.walk_packages(models.__path__, "models.")]
    members = {id(m): m for name in names for m in vars(importlib.import_module(name)).values()}
    kernels = [m for m in members.values() if isinstance(m, Kernel) and m.options.get("cache")]
    assert len(kernels) > 20
    for kernel in kernels:
        hint = typing.get_type_hints(kernel.__wrapped__).get("return", type(None))
        assert numbers_of(hint) <= {type(None), int, float, bool}, kernel.__qualname__
