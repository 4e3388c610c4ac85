"""The studies of the continuum robot in small, and what a search is told of designs that fail."""

import re

import pytest

from docs.code_blocks import ROOT
from models.continuum_statics import ContinuumStatics
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import parse_study, read_study
from studies.problem.problem import build_problems as check
from studies.results.export import evaluation_table
from studies.results.fronts import fronts
from studies.run.launch import run_study

SMALL = {"rays": 3, "tension_steps": 21}

FAILING = """
name = "standing"
model = "continuum-statics"
seeds = [1]
[parameters]
gravity = "up"
tip_mass = "50 g"
[variables]
backbone_diameter = { lower = "1 mm", upper = "3 mm" }
[objectives]
mu_min = "maximize"
mass = "minimize"
[search]
algorithm = "lhs"
population = 12
generations = 1
"""


def small(name: str, population: int, generations: int) -> StudyDefinition:
    """A study of ``examples/`` with fewer designs, rays and tensions."""
    definition = read_study(ROOT / "examples" / f"{name}.toml")
    search = definition.search.model_copy(update={"population": population, "generations": generations})
    parameters = {**definition.parameters, **(SMALL if "rays" in definition.parameters else {})}
    changes = {"seeds": [1], "search": search, "parameters": parameters}
    return definition.model_copy(update=changes)


@pytest.mark.parametrize(
    "name", ["continuum-workspace", pytest.param("continuum-payload", marks=pytest.mark.soak)]
)
def test_example_finds_a_front(name, store, inline, make_executor):
    definition = small(name, 4, 1)
    study = run_study(store, definition, inline(make_executor()))
    assert study.state == "done"
    found = evaluation_table(store, study)
    assert set(found["state"]) <= {"done", "infeasible"}
    assert (found["state"] == "done").any()
    front = fronts(store, study)["default"]
    assert front
    for design in front:
        assert design.violation == 0
        assert set(definition.objectives) <= set(design.metrics)


FORMER_NAMES = """
name = "former"
model = "continuum-statics"
seeds = [1]
parameters.section_mass = "6 g"
[variables]
rod_diameter = { lower = "1 mm", upper = "3 mm" }
segments = { lower = 4, upper = 8, type = "integer" }
pace = { lower = "50 mm", upper = "60 mm", drives = [{ parameter = "segment_length" }] }
[tolerances]
rod_diameter = { uniform = "1 %" }
[objectives]
mu_min = "maximize"
mass = "minimize"
[search]
algorithm = "lhs"
population = 4
generations = 1
"""


def test_a_study_with_former_names_searches_the_same_designs(store, inline, make_executor):
    present = FORMER_NAMES.replace("former", "present")
    for former, now in ContinuumStatics.renamed.items():
        present = re.sub(rf"\b{former}\b", now, present)
    assert present.count("backbone_diameter") == 2
    found = []
    for text in (FORMER_NAMES, present):
        definition = parse_study(text)
        remarks = [remark for problem in check(definition).values() for remark in problem.remarks]
        study = run_study(store, definition, inline(make_executor()))
        found.append([m.evaluation.key for m in store.history(study.runs[0])])
        assert len(evaluation_table(store, study)) == 4
        assert ("segments is now disks" in " ".join(remarks)) == (text is FORMER_NAMES)
    assert found[0] == found[1]


def test_the_search_of_the_workspace_counts_disks(store, inline, make_executor):
    study = run_study(store, small("continuum-workspace", 8, 1), inline(make_executor()))
    designs = [member.evaluation.task.parameters for member in store.history(study.runs[0])]
    assert all(isinstance(design["disks"], int) for design in designs)
    assert len({design["disks"] for design in designs}) > 2
    assert {design["length"] for design in designs} == {0.48}


def test_two_thousand_designs_are_planned():
    definition = read_study(ROOT / "examples" / "continuum-workspace.toml")
    assert definition.search.population * definition.search.generations == 2000


def test_designs_that_do_not_stand_are_infeasible_with_a_number_that_shrinks(store, inline, make_executor):
    study = run_study(store, parse_study(FAILING), inline(make_executor()))
    found = evaluation_table(store, study).sort_values("backbone_diameter [m]")
    fallen = found[found["state"] == "infeasible"]
    assert set(found["state"]) == {"done", "infeasible"}
    assert (
        fallen["backbone_diameter [m]"].max() < found[found["state"] == "done"]["backbone_diameter [m]"].min()
    )
    assert fallen["reason"].str.len().min() > 10
    assert (fallen["violation"] > 0).all()
    assert fallen["violation"].is_monotonic_decreasing
