"""Code blocks of README and docs do what they say."""

from pathlib import Path

import pytest

from docs.fences import PAGES, Fence, fences
from errors import InputError
from studies.launch import check
from studies.study_file import parse_study
from tests.forked import run

STUDIES = [
    block
    for page in PAGES
    for block in fences(page, "toml")
    if block.title not in {"fragment", "wrong", "pyproject.toml"}
]
SCRIPTS = [
    block
    for page in PAGES
    for block in fences(page, "python")
    if block.title not in {"fragment", "with a server", "test_swinging_rod.py"} and "/" not in block.title
]
WRONG = [(one, two) for page in PAGES for one, two in zip(fences(page), fences(page)[1:], strict=False)]
WRONG = [(one, two) for one, two in WRONG if one.title == "wrong"]


@pytest.mark.parametrize("block", STUDIES, ids=str)
def test_study_files_are_sound(block: Fence) -> None:
    assert check(parse_study(block.text))


@pytest.mark.parametrize(("block", "message"), WRONG, ids=str)
def test_wrong_study_files_are_refused_as_shown(block: Fence, message: Fence) -> None:
    with pytest.raises(InputError) as caught:
        check(parse_study(block.text))
    assert str(caught.value) == message.text.strip()


@pytest.mark.parametrize("block", SCRIPTS, ids=str)
def test_scripts_run(block: Fence, tmp_path: Path) -> None:
    path = tmp_path / (block.title or "script.py")
    path.write_text(block.text, encoding="utf-8")
    result = run(tmp_path, script=path)
    assert result.returncode == 0, result.stderr


def test_there_is_something_to_run() -> None:
    assert len(STUDIES) >= 4
    assert len(WRONG) >= 3
    assert len(SCRIPTS) >= 4
