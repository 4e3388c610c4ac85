"""The gallery: its entries, pictures and commands, and what the build says of an entry that lacks something."""

import json
import re
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomlkit
from mkdocs.exceptions import PluginError

import tautline
from docs import gallery_pages
from docs.code_blocks import ROOT, code_blocks_of, commands_of
from docs.example_pictures import moving_svg
from docs.gallery_entries import HERE, Entry, entries, entry_of, faults, pages, problems_of
from docs.gallery_fronts import evaluated, nice_ticks, numbers, picture_of, same, scene_of, searched, svg
from docs.gallery_pages import designs_of, page_text, wall
from errors import InputError
from studies import execution
from studies.exchange.robot_files import read_robot
from tests.forked import run

ENTRIES = entries()
ROBOTS = ROOT.parent / "shared" / "data" / "robots"
FILES = {
    "caroca": "caspr/CAROCA",
    "cogiro": "caspr/CoGiRo",
    "ipanema-2": "wirex/IPAnema2.wcrfx",
    "kntu-planar": "caspr/KNTU_planar",
    "spiderbot-ur3": "caspr/SpiderBot_UR3",
}
TAKEN = ("pulleys", "attachments", "pulley_radius", "pulley_axis", "freedoms", "plane", "f_min")
WORDS = range(150, 351)
"""Words of a page without its study file, commands and tables."""
SMALL = {
    "hybrid-cable-robot": {"cells": 8},
    "continuum-statics": {"rays": 3, "tension_steps": 21},
    "continuum-kinematics": {"samples": 1000, "directions": 10},
    "continuum-dynamics": {},
    "flexible-arm": {"modes": 1, "ensemble": {"runs": 2}},
}
"""Parameters that make an evaluation of each back-end short."""
MOST_AGAIN = 5
"""Designs of a front that a test evaluates again."""

each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)


PUBLISHED = {
    "paper-40": "The paper's search",
    "cogiro": "CoGiRo",
    "ipanema-1": "IPAnema 1",
    "ipanema-2": "IPAnema 2",
    "segesta": "SEGESTA",
    "caroca": "CAROCA",
    "kntu-planar": "KNTU planar",
    "continuum-payload": "snaps",
    "catheter": "catheter",
    "multi-section": "sections",
    "cable-drive": "cable",
    "falling-arm": "fall",
}
"""Pages of published robots, and what their titles name."""


def test_every_example_and_every_robot_s_file_has_a_page():
    names = {path.stem for path in (ROOT / "examples").glob("*.toml")}
    shown = [entry.study.stem for entry in ENTRIES if entry.is_example]
    assert sorted(shown) == sorted(names)
    assert {path.stem for path in HERE.glob("*.toml")} == set(FILES) <= {entry.name for entry in ENTRIES}


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_robot_has_a_page(name):
    assert PUBLISHED[name] in entry_of(HERE / f"{name}.md").title


def test_every_entry_is_on_the_wall_and_in_the_bar():
    bar = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for entry in ENTRIES:
        assert f"gallery/{entry.page.name}" in bar
        assert f"[![{entry.title}](pictures/{entry.name}.svg)]({entry.page.name})" in wall()
    assert wall().count("- [![") == len(ENTRIES)


def test_no_entry_lacks_anything_and_no_picture_is_left_over():
    assert list(faults(pages())) == []
    names = {entry.name for entry in ENTRIES}
    assert {path.stem for path in HERE.glob("*.svg")} == names
    assert {path.stem for path in (HERE / "pictures").glob("*.svg")} == names


GOOD = """---
question: Is it good?
study: {study}
front: one line
why: It is.
---
# A robot

## The decision

## Beside the literature
"""


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("question: Is it good?\n", ""), "'question' in the head: Field required"),
        (("Is it good?", "It is good."), "'question' in the head: String should match pattern"),
        (("front: one line\n", ""), "'front' in the head: Field required"),
        (("# A robot", "A robot"), "robot.md has no title"),
        (("## Beside the literature\n", ""), "has no section 'Beside the literature'"),
        (("robot.toml", "gone.toml"), "gone.toml"),
        (("robot.toml", "wrong.toml"), "no_such_metric"),
        (("", ""), "gallery/robot.md has no robot.svg in pictures/: run make gallery UPDATE=1"),
    ],
)
def test_the_build_says_which_entry_lacks_what_and_fails(change, fault, tmp_path, monkeypatch):
    study = (HERE / "kntu-planar.toml").read_text(encoding="utf-8")
    (tmp_path / "robot.toml").write_text(study, encoding="utf-8")
    (tmp_path / "wrong.toml").write_text(
        study.replace("workspace_volume", "no_such_metric"), encoding="utf-8"
    )
    page = tmp_path / "robot.md"
    text = GOOD.replace("{study}", str(tmp_path / "robot.toml"))
    page.write_text(text.replace(*change) if change[0] else text, encoding="utf-8")
    monkeypatch.setattr(gallery_pages, "pages", lambda: [page])
    with pytest.raises(PluginError) as caught:
        gallery_pages.on_pre_build()
    assert "robot.md" in str(caught.value)
    assert fault in str(caught.value)


