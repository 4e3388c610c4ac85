"""A model whose version was really raised: `study reevaluate` on a store, and by a server."""

import json
import re
import shutil
import signal
import time

import httpx
import pytest

from tests import forked

MODEL = """
from models import Evaluation, Infeasible, Metric, Model, Parameters, Preset, quantity
from models.scene import Scene

VERSION = 1


class Spring(Parameters):
    wire: float = quantity(0.002, unit="m", description="diameter of the wire", ge=0.001, le=0.01)
    turns: float = quantity(5.0, unit="1", description="active turns", ge=1, le=20)


def evaluate(spring):
    rate = 8e10 * spring.wire**4 / (8 * 0.02**3 * spring.turns)
    mass = 7850 * 3.14 / 4 * spring.wire**2 * 3.14 * 0.02 * spring.turns
    if VERSION == 2:
        mass *= 1.5
        if spring.turns > 10:
            return Infeasible("the spring buckles", spring.turns - 10)
    return Evaluation({"rate.axial": rate, "mass": mass})


MODEL = Model(
    name="spring", version=VERSION, summary="A spring.", source="none", parameters=Spring,
    presets={"steel": Preset("steel", "none", {})},
    metrics=(
        Metric("rate.axial", "N/m", "spring rate", "minimize"),
        Metric("mass", "kg", "mass", "minimize"),
    ),
    stages={"all": evaluate}, scene=lambda spring: Scene((), ""), reference_cases=list, test_problem=True,
)
"""
STUDY = """
name = "springs"
model = "spring"
[variables]
wire = { lower = "1 mm", upper = "5 mm" }
turns = { lower = 2, upper = 20 }
[objectives]
"rate.axial" = "minimize"
mass = "minimize"
[search]
population = 8
generations = 3
"""
COMMAND = """
import sys
sys.dont_write_bytecode = True  # of a version that is replaced within a second
if __name__ == "__main__":  # a worker imports the script that started it
    from service.cli import main
    main()
"""


class Here:
    """A folder with the model installed beside it, as ``pip install --target`` leaves it."""

    def __init__(self, folder):
        self.folder, self.installed = folder, folder / "installed"
        about = self.installed / "spring_model-1.0.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: spring-model\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[tautline.models]\nspring = spring_model:MODEL\n")
        self.script = self.installed / "command.py"  # its folder is where a process finds modules
        self.script.write_text(COMMAND)
        self.environment = {
            "PYTHONPATH": str(self.installed), "PYTHONDONTWRITEBYTECODE": "1", "TAUTLINE_WARM": "no",
        }  # fmt: skip

    def install(self, version):
        text = MODEL.replace("VERSION = 1", f"VERSION = {version}", 1)
        (self.installed / "spring_model.py").write_text(text)

    def begin(self, *arguments, log):
        return forked.Begun(self.folder, arguments, self.environment, log, script=self.script)

    def run(self, *arguments, env=None):
        done = forked.run(
            self.folder, *arguments, check=0, env=self.environment | (env or {}), script=self.script
        )
        return done.stdout, done.stderr


@pytest.fixture(scope="module")
def raised(tmp_path_factory):
    """A study of the first version, in a place where the second one is installed."""
    here = Here(tmp_path_factory.mktemp("raised"))
    here.install(1)
    (here.folder / "springs.toml").write_text(STUDY)
    here.run("study", "run", "springs.toml", "--workers", "1")
    here.install(2)
    for name in ("here.db", "there.db"):
        shutil.copy(here.folder / "tautline.db", here.folder / name)
    return here


def assert_reevaluated(found, front):
    """Every design of the front, as stored and as the second version computes it."""
    stored = {design["key"]: design["metrics"] for design in front}
    assert [one["stored"]["key"] for one in found] == sorted(stored)
    infeasible = 0
    for one in found:
        was, now = one["stored"], one["now"]
        assert (was["model_version"], now["model_version"]) == (1, 2)
        assert was["metrics"] == stored[was["key"]]
        if one["outcome"] == "infeasible":
            infeasible += 1
            assert (now["reason"], now["metrics"]) == ("the spring buckles", {})
        else:
            assert one["outcome"] == "stays", "a mass 1.5 times as large changes no order"
            assert now["metrics"]["mass"] == was["metrics"]["mass"] * 1.5
            assert now["metrics"]["rate.axial"] == was["metrics"]["rate.axial"]
    assert 0 < infeasible < len(found)


def test_the_command_shows_old_numbers_beside_new_ones(raised):
    front = json.loads(raised.run("study", "front", "springs", "--format", "json")[0])
    command = ("study", "reevaluate", "springs", "--store", "here.db", "--workers", "1")
    out, err = raised.run(*command, "--format", "json")
    found = json.loads(out)
    assert_reevaluated(found, front)
    counts = re.search(r"spring version 1 -> 2: (.*)", err)[1]
    assert sorted(counts.split(", ")) == sorted(
        f"{sum(one['outcome'] == kind for one in found)} {kind}" for kind in ("stays", "infeasible")
    )
    table, _ = raised.run(*command, "--format", "csv")
    head, *rows = table.splitlines()
    assert head == "layout,rate.axial stored,rate.axial now,mass stored,mass now,outcome,reason,key"
    assert len(rows) == len(found)
    shown = raised.run(*command, env={"COLUMNS": "200"})[0]
    assert "mass now [" in shown
    assert "the spring buckles" in shown


def test_a_server_does_the_same_in_the_background(raised):
    front = json.loads(raised.run("study", "front", "springs", "--format", "json")[0])
    log = raised.folder / "serve.log"
    log.touch()
    serving = raised.begin(
        "serve",
        "--port",
        "0",
        "--workers",
        "1",
        "--store",
        "there.db",
        "--secret-file",
        "server.key",
        log=log,
    )
    try:
        deadline = time.monotonic() + 60
        while (address := re.search(r"serving .* at (http://\S+);", log.read_text())) is None:
            assert serving.poll() is None, log.read_text()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        token = raised.run(
            "token", "create", "test", "--store", "there.db", "--secret-file", "server.key"
        )[0].strip()  # fmt: skip
        with httpx.Client(
            base_url=f"{address[1]}/api/v1", headers={"Authorization": f"Bearer {token}"}
        ) as rest:
            before = rest.get("/studies/springs/reevaluation").json()
            assert (before["state"], before["version"], before["evaluated"]) == ("none", 2, 0)
            assert before["designs"] == len(front)
            assert rest.get("/studies/springs/reevaluation/designs").json() == {"items": [], "next": None}
            there = {"TAUTLINE_TOKEN": token}
            command = ("study", "reevaluate", "springs", "--server", address[1], "--format", "json")
            out, err = raised.run(*command, env=there)
            assert_reevaluated(json.loads(out), front)
            assert f"of {len(front)} designs" in err
            after = rest.get("/studies/springs/reevaluation").json()
            assert (after["state"], after["evaluated"]) == ("done", len(front))
            assert sum(after["outcomes"].values()) == len(front)
            asked = rest.post("/studies/springs/reevaluate")
            assert (asked.status_code, asked.json()) == (202, after), "nothing is left to compute"
            assert asked.headers["location"] == "/api/v1/studies/springs/reevaluation"
            part = rest.get("/studies/springs/reevaluation/designs", params={"limit": 2}).json()
            assert len(part["items"]) == 2
            assert part["next"]
    finally:
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(60) == 0, log.read_text()
