import os
import pickle
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import errors
import models
from models import jit, kernel_cache
from models.hybrid_cable_robot.cell_test_kernels import test_cells as cells_kernel


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A machine without a home to cache in, whose folder for passing files is ``tmp_path``."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(kernel_cache, "user_cache_path", lambda _: tmp_path / "file" / "tautline")
    monkeypatch.setattr(kernel_cache.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(kernel_cache.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(kernel_cache, "getuser", lambda: "me")
    return tmp_path


def test_without_a_home_kernels_go_to_a_private_folder(temporary):
    folder = kernel_cache._writable_cache()
    assert folder == temporary / "tautline-me"
    assert stat.S_IMODE(folder.stat().st_mode) & 0o022 == 0
    assert kernel_cache._writable_cache() == folder


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
@pytest.mark.parametrize("kind", ["open", "link", "file"])
def test_a_folder_that_others_can_write_to_is_not_used(temporary, kind):
    wanted = temporary / "tautline-me"
    if kind == "open":
        wanted.mkdir()
        wanted.chmod(0o777)
    elif kind == "link":
        (temporary / "elsewhere").mkdir(mode=0o700)
        wanted.symlink_to(temporary / "elsewhere")
    else:
        wanted.touch()
    folder = kernel_cache._writable_cache()
    assert folder != wanted
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_what_is_compiled_once_is_not_compiled_again(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    calls = []
    for what in ("one", "one", "other"):
        kernel_cache.once(what, lambda what=what: calls.append(what))
    assert calls == ["one", "other"]


@pytest.mark.parametrize(
    ("set_by_user", "found", "used"),
    [
        (None, "+avx2,+avx512f", "+avx2,+avx512f,-prefer-256-bit"),
        (None, "+avx2,-avx512f", None),
        ("+sse2", "+avx512f", "+sse2"),
    ],
)
def test_kernels_use_all_of_wide_registers_unless_the_user_says_otherwise(
    monkeypatch, set_by_user, found, used
):
    config = SimpleNamespace(CPU_FEATURES=set_by_user)
    monkeypatch.setattr("numba.core.codegen.get_host_cpu_features", lambda: found)
    jit._use_whole_registers(config)
    assert used == config.CPU_FEATURES


SMALL_KERNEL = """
import numpy as np
from models.hybrid_cable_robot.workspace_grid.inscribed_box import (_largest_box, largest_boxes)
assert len(largest_boxes(np.ones((2, 2, 2), bool))) == 1
print(sum(_largest_box.stats.cache_hits.values()), sum(_largest_box.stats.cache_misses.values()))
"""


def test_a_second_installation_of_the_same_version_finds_the_kernels_and_another_version_does_not(tmp_path):
    """Also when the file of the kernel itself is the same in the other version."""
    found = []
    for home in ("first", "second", "other"):
        shutil.copytree(Path(models.__file__).parent, tmp_path / home / "models")
        shutil.copy(errors.__file__, tmp_path / home)
        if home == "other":
            (tmp_path / home / "models" / "scene.py").open("a").write("# edited\n")
        environment = {
            **os.environ, "PYTHONPATH": str(tmp_path / home), "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        }  # fmt: skip
        found.append(
            subprocess.run(
                [sys.executable, "-c", SMALL_KERNEL], env=environment, cwd=tmp_path, capture_output=True,
                text=True, check=True,
            ).stdout.split()
        )  # fmt: skip
    assert found == [["0", "1"], ["1", "0"], ["0", "1"]]


def in_a_process(code):
    subprocess.run([sys.executable, "-c", code], check=True)


def test_models_are_known_without_numba():
    in_a_process("""
import sys, models
for name in models.names():
    models.load(name)
assert "numba" not in sys.modules
""")


def test_numba_is_imported_without_scipy_linalg_and_calls_blas_all_the_same():
    in_a_process("""
import sys
import numpy as np
from models.jit import compiler

product = compiler().njit(lambda a: a @ a)
turned = compiler().njit(lambda a: a.T + 0.0)(np.eye(2))
assert "scipy.linalg" not in sys.modules
a = np.arange(9.0).reshape(3, 3)
np.testing.assert_allclose(product(a), np.dot(a, a))
np.testing.assert_array_equal(turned, np.eye(2))
""")


def test_kernels_are_pickled_by_name():
    assert pickle.loads(pickle.dumps(cells_kernel)) is cells_kernel  # noqa: S301 - our own bytes


def test_kernels_on_disk_are_loaded_before_numba_can_compile_and_it_can_afterwards():
    evaluated = """
import sys
import models

model = models.load("hybrid-cable-robot")
model.prepare("workspace")
found = model.evaluate(model.resolve("constrained", {"cells": 6}), "workspace", 0)
"""
    in_a_process(evaluated)  # now they are on disk
    in_a_process(f"""{evaluated}
import numpy as np
from models.jit import compiler

assert not {{"coverage", "cffi", "numba.np.npyimpl"}} & sys.modules.keys()
before = found.metrics
assert compiler().njit(lambda a: a[0] + a.sum())(np.ones(2)) == 3.0
assert "numba.np.npyimpl" in sys.modules
again = model.evaluate(model.resolve("constrained", {{"cells": 6}}), "workspace", 0)
assert again.metrics == before
""")
