"""Robots of other programs over REST: what was read is said, and what would harm is refused at once."""

import json
import os

import psutil
import pytest

from dashboards.content.robot.cable_robot_files import report_of
from service.new_studies import begin_study, new_study
from studies.definition.study_file import parse_study
from studies.exchange.robot_files import read_robot
from tests.service.routes.test_drafts import SIX, begin
from tests.service.routes.test_hostile import MOST_GROWTH, MOST_SECONDS, spent
from tests.studies.exchange.test_robot_files import PULLEYS, caspr, cdpyr_tree, wirex, wirex_text

ROOM = 256 * 1024 - 1000


@pytest.fixture
def folder(tmp_path):
    """Folder with the files of robots; the store is beside it."""
    made = tmp_path / "robots"
    made.mkdir()
    return made


def text_files(folder):
    return {file.name: file.read_text() for file in folder.iterdir()}


@pytest.mark.parametrize("made", [caspr, wirex, wirex_text])
def test_a_study_of_robots_of_other_programs_is_the_one_that_the_shell_writes(client, folder, made):
    robot = read_robot(made(folder))
    answer = begin(client, name="own", files=text_files(folder)).json()
    assert (answer["faults"], answer["runs"]) == ([], 3)
    local = parse_study(new_study(robots=[robot], name="own"))
    assert parse_study(answer["toml"]).digest() == local.digest()
    (told,) = answer["robots"]
    (verdict,) = begin_study(robots=[robot], name="own").verdicts.values()
    assert told == report_of(robot)._asdict() | {"verdict": verdict}
    assert verdict[0].startswith(
        "As read, it is INFEASIBLE: in every cell that can hold the wrenches, cables touch"
    )
    assert (told["read"], told["unread"]) == (
        [each for each in robot.parameters if each not in robot.supposed],
        list(robot.unread),
    )
    assert set(robot.assumed) <= set(told["assumed"])
    for sentence in told["assumed"]:
        assert sentence[:60] in answer["toml"]


def test_tables_and_robots_of_other_programs_become_layouts(client, folder):
    wirex(folder)
    (folder / "other.json").write_text(json.dumps(cdpyr_tree()))
    answer = begin(client, name="own", tables={"six.csv": SIX}, files=text_files(folder)).json()
    assert answer["faults"] == []
    assert {each["layout"] for each in answer["layouts"]} == {"six", "box", "other"}
    assert len(answer["robots"]) == 3
    assert [
        list(point) for point in parse_study(answer["toml"]).layouts["box"].parameters["pulleys"]
    ] == PULLEYS


