"""Whatever stands in a file or in an option is read, or refused by an error of ours: at once, and with finite numbers."""

import json

import numpy as np
import pytest

from dashboards.content.robot.cable_robot_files import report_of
from models import load
from models.units import parse_quantity, si_quantity
from service.app.drafts import read_table
from service.cli.decisions import preferences
from service.web.documents import read_json
from studies.definition.documents import flattened, refuse_depth
from studies.definition.expressions import read_expression, unit_of_expression
from studies.definition.study_file import check_text, check_tree
from studies.exchange.csv_rows import read_rows
from studies.exchange.formats import design_file
from studies.exchange.robot_files import read_robots
from studies.problem.problem import check
from tests.fuzzing.mutation import budgets, fuzz, mutated_text, mutated_tree
from tests.service.routes.conftest import MIXED, study_text
from tests.studies.definition.test_derived_quantities import ROBOT, STUDY
from tests.studies.exchange import test_robot_files as robots
from tests.studies.exchange.test_own_files import GAZEBO

QUANTITIES = [
    "5 mm",
    "-2.5e-3 N*m/rad",
    "3 kg m^2/s^2",
    "20 degC",
    "50 %",
    "1/s",
    "(m/s)^1.5",
    "2 N·m",
    "1 min**2",
    "5 dB",
]
EXPRESSIONS = [
    "hole_radius / 10", "min(a, 2 [mm]) ** 2 + -b.q05 * pi", "sqrt(abs(x.0.2)) / (1e-3 - 2 [m/s])", "a ** (1 / 3) - sin(0.5)",
]  # fmt: skip
TOLERANCES = """
[tolerances]
x1 = { normal = 0.1 }
[robust]
method = "monte-carlo"
samples = 20
"""
STUDIES = [STUDY, ROBOT, MIXED, study_text(), study_text() + TOLERANCES]
TABLES = [
    "x [mm],y,z [cm]\n1,2.5,-3e2\n4,5,6\n", "a;b;c\n1;2;3\n", '"x [m]", y , z\n"1",2,3\n', "x,y,z\r\n1,2,3\r\n",
]  # fmt: skip


def checked(tree):
    """Check a tree as REST does; faults are listed."""
    refuse_depth(tree)
    check_tree(flattened(tree), check)


def of_texts(texts, read):
    """A case whose text is one of these, mutated."""

    def case(chance):
        text = mutated_text(chance, chance.choice(texts), texts)
        return text, lambda: read(text)

    return case


@pytest.mark.parametrize("budget", budgets(6000, 0.1))
def test_quantities(budget):
    fuzz(of_texts(QUANTITIES, lambda text: [parse_quantity(text, "m"), si_quantity(text)]), budget)


@pytest.mark.parametrize("budget", budgets(6000, 0.1))
def test_expressions(budget):
    def read(text):
        found = read_expression(text)
        unit_of_expression(found, lambda name: "N" if "a" in name else "mm", ())
        return [found.value(lambda _, value=value: value) for value in (0.0, -1.5, 1e300)]

    fuzz(of_texts(EXPRESSIONS, read), budget)


@pytest.mark.parametrize("budget", budgets(1000, 0.15))
def test_study_files(budget):
    def read(text):
        check_text(text, "study.toml", check)

    fuzz(of_texts(STUDIES, read), budget)


@pytest.mark.parametrize("budget", budgets(800, 0.1))
def test_trees_of_studies(budget):
    trees = [read_table(text) for text in STUDIES]

    def case(chance):
        tree = mutated_tree(chance, chance.choice(trees))
        return tree, lambda: checked(tree)

    fuzz(case, budget)


@pytest.mark.parametrize("budget", budgets(3000, 0.05))
def test_json_of_requests(budget):
    texts = [json.dumps(read_table(text)) for text in STUDIES]
    fuzz(of_texts(texts, lambda text: read_json(text.encode("utf-8", "surrogatepass"))), budget)


@pytest.mark.parametrize("budget", budgets(3000, 0.05))
def test_options_of_decisions(budget):
    def read(text):
        parts = text.split(";")
        preferences("topsis", parts[:1], parts[1:2], parts[2:], None)

    fuzz(of_texts(["f1=2;f2=0.3 m;total_mass <= 8 kg", "a=1;b=5 mm;size >= 2;x<=1e5"], read), budget)


@pytest.mark.parametrize("budget", budgets(1500, 0.1))
def test_tables(budget, tmp_path):
    field = type(load("hybrid-cable-robot").resolve(None, {})).model_fields["pulleys"]

    def read(text):
        (tmp_path / "table.csv").write_bytes(text.encode("utf-8", "surrogatepass"))
        return read_rows(field, "table.csv", tmp_path).items

    fuzz(of_texts(TABLES, read), budget)


# ---------------------------------------------------------------- robots


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Files of each format, by their names."""
    import yaml

    folder = tmp_path_factory.mktemp("robots")
    robots.caspr(folder, more="<K_cable>5000</K_cable>")
    made = [
        robots.wirex(folder),
        robots.wirex_text(folder),
        folder / "box_cables.xml",
        folder / "box_bodies.xml",
    ]
    tree = robots.cdpyr_tree()
    cable_robot = load("hybrid-cable-robot").resolve("constrained", {"cells": 6, "orientations": "nominal"})
    urdf = design_file(load("hybrid-cable-robot"), cable_robot, "urdf").content.decode()
    texts = {"box.json": json.dumps(tree), "box.yaml": yaml.safe_dump(tree), "box.urdf": urdf}
    texts["crane.yaml"] = GAZEBO
    return {file.name: file.read_text() for file in made} | texts


def require_a_robot(texts):
    """Read robots whose numbers are finite, and which the back-end takes or refuses."""
    for robot in read_robots(texts):
        assert np.isfinite([robot.parameters["pulleys"], robot.parameters["attachments"]]).all()
        report_of(robot)
        load("hybrid-cable-robot").resolve(None, robot.parameters)


@pytest.mark.parametrize("budget", budgets(250, 0.02))
@pytest.mark.parametrize(
    "name",
    [
        "box.wcrfx",
        "box.txt",
        "box_cables.xml",
        "box_bodies.xml",
        "box.json",
        "box.yaml",
        "box.urdf",
        "crane.yaml",
    ],
)
def test_robots(budget, name, files):
    beside = {
        other: text for other, text in files.items() if other.startswith("box_") and name.startswith("box_")
    }

    def case(chance):
        texts = beside | {name: mutated_text(chance, files[name], list(files.values()))}
        return texts, lambda: require_a_robot(texts)

    fuzz(case, budget)


@pytest.mark.parametrize("budget", budgets(400, 0.04))
def test_trees_of_robots(budget):
    def case(chance):
        tree = mutated_tree(chance, robots.cdpyr_tree())
        return tree, lambda: require_a_robot({"box.json": json.dumps(tree)})

    fuzz(case, budget)
