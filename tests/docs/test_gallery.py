"""Pages from the file of a real robot to a decision: their studies, commands, pictures and figures."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from defusedxml.ElementTree import parse

import tautline
from docs.code_blocks import ROOT, commands
from docs.robot_fronts import HERE, evaluated, numbers, problems_of, searched, study_text
from studies.exchange.robot_files import read_robot
from tests.forked import run

PAGES = sorted(HERE.glob("*.md"))
ROBOTS = ROOT.parent / "shared" / "data" / "robots"
FILES = {
    "caroca": "caspr/CAROCA",
    "cogiro": "caspr/CoGiRo",
    "ipanema-2": "wirex/IPAnema2.wcrfx",
    "kntu-planar": "caspr/KNTU_planar",
    "spiderbot-ur3": "caspr/SpiderBot_UR3",
}
TAKEN = ("pulleys", "attachments", "pulley_radius", "pulley_axis", "freedoms", "plane", "f_min")
MOST_WORDS = 600


def page_id(page):
    return page.stem


def study_name(page):
    return tautline.parse_study(study_text(page)).name


def drawn(page):
    """The designs that the picture of a page holds as numbers."""
    root = parse(page.with_suffix(".svg")).getroot()
    return json.loads(root.findtext("{http://www.w3.org/2000/svg}desc"))


def test_there_is_a_page_with_a_picture_for_each_robot():
    assert [page.stem for page in PAGES] == list(FILES)
    assert sorted(path.stem for path in HERE.glob("*.svg")) == list(FILES)
    for page in PAGES:
        assert f"gallery/{page.name}" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_a_page_is_short(page):
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert len(prose.split()) <= MOST_WORDS


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_the_study_has_the_numbers_of_the_robot_s_file(page):
    file = ROBOTS / FILES[page.stem]
    if not file.exists():
        pytest.skip(f"{file} is not on this machine")
    read = read_robot(file)
    study = tautline.parse_study(study_text(page)).parameters
    for name in TAKEN:
        assert (name in read.parameters) == (name in study), name
        if name in study and name not in ("freedoms", "plane"):
            np.testing.assert_allclose(np.array(study[name], float), np.array(read.parameters[name], float))
        elif name in study:
            assert study[name] == read.parameters[name]


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_designs_of_the_picture_are_those_of_the_study(page):
    """Each is evaluated again, and none of the front is better than the chosen one in everything."""
    problems, shown = problems_of(page), drawn(page)
    for design in (*shown["front"], shown["chosen"], *([shown["file"]] if shown["file"] else [])):
        again = evaluated(design["layout"], problems[design["layout"]], design["variables"])
        assert again is not None
        assert again.objectives == pytest.approx(design["objectives"], rel=1e-9)
    signs = {goal.metric: goal.sign for goal in next(iter(problems.values())).objectives}
    costs = [[sign * design["objectives"][name] for name, sign in signs.items()] for design in shown["front"]]
    chosen = [sign * shown["chosen"]["objectives"][name] for name, sign in signs.items()]
    assert not any(np.less(cost, chosen).all() for cost in costs)
    assert f"study decide {study_name(page)} {shown['chosen']['key'][:8]} " in page.read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_the_page_tells_the_chosen_design(page):
    """The table of a decision has the objectives and variables of file and choice as the picture has them."""
    rows = dict(re.findall(r"^\| `([\w.]+)` \|(.*)\|$", page.read_text(encoding="utf-8"), flags=re.MULTILINE))
    shown = drawn(page)
    for column, design in enumerate((shown["file"], shown["chosen"])):
        values = {} if design is None else {**design["variables"], **design["objectives"]}
        for name, value in values.items():
            told = float(re.search(r"-?[\d.]+", rows[name].split("|")[column].replace(" ", ""))[0])
            assert told == pytest.approx(value, rel=6e-3, abs=6e-3), name


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_commands_of_the_page_work_in_order(page, tmp_path: Path):
    text = study_text(page)
    less = re.sub(r"population = \d+\ngenerations = \d+", "population = 4\ngenerations = 1", text)
    assert less != text
    (tmp_path / f"{page.stem}.toml").write_text(re.sub(r"cells = \d+", "cells = 8", less), encoding="utf-8")
    key = ""
    for line in commands(page):
        words = shlex.split(line)
        if words[1:3] == ["study", "new"]:  # of a file that a reader has
            continue
        if words[1:3] == ["study", "run"]:
            words += ["--workers", "1"]
        if words[1:3] == ["study", "decide"]:
            words[4] = key
        result = run(tmp_path, *words[1:], *(["--format", "json"] if "rank" in words else []))
        assert result.returncode == 0, f"{line}\n{result.stderr}"
        if "rank" in words:
            key = json.loads(result.stdout)["candidates"][0]["key"]


@pytest.mark.soak
@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_a_search_finds_what_is_drawn(page):
    found, shown = numbers(searched(page)), drawn(page)
    assert found["chosen"]["objectives"] == pytest.approx(shown["chosen"]["objectives"], rel=1e-6)
    assert len(found["front"]) == len(shown["front"])