CHAINS = "kinematic_chains: []\n"
LAUGHS = "".join(
    f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGED = "".join(
    f"{new}: &{new} {{<<: [{','.join(['*' + old] * 9)}]}}\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
ENTITIES = "".join(
    f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
FIXED = '<link name="l{0}"/><joint type="{1}"><parent link="l{0}"/><child link="l{2}"/></joint>'


def chain(kind, count=1800):
    """A robot whose links hang on each other."""
    links = "".join(FIXED.format(i, kind, i + 1) for i in range(count))
    ends = f'<link name="l{count}"/><link name="pulley_1"/><link name="attachment_1"/>'
    last = f'<joint type="fixed"><parent link="l{count}"/><child link="attachment_1"/></joint>'
    return f"<robot>{links}{ends}{last}</robot>"


HOSTILE = {
    "laughs": ("a.urdf", f'<!DOCTYPE robot [<!ENTITY a "aaaa">{ENTITIES}]><robot name="&i;"/>', "defines entities"),
    "external entity": ("a.urdf", '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot>&x;</robot>', "defines entities"),
    "deep XML": ("a.urdf", "<robot>" + "<a>" * 20_000 + "</a>" * 20_000 + "</robot>", "nested 20001 deep; at most 100"),
    "elements": ("a.urdf", "<robot>" + "<a/>" * 60_000 + "</robot>", "has 60001 elements; at most 50000"),
    "joints in a row": ("a.urdf", chain("fixed"), "has 1 cables"),
    "moving joints": ("a.urdf", chain("revolute"), "has 1 cables"),
    "joint of no link": ("a.urdf", "<robot>" + FIXED.format(1, "fixed", 2) + "</robot>", "names the link 'l2', which is not there"),
    "circle": ("a.urdf", "<robot>" + FIXED.format(1, "fixed", 2) + FIXED.format(2, "fixed", 1) + "</robot>", "form a circle"),
    "number of a cable": ("a.urdf", f'<robot><link name="pulley_{"1" * 100_000}"/></robot>', "without attachments: name the links"),
    "no XML": ("a.urdf", "<robot" + "<" * ROOM, "is not XML"),
    "bodies without cables": ("a_bodies.xml", "<links/>", "there is no file a_cables.xml among those that were sent"),
    "cables without bodies": ("a_cables.xml", "<cables/>", "there is no file a_bodies.xml among those that were sent"),
    "aliases": ("a.yaml", f"{CHAINS}a: &a [0,0,0]\n{LAUGHS}", "more than 20000 values"),
    "merged aliases": ("a.yaml", f"{CHAINS}a: &a {{k: 1}}\n{MERGED}", "has '<<'"),
    "list in itself": ("a.yaml", f"{CHAINS}a: &a [*a]", "more than 100 deep"),
    "deep YAML": ("a.yaml", CHAINS + "a: " + "[" * ROOM, "more than 100 deep"),
    "long YAML": ("a.yaml", CHAINS + "a: [" + "1," * (ROOM // 2) + "1]", "more than 20000 values"),
    "Python object": ("a.yaml", f"{CHAINS}a: !!python/object/apply:os.system ['id']", "has the tag !!python/object/apply:os.system"),
    "deep JSON": ("a.json", '{"kinematic_chains":' + "[" * ROOM, "is neither JSON nor YAML"),
    "large number": ("a.json", json.dumps({**cdpyr_tree(), "frame": {"anchors": [{"position": [10**400, 0, 0]}]}}), "must hold 3 finite numbers"),
    "infinite": ("a.json", json.dumps({**cdpyr_tree(), "frame": {"anchors": [{"position": [float("inf"), 0, 0]}]}}), "must hold 3 finite numbers"),
    "lines": ("a.txt", "now 8\n" + "x\n" * 60_000, "announces 8 cables"),
    "nothing": ("a.urdf", "", "is no robot that is known"),
    "parent": ("../a.urdf", "<robot/>", "cannot be the name of a file"),
    "absolute": ("/etc/passwd", "<robot/>", "cannot be the name of a file"),
    "windows": ("..\\a.urdf", "<robot/>", "cannot be the name of a file"),
    "line in a name": ("a\n[search]\n.urdf", "<robot/>", "cannot be the name of a file"),
    "long name": ("a" * 101, "<robot/>", "cannot be the name of a file"),
    "no name": ("", "<robot/>", "cannot be the name of a file"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_files_that_would_harm_are_refused_at_once_at_their_field(client, kind):
    name, text, message = HOSTILE[kind]
    before = psutil.Process(os.getpid()).memory_info().rss
    body = json.dumps({"files": {name: text}})
    headers = {"Content-Type": "application/json"}
    answer, seconds = spent(lambda: client.post("/api/v1/studies/draft/new", content=body, headers=headers))
    assert answer.status_code == 422, answer.text
    faults = answer.json().get("errors") or [answer.json()]
    assert any(fault["pointer"] == "/files" and message in fault["detail"] for fault in faults), answer.text
    assert seconds < MOST_SECONDS
    assert psutil.Process(os.getpid()).memory_info().rss - before < MOST_GROWTH


def test_no_file_of_the_server_is_read_for_one_that_is_missing(client, folder, monkeypatch):
    caspr(folder)
    monkeypatch.chdir(folder)
    cables = {"box_cables.xml": (folder / "box_cables.xml").read_text()}
    answer = begin(client, files=cables)
    assert (answer.status_code, "box_bodies.xml among those" in answer.text) == (422, True)


def test_too_much_is_refused_before_it_is_read(client):
    assert begin(client, files={"a.urdf": "x" * 300_000}).status_code == 413
    many = begin(client, files={f"{i}.urdf": "" for i in range(21)})
    assert (many.status_code, "/files" in many.text) == (422, True)


def test_examples_and_files_exclude_each_other(client):
    answer = begin(client, sources=["cogiro"], files={"a.urdf": "<robot/>"})
    assert (answer.status_code, "give one of the two" in answer.text) == (422, True)


def test_what_a_file_says_cannot_end_a_comment_of_the_study_file(client, folder):
    def spoiled(text):
        return f"{text}\nx\u2028[search]\n\u0085seeds = [9]"

    wirex_text(folder, spoiled)
    answer = begin(client, files=text_files(folder)).json()
    assert answer["faults"] == []
    assert parse_study(answer["toml"]).seeds == parse_study(new_study(["constrained"])).seeds
    assert all(text.isprintable() for robot in answer["robots"] for text in robot["unread"])