def test_a_page_without_a_head_is_refused(tmp_path):
    page = tmp_path / "robot.md"
    page.write_text("# A robot\n\n## The decision\n\n## Beside the literature\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"robot\.md: 'question' in the head"):
        entry_of(page)


@each_entry
def test_a_page_is_short_and_has_all_its_parts(entry):
    text = page_text(entry)
    prose = re.sub(r"^```.*?^```$|^\|.*?$|<[^>]+>", "", text, flags=re.MULTILINE | re.DOTALL)
    assert len(prose.split()) in WORDS
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings[-4:] == ["The study", "The front", "The decision", "Beside the literature"]
    assert re.search(r"takes \S.* minutes? on two cores", text), (
        "the study file does not say how long it takes"
    )
    (block,) = [each for each in code_blocks_of(text) if each.language == "toml"]
    assert block.text == entry.study.read_text(encoding="utf-8")
    for name, value in designs_of(entry)["chosen"]["objectives"].items():
        assert re.search(rf"^\| `{re.escape(name)}` \|.*{re.escape(f'{value:.4g}')}", text, re.MULTILINE)


@pytest.mark.parametrize("name", FILES)
def test_the_study_has_the_numbers_of_the_robot_s_file(name):
    file = ROBOTS / FILES[name]
    if not file.exists():
        pytest.skip(f"{file} is not on this machine")
    read = read_robot(file)
    study = tautline.read_study(HERE / f"{name}.toml").parameters
    for taken in TAKEN:
        assert (taken in read.parameters) == (taken in study), taken
        if taken in study and taken not in ("freedoms", "plane"):
            np.testing.assert_allclose(np.array(study[taken], float), np.array(read.parameters[taken], float))
        elif taken in study:
            assert study[taken] == read.parameters[taken]


@each_entry
def test_designs_of_the_front_are_those_of_the_study(entry):
    """Some are evaluated again, and none of the front is better than the chosen one in everything."""
    shown = designs_of(entry)
    front = shown["front"]
    some = front[:: max(1, len(front) // (MOST_AGAIN - 2))][: MOST_AGAIN - 2]
    are_as_evaluated(entry, [*some, shown["chosen"], *([shown["file"]] if shown["file"] else [])])
    signs = {goal.metric: goal.sign for goal in next(iter(problems_of(entry).values())).objectives}
    costs = [[sign * design["objectives"][name] for name, sign in signs.items()] for design in front]
    chosen = [sign * shown["chosen"]["objectives"][name] for name, sign in signs.items()]
    assert not any(np.less(cost, chosen).all() for cost in costs)


@pytest.mark.soak
@each_entry
def test_all_designs_of_the_front_are_those_of_the_study(entry):
    are_as_evaluated(entry, designs_of(entry)["front"])


def are_as_evaluated(entry: Entry, designs: list[dict[str, Any]]) -> None:
    """Demand that designs of a picture, evaluated again, have the objectives that it holds."""
    problems = problems_of(entry)
    for design in designs:
        again = evaluated(design["layout"], problems[design["layout"]], design["variables"])
        assert again is not None
        assert len(again.objectives) > 0
        for name, value in again.objectives.items():
            assert value == pytest.approx(design["objectives"][name], rel=1e-5), name


@each_entry
def test_the_front_is_drawn_from_its_designs(entry):
    drawn = svg(picture_of(designs_of(entry)), entry)
    assert same(drawn, entry.front.read_text(encoding="utf-8")), "run make gallery UPDATE=1"


@each_entry
def test_the_picture_is_that_of_the_chosen_robot(entry):
    chosen = designs_of(entry)["chosen"]
    drawn = moving_svg(scene_of(problems_of(entry)[chosen["layout"]], chosen["variables"]))
    assert same(drawn, entry.picture.read_text(encoding="utf-8")), "run make gallery UPDATE=1"
    assert len(drawn) < 150_000


def test_motions_move_and_stand_at_their_end_where_less_motion_is_wanted():
    moving = {entry.name for entry in ENTRIES if 'class="frame"' in entry.picture.read_text(encoding="utf-8")}
    assert {"cable-drive", "falling-arm"} <= moving
    text = (HERE / "pictures" / "cable-drive.svg").read_text(encoding="utf-8")
    assert "prefers-reduced-motion" in text
    frames = re.findall(r'<g class="frame"[^>]*>(.*?)</g>', text)
    assert len(frames) >= len(set(frames)) > 10


def test_pictures_of_another_machine_are_the_same_but_other_designs_are_not():
    kept = ENTRIES[0].front.read_text(encoding="utf-8")
    number = re.search(r": (\d+\.\d{6,})", kept)[1]
    assert same(kept.replace(number, f"{float(number) * (1 + 1e-9)!r}"), kept)
    assert not same(kept.replace(number, f"{float(number) * 1.001!r}"), kept)
    assert not same(kept.replace("<circle", "<rect", 1), kept)


@pytest.mark.parametrize("values", [(0.95, 2.5), (0.0, 5.0), (0.3, 3.3), (-2.0, 40.0), (7.0, 7.5)])
def test_rounding_of_values_moves_no_tick(values):
    """A front up to 2.5000000000000004 once had an axis up to 3."""
    lower, upper = values
    for error in (-1e-9, 1e-9):
        assert nice_ticks([lower * (1 + error), upper * (1 - error)]) == nice_ticks(values)
        assert nice_ticks([lower - abs(lower * error), upper + abs(upper * error)]) == nice_ticks(values)


@each_entry
def test_commands_of_a_page_work_in_order(entry, call, inline, inline_executor, monkeypatch):
    """With few designs on a coarse grid, which this process evaluates."""
    opener = inline(inline_executor)
    monkeypatch.setattr(execution, "open_executor", lambda *_, **__: opener())
    carry_out(entry, Path.cwd(), lambda *words: call(*words, check=0).out)
    assert inline_executor.keys


@pytest.mark.soak
@each_entry
def test_commands_of_a_page_work_in_processes_of_their_own(entry, tmp_path):
    carry_out(entry, tmp_path, lambda *words: run(tmp_path, *words, check=0).stdout)


def carry_out(entry: Entry, folder: Path, shell: Callable[..., str]) -> None:
    """Carry out the commands of a page, and demand that a design is decided on."""
    file, key, study = folder / entry.study.name, "", tautline.read_study(entry.study).name
    for line in commands_of(page_text(entry)):
        _, *words = shlex.split(line)
        if "--from-file" in words:  # of a file that a reader has
            continue
        if words[:2] == ["study", "run"]:
            text = (file if file.exists() else entry.study).read_text(encoding="utf-8")
            file.write_text(smaller(text, designs_of(entry)["chosen"]), encoding="utf-8")
            words += ["--workers", "1"]
        if words[:2] == ["study", "decide"]:
            words[3] = key
        out = shell(*words, *(["--format", "json"] if "rank" in words else []))
        if "rank" in words:
            key = json.loads(out)["candidates"][0]["key"]
    assert key
    (decision,) = json.loads(shell("study", "decisions", study, "--format", "json"))
    assert (decision["key"], decision["reason"]) == (key, entry.head.why)


def smaller(text: str, chosen: Mapping[str, Any]) -> str:
    """A study file with four designs, of which one is the chosen one, and a coarse model."""
    study = tomlkit.parse(text).unwrap()
    layout = study.get("layouts", {}).get(chosen["layout"], study["search"])
    layout["initial"] = [chosen["variables"]]
    study["search"].update(population=4, generations=1)
    study["parameters"].update(SMALL[study["model"]])
    return tomlkit.dumps({**study, "seeds": [1]})


@pytest.mark.soak
@each_entry
def test_a_search_finds_what_is_drawn(entry):
    found, shown = numbers(searched(entry)), designs_of(entry)
    assert found["chosen"]["objectives"] == pytest.approx(shown["chosen"]["objectives"], rel=1e-6)
    assert len(found["front"]) == len(shown["front"])
