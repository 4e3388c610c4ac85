"""A plugin that does not import is reported with its cause, and hides no other model."""

import json

import pytest
from typer.testing import CliRunner

from errors import ModelLoadError
from models import registry
from service.app.study_checks import StorelessServices
from service.cli import app
from studies.definition.study_file import parse_study
from studies.problem.problem import check

STUDY = """
name = "broken"
model = "wood-robot"
[variables]
x = { lower = 0, upper = 1 }
[objectives]
f1 = "minimize"
[search]
generations = 1
"""


class Broken:
    """An entry point whose package does not import."""

    name = "wood-robot"
    value = "wood_robot:MODEL"

    def load(self):
        raise ImportError("No module named 'glue'")


@pytest.fixture(autouse=True)
def broken(monkeypatch):
    offered = registry.entry_points

    def with_broken(group):
        return [*offered(group=group), Broken()]

    monkeypatch.setattr(registry, "entry_points", with_broken)


def test_the_list_holds_the_others_and_says_why_one_is_not_there():
    found = {model.model: model.fault for model in StorelessServices().models.list().items}
    assert "ImportError: No module named 'glue'" in found["wood-robot"]
    assert "wood_robot:MODEL" in found["wood-robot"]
    assert found["bnh"] == found["hybrid-cable-robot"] == ""


def test_whatever_needs_it_says_why_it_cannot_be_loaded():
    for use in (lambda: StorelessServices().models.get("wood-robot"), lambda: check(parse_study(STUDY))):
        with pytest.raises(ModelLoadError, match="No module named 'glue'"):
            use()


def test_the_command_line_lists_the_others_and_warns():
    run = CliRunner().invoke(app, ["models", "list", "--format", "json"])
    assert run.exit_code == 0, run.output
    listed = {row["model"]: row["fault"] for row in json.loads(run.stdout)}
    assert "glue" in listed["wood-robot"]
    table = CliRunner().invoke(app, ["models", "list", "--format", "csv"])
    assert table.exit_code == 0
    assert "wood-robot" not in table.stdout
    assert "No module named 'glue'" in table.stderr
