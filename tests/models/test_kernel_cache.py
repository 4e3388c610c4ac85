import multiprocessing
import os
import shutil
import stat
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import config

import errors
import models
from models import kernel_cache


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


@pytest.mark.skipif(os.name == "nt", reason="kept kernels: no POSIX permissions")
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


def write_process_number():
    """Write the number of the process that calls it, another one each time."""
    place = Path(os.environ["NUMBA_CACHE_DIR"]) / "numbers"
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("a", encoding="ascii") as file:
        file.write(f"{os.getpid()}\n")


def test_a_second_process_compiles_meanwhile_and_only_once(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(write_process_number, "__module__", Path(__file__).stem)
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    for _ in range(2):
        with kernel_cache.second_process(write_process_number):
            pass
    (place,) = tmp_path.rglob("numbers")  # in a folder of this version of the sources
    (number,) = place.read_text(encoding="ascii").split()
    assert int(number) != os.getpid()


def test_a_second_process_that_fails_is_missed_by_nobody(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(write_process_number, "__module__", "no_such_module")
    with kernel_cache.second_process(write_process_number):
        reached = True
    assert reached


def compile_small_kernel(home, found):
    """Run in a process of its own, which forgets the sources that it was forked with and takes those in ``home``."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("models", "errors")]:
        del sys.modules[name]
    sys.path.insert(0, str(home))
    from models.numerics.small_matrices import singular_extremes

    assert Path(sys.modules["models"].__file__).is_relative_to(home)
    assert singular_extremes(np.eye(3)) == (1.0, 1.0)
    stats = singular_extremes.compiled.stats
    found.put((sum(stats.cache_hits.values()), sum(stats.cache_misses.values())))


def test_a_second_process_finds_the_kernels_and_another_version_or_installation_does_not(
    tmp_path, monkeypatch
):
    """Also when the file of the kernel itself is the same in the other version, in a folder that the user chose."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    forks, found = multiprocessing.get_context("fork"), []
    for home, edited in (("one", False), ("one", False), ("other", False), ("one", True)):
        if not (tmp_path / home).exists():
            shutil.copytree(Path(models.__file__).parent, tmp_path / home / "models")
            shutil.copy(errors.__file__, tmp_path / home)
        if edited:
            (tmp_path / home / "models" / "scene.py").open("a").write("# edited\n")
        counts = forks.SimpleQueue()
        process = forks.Process(target=compile_small_kernel, args=(tmp_path / home, counts))
        process.start()
        process.join()
        assert process.exitcode == 0
        found.append(counts.get())
    assert found == [(0, 1), (1, 0), (0, 1), (0, 1)]


def test_a_process_that_another_one_starts_uses_the_same_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(config, "CACHE_DIR", config.CACHE_DIR)  # or the next tests compile all kernels again
    kernel_cache.set_kernel_cache()
    folder = os.environ["NUMBA_CACHE_DIR"]
    assert Path(folder).parent == tmp_path
    kernel_cache.set_kernel_cache()
    assert os.environ["NUMBA_CACHE_DIR"] == folder == config.CACHE_DIR
