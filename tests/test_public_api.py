"""The public module offers what it says, and notices packages that hide its own."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import tautline

HOME = Path(tautline.__file__).resolve().parent
USED_INSIDE = {
    "Any",
    "TYPE_CHECKING",
    "DEFAULT_STORE",
    "Path",
    "Report",
    "annotations",
    "find_spec",
    "load_defined",
    "load_file",
    "nullcontext",
    "shown_progress",
    "version",
}


def _import_in(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


def test_all_lists_exactly_the_public_names() -> None:
    """The test names modules for internal use, so that nothing joins the interface by accident."""
    found = {
        name
        for name, value in vars(tautline).items()
        if not name.startswith("_") and (name == "figures" or not isinstance(value, ModuleType))
    }
    assert sorted(found - USED_INSIDE) == tautline.__all__
    assert found >= USED_INSIDE


def test_version_is_the_distributions() -> None:
    text = (HOME / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{tautline.__version__}"' in text


@pytest.mark.parametrize("name", ["errors", "models", "studies", "dashboards", "service"])
def test_hidden_package_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.py").write_text("raise RuntimeError('imported')\n", encoding="utf-8")
    result = _import_in(tmp_path, "import tautline")
    assert result.returncode == 1
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("tautline.ShadowedPackageError:")
    assert str(tmp_path / f"{name}.py") in last
    assert str(HOME) in last


def test_package_that_is_already_imported_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "__init__.py").touch()
    result = _import_in(
        tmp_path,
        "import sys, models\n"
        "sys.path.pop(0)\n"
        "try:\n"
        "    import tautline\n"
        "except ImportError as error:\n"
        "    print(error.name, error.path)\n",
    )
    assert result.stdout.split() == ["models", str(tmp_path / "models" / "__init__.py")]


def test_folder_without_init_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    assert _import_in(tmp_path, "import tautline").returncode == 0


def test_run_refuses_a_bad_study_and_makes_no_store(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('name = "bad"\n', encoding="utf-8")
    store = tmp_path / "tautline.db"
    with pytest.raises(tautline.InputError):
        tautline.run(path, store=str(store))
    assert not store.exists()


def test_run_is_found_finished_the_second_time(tmp_path: Path, bnh_study: str) -> None:
    definition = tautline.parse_study(bnh_study)
    store = str(tmp_path / "tautline.db")
    first = tautline.run(definition, store=store, workers=1)
    assert first.state == "done"
    again = tautline.run(definition, store=store, scheduler="tcp://127.0.0.1:1")  # asks nobody
    assert (again.state, again.created) == (first.state, first.created)
