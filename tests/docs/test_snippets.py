"""Code blocks of README and docs do what they say."""

from pathlib import Path

import pytest

from docs.code_blocks import PAGES, ROOT, CodeBlock, code_blocks
from errors import InputError
from studies.definition.study_file import check_text, parse_study
from studies.problem.problem import check
from tests.forked import run

# Tests of their own carry these out.
OTHERS = [page for page in PAGES if page.name not in {"own-model.md", "adding-an-algorithm.md"}]
STUDIES = [
    block
    for page in OTHERS
    for block in code_blocks(page, "toml")
    if block.title
    not in {"fragment", "wrong", "with a data file", "with the package", "pyproject.toml", "own-robot.toml"}
]
SCRIPTS = [
    block
    for page in OTHERS
    for block in code_blocks(page, "python")
    if block.title not in {"fragment", "with a server", "test_swinging_rod.py"} and "/" not in block.title
]
WRONG = [
    (one, two) for page in PAGES for one, two in zip(code_blocks(page), code_blocks(page)[1:], strict=False)
]
WRONG = [(one, two) for one, two in WRONG if one.title == "wrong"]

LONG = {"sweep.py", "robust_design.py"}
"""Scripts that take seconds, and whose steps have tests of their own among those of ``studies``."""


def _script(block: CodeBlock) -> object:
    return pytest.param(block, marks=pytest.mark.soak) if block.title in LONG else block


@pytest.mark.parametrize("block", STUDIES, ids=str)
def test_study_files_are_sound(block: CodeBlock) -> None:
    assert check(parse_study(block.text))


@pytest.mark.parametrize(("block", "message"), WRONG, ids=str)
def test_wrong_study_files_are_refused_as_shown(block: CodeBlock, message: CodeBlock) -> None:
    with pytest.raises(InputError) as caught:
        check(parse_study(block.text))
    assert str(caught.value) == message.text.strip()


def test_a_list_is_read_from_the_file_beside_the_study_and_its_faults_are_told_as_shown(
    tmp_path: Path,
) -> None:
    blocks = {
        block.title: block.text
        for block in code_blocks(ROOT / "docs" / "guide" / "study-file.md")
        if block.title
    }
    text, data = blocks["with a data file"], tmp_path / "targets.csv"
    data.write_text(blocks["targets.csv"])
    definition, _ = check_text(text, "study.toml", check, tmp_path)
    assert definition.parameters["targets"] == [[0.2, 0], [0.1414, 0.1414], [0, 0.2]]
    data.write_text(blocks["targets.csv"].replace("141.4", "14l.4", 1))
    with pytest.raises(InputError) as caught:
        check_text(text, "study.toml", check, tmp_path)
    assert str(caught.value) == blocks["with a faulty data file"].strip()


def test_poses_are_read_from_the_file_beside_the_study(tmp_path: Path) -> None:
    page = ROOT / "docs" / "models" / "continuum-kinematics.md"
    blocks = {block.title: block.text for block in code_blocks(page) if block.title}
    (tmp_path / "seam.csv").write_text(blocks["seam.csv"])
    _, problems = check_text(blocks["with a data file"], "study.toml", check, tmp_path)
    (problem,) = problems.values()
    outcome = problem.model.evaluate(problem.model.resolve(None, problem.settings), "tasks", 0)
    assert outcome.metrics["ik_success"] == 1.0


def test_drives_and_measured_positions_are_read_from_their_files(tmp_path: Path) -> None:
    page = ROOT / "docs" / "models" / "continuum-dynamics.md"
    blocks = {block.title: block.text for block in code_blocks(page) if block.title}
    for name in ("cable-1.csv", "tip.csv"):
        (tmp_path / name).write_text(blocks[name])
    _, problems = check_text(blocks["with a data file"], "study.toml", check, tmp_path)
    (problem,) = problems.values()
    outcome = problem.model.evaluate(problem.model.resolve(None, problem.settings), "motion", 0)
    assert 0 < outcome.metrics["tip_error.x"] < 0.02
    assert outcome.metrics["disk_error.z"] == outcome.metrics["tip_error.z"]


def test_the_ground_of_an_arm_is_read_from_its_file(tmp_path: Path) -> None:
    page = ROOT / "docs" / "models" / "flexible-arm.md"
    blocks = {block.title: block.text for block in code_blocks(page) if block.title}
    (tmp_path / "ground.csv").write_text(blocks["ground.csv"])
    definition, problems = check_text(blocks["with a data file"], "study.toml", check, tmp_path)
    assert definition.parameters["ground"][1] == {"x": -0.5, "height": 0.05}
    (problem,) = problems.values()
    outcome = problem.model.evaluate(problem.model.resolve(None, problem.settings), "first-contact", 0)
    assert outcome.metrics["first_contact_peak_force"] > 1000


@pytest.mark.parametrize("block", [_script(block) for block in SCRIPTS], ids=str)
def test_scripts_run(block: CodeBlock, tmp_path: Path) -> None:
    path = tmp_path / (block.title or "script.py")
    path.write_text(block.text, encoding="utf-8")
    result = run(tmp_path, script=path)
    assert result.returncode == 0, result.stderr


def test_there_is_something_to_run() -> None:
    assert len(STUDIES) >= 4
    assert len(WRONG) >= 3
    assert len(SCRIPTS) >= 4
