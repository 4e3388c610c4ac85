"""The distribution as it is uploaded: in environments with what its metadata asks for and nothing else."""

import ast
import os
import subprocess
import sys
import tomllib
import zipfile
from functools import partial
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import empty_environment
from tests.service import own_models
from tests.service.serving import Serving
from tests.service.test_demo import SMALL

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The distribution, as it is uploaded."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--quiet", "--no-deps", "--no-build-isolation", "-w", folder]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, ROOT], check=True)
    (built,) = folder.glob("tautline-*.whl")
    return built


@pytest.fixture(scope="module")
def wheel_of_sdist(tmp_path_factory):
    """The wheel that pip builds from the source distribution alone."""
    folder = tmp_path_factory.mktemp("sdist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder], cwd=ROOT, check=True
    )
    (source,) = folder.glob("tautline-*.tar.gz")
    options = ["--quiet", "--no-deps", "--no-build-isolation", "-w", folder]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, source], check=True)
    (built,) = folder.glob("tautline-*.whl")
    return built


@pytest.fixture(scope="module", params=["wheel", "wheel_of_sdist"])
def built(request):
    return request.getfixturevalue(request.param)


def test_wheel_and_source_distribution_install_the_same(wheel, wheel_of_sdist):
    one, other = (
        {each.filename: each.CRC for each in zipfile.ZipFile(path).infolist()}
        for path in (wheel, wheel_of_sdist)
    )
    assert one == other


def test_the_wheel_holds_every_file_of_the_packages(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())
    tools = {"package.json", "package-lock.json", "tsconfig.json", "tsconfig.pages.json", ".npmrc"}
    made = {"__pycache__", "node_modules", "rest.d.ts"}  # not in the repository
    for package in ("models", "studies", "dashboards", "service"):
        files = {path.relative_to(ROOT) for path in (ROOT / package).rglob("*") if path.is_file()}
        sources = {str(file) for file in files if not made & {*file.parts} and file.name not in tools}
        assert len(sources) > 40
        assert sources - held == set()


def test_the_wheel_holds_the_examples_as_a_part_of_the_service(wheel):
    files = [file.name for file in (ROOT / "examples").glob("*.toml")]
    held = {
        name
        for name in zipfile.ZipFile(wheel).namelist()
        if "example" in name and name.endswith((".py", ".toml")) and "generated" not in name
    }
    assert held == {"service/examples.py", *(f"service/example_studies/{name}" for name in files)}


def imported(source):
    """Top-level modules that a source imports, wherever in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield str(node.module).partition(".")[0]


def test_every_package_that_is_imported_is_asked_for(wheel):
    """A package that is there only because another one needs it may be gone with the other's next version."""
    held = zipfile.ZipFile(wheel)
    files = [name for name in held.namelist() if name.endswith(".py")]
    own = {*sys.stdlib_module_names, *(name.partition("/")[0].removesuffix(".py") for name in files)}
    found = {name for file in files for name in imported(held.read(file))} - own
    assert len(found) > 30
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = (project["optional-dependencies"][extra] for extra in ("server", "step", "mcp", "gest", "gp"))
    named = [*project["dependencies"], *chain.from_iterable(extras), "pytest"]  # suites for authors of models
    asked = {canonicalize_name(Requirement(text).name) for text in named}
    homes = packages_distributions()
    homeless = {name for name in found if not asked & set(map(canonicalize_name, homes.get(name, [name])))}
    assert homeless == set()


# ---------------------------------------------------------------- installed

COMMAND = """
from importlib.metadata import entry_points
(command,) = entry_points(group="console_scripts", name="tautline")
command.load()()
"""
"""Script that pip writes into ``bin/tautline``."""

ONE_BY_ONE = """
import sys
from service.cli import main
for words in sys.argv[1:]:
    sys.argv = ["tautline", *words.split()]
    try:
        main()
    except SystemExit as ended:
        if ended.code:
            raise
"""
"""Commands in one process, which is not another one for each."""


def surroundings(folder):
    """Environment variables without a way out of the installed packages, with a place for kernels."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept | {"NUMBA_CACHE_DIR": str(folder / "kernels")}


def run_in(folder, python, code, *arguments, status=0, seconds=280):
    done = subprocess.run(
        [python, "-c", code, *arguments],
        cwd=folder, env=surroundings(folder), capture_output=True, text=True, check=False, timeout=seconds,
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    return done.stdout or done.stderr


@pytest.fixture(scope="module")
def core(built, tmp_path_factory):
    """Runs Python where ``pip install tautline`` was carried out."""
    folder = tmp_path_factory.mktemp("core")
    run = partial(run_in, folder, empty_environment.make(folder / "environment", built))
    own_models.write(folder)
    assert run("import tautline, models; print(models.__file__)").startswith(str(folder / "environment"))
    return run


def test_the_core_shows_checks_runs_compares_and_reports_studies(core):
    commands = (
        "models list",
        "study new multi.toml --from multi-section",
        "study check own.toml --model bar.py",
        "study run own.toml --model bar.py --workers 1",
        "study compare own",
        "study report own",
        "study export own own.csv",
    )
    assert "hybrid-cable-robot" in core(ONE_BY_ONE, *commands)
    assert int(core("from pathlib import Path; print(Path('own.html').stat().st_size)")) > 100_000


def test_without_the_extra_serve_says_what_to_install(core):
    said = core(COMMAND, "serve", status=2)
    assert "needs fastapi and uvicorn" in said
    assert "pip install 'tautline[server]'" in said


@pytest.mark.soak  # compiles all kernels anew
@pytest.mark.timeout(600)
def test_the_core_holds_all_that_the_demo_needs(core):
    core(COMMAND, "demo", *SMALL, seconds=560)
    size = "from pathlib import Path; print(Path('tautline-demo/report.html').stat().st_size)"
    assert int(core(size)) > 100_000


def test_with_the_extra_serve_answers(built, tmp_path):
    python = empty_environment.make(tmp_path / "environment", built, "server")

    def begin(folder, arguments, env, log):
        with log.open("a") as written:
            return subprocess.Popen(
                [python, "-c", COMMAND, *map(str, arguments)],
                cwd=folder, env=surroundings(folder) | env, stdout=written, stderr=written,
            )  # fmt: skip

    with Serving(tmp_path, "--workers", "1", begin=begin) as server, server.browser() as browser:
        assert browser.get("/health").json() == {"status": "alive"}
        assert browser.get("/api/v1/me").json()["role"] == "admin"
        named = {model["model"] for model in browser.get("/api/v1/models").json()["items"]}
        assert "hybrid-cable-robot" in named
        assert "bnh" not in named, "no plugin of the tests' own environment is there"
        assert browser.get("/").status_code == 200
        assert server.runner
        assert browser.get("/ready").json() == {"status": "ready"}
        assert server.stop()[0] == 0, server.text()


def test_a_package_that_the_metadata_does_not_ask_for_is_missing(wheel, tmp_path):
    python = empty_environment.make(tmp_path / "environment", wheel, without=["tomlkit"])
    ran = partial(run_in, tmp_path, python)
    assert "hybrid-cable-robot" in ran(ONE_BY_ONE, "models list")
    assert "No module named 'tomlkit'" in ran("import dashboards.content.robot.study_file", status=1)
