"""The main job end to end, small: both robots searched, stored, compared and reported."""

import os
import sqlite3
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SMALL = ["--population", "8", "--generations", "3", "--cells", "8", "--workers", "2"]


def rows(path, table):
    with sqlite3.connect(path) as connection:
        count = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
    connection.close()
    return count


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Folder in which the demo has run."""
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def shown(tautline_in, folder):
    """Output of the demo."""
    return tautline_in(folder)("demo", *SMALL, check=0)


def test_demo_stores_every_design_and_reports_both_robots(tautline_in, folder, shown):
    store = folder / "tautline-demo" / "tautline.db"
    assert rows(store, "run") == 2 * 5
    assert rows(store, "run_evaluation") == 2 * 5 * 8 * 3
    designs = rows(store, "evaluation")
    assert rows(store, "generation") == 2 * 5 * 3
    assert rows(store, "front_member") >= 5
    report = (folder / "tautline-demo" / "report.html").read_text(encoding="utf-8")
    assert report.count("constrained") > 5
    assert report.count("suspended") > 5
    assert "hypervolume" in shown.stdout
    assert "best workspace volume" in shown.stdout
    again = tautline_in(folder)("demo", *SMALL, check=0)
    assert "starting workers" not in again.stderr
    assert rows(store, "evaluation") == designs


@pytest.mark.usefixtures("shown")
def test_the_study_that_demo_leaves_behind_can_be_run(tautline_in, folder):
    assert "10 runs" in tautline_in(folder)("study", "check", "tautline-demo/study.toml", check=0).stderr


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


def test_wheel_and_source_distribution_install_the_same(wheel, wheel_of_sdist):
    one, other = (
        {each.filename: each.CRC for each in zipfile.ZipFile(path).infolist()}
        for path in (wheel, wheel_of_sdist)
    )
    assert one == other


SERVER = ("fastapi", "starlette", "uvicorn")
"""Packages of the extra ``server``."""


def third_party(folder):
    """The third-party packages of this environment but those of the server, as links."""
    folder.mkdir()
    for each in Path(sysconfig.get_path("purelib")).iterdir():
        if not each.name.startswith((*SERVER, "tautline", "_tautline", "__editable__")):
            (folder / each.name).symlink_to(each)
    return folder


@pytest.fixture(scope="module", params=["wheel", "wheel_of_sdist"])
def installed(request, tmp_path_factory):
    """Runs Python where it is installed beside nothing but the third-party packages of this environment."""
    wheel = request.getfixturevalue(request.param)
    folder = tmp_path_factory.mktemp("new")
    home = folder / "environment"
    venv.create(home, with_pip=False, symlinks=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    zipfile.ZipFile(wheel).extractall(site)  # as pip does, which takes longer
    (site / "third_party.pth").write_text(f"{third_party(folder / 'core')}\n")
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(code, *arguments, status=0):
        done = subprocess.run(
            [home / "bin" / "python", "-c", code, *arguments],
            cwd=folder, env=plain, capture_output=True, text=True, check=False, timeout=280,
        )  # fmt: skip
        assert done.returncode == status, done.stderr
        return done.stdout or done.stderr

    assert run("import tautline, models; print(models.__file__)").startswith(str(home))
    return run


def test_the_wheel_holds_every_file_of_the_packages(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())
    tools = {"package.json", "package-lock.json", "tsconfig.json", "tsconfig.pages.json", ".npmrc"}
    made = {"__pycache__", "node_modules", "rest.d.ts"}  # not in the repository
    for package in ("models", "studies", "dashboards", "service"):
        files = {path.relative_to(ROOT) for path in (ROOT / package).rglob("*") if path.is_file()}
        sources = {str(file) for file in files if not made & {*file.parts} and file.name not in tools}
        assert len(sources) > 40
        assert sources - held == set()


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


def test_commands_of_an_installed_wheel_work(installed):
    commands = ["models list", "study new own.toml --from multi-section", "study check own.toml"]
    assert "hybrid-cable-robot" in installed(ONE_BY_ONE, *commands)


def test_without_the_extra_serve_says_what_to_install(installed):
    said = installed("from service.cli import main; main()", "serve", status=2)
    assert "needs fastapi and uvicorn" in said
    assert "pip install 'tautline[server]'" in said


def test_the_wheel_holds_the_examples_as_a_part_of_the_service(wheel):
    files = [file.name for file in (ROOT / "examples").glob("*.toml")]
    held = {
        name
        for name in zipfile.ZipFile(wheel).namelist()
        if "example" in name and name.endswith((".py", ".toml")) and "generated" not in name
    }
    assert held == {"service/examples.py", *(f"service/example_studies/{name}" for name in files)}


@pytest.mark.soak  # compiles all kernels anew
@pytest.mark.timeout(600)
def test_an_installed_wheel_holds_all_that_the_demo_needs(installed):
    installed("from service.cli import main; main()", "demo", *SMALL)
    size = "from pathlib import Path; print(Path('tautline-demo/report.html').stat().st_size)"
    assert int(installed(size)) > 100_000
