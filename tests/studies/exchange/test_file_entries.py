"""Entries of foreign files: what a reader did not take is listed, folded, whatever its name."""

import pytest
from defusedxml.ElementTree import fromstring

from studies.exchange.file_entries import unread, value_entry, xml_entry

ROBOT = """<models version="0.3"><robot>
<chain id="1"><base x="1" radius="0.1"/><platform x="2"/></chain>
<chain id="2"><base x="3" radius="0.2"/><platform x="4"/></chain>
<chain id="3"><base x="5" radius="0.2" odd="yes"/><platform x="6"/></chain>
<mass>10</mass><colour>red</colour><pinned/></robot>
<winch><motor power="5"/><drum radius="0.1"/></winch></models>"""


@pytest.fixture
def robot():
    return xml_entry(fromstring(ROBOT))


def test_nothing_is_left_of_what_was_taken_whole(robot):
    assert robot.take() == ""
    assert unread(robot) == []


def test_siblings_fold_and_untouched_entries_stand_for_all_below_them(robot):
    for chain in robot.findall("robot/chain"):
        assert chain.find("base").get("x") == {"1": "1", "2": "3", "3": "5"}[chain.get("id")]
    assert robot.text("robot/mass") == "10"
    assert robot.get("version") == "0.3"
    assert unread(robot, {"base@radius": "cables run from points"}) == [
        "robot/chain[1..3]/base@radius = 0.1 to 0.2 (cables run from points)",
        "robot/chain[1..3]/platform (x = 2 to 6)",
        "robot/chain[3]/base@odd = yes",
        "robot: colour = red, pinned",
        "winch (motor, drum)",
    ]


def test_an_empty_element_is_read_when_it_was_looked_for(robot):
    assert robot.find("robot/pinned") is not None
    assert robot.find("robot/absent") is None
    assert not any("pinned" in sentence for sentence in unread(robot))


def test_values_of_json_are_entries_too():
    tree = value_entry({
        "cables": [{"name": "a", "diameter": 1, "pulley": None}, {"name": "b", "diameter": 2, "extra": [0, 0]}],
        "matrix": [[1, 2], [3, 4]], "gravity": 9.81, "id": 3,
    })  # fmt: skip
    assert [cable.get("diameter") for cable in tree.find("cables")] == [1, 2]
    assert tree.get("matrix") == [[1, 2], [3, 4]]
    assert (tree.is_table, tree.find("cables").is_list) == (True, True)
    assert unread(tree) == [
        "cables[0..1]/name = a and others",
        "cables[1]/extra (0)",
        "gravity = 9.81, id = 3",
    ]


def test_long_texts_and_long_lists_of_entries_are_cut():
    attributes = " ".join(f'a{number}="{"x" * 99}"' for number in range(200))
    # pyrefly: ignore[bad-argument-type]
    (sentence,) = unread(xml_entry(fromstring(f'<r b="1"><e c="2" {attributes}/></r>')).find("e"))
    assert sentence.endswith(" and 185 more")
    assert len(sentence) < 1000


def test_text_of_a_root_and_mixed_text_count():
    assert unread(xml_entry(fromstring("<r>text</r>"))) == ["r = text"]
    assert unread(xml_entry(fromstring("<r><a>1<b/>2</a></r>"))) == ["a (1 2, b)"]


def test_a_large_tree_takes_time_in_proportion_to_its_size():
    many = "".join(f'<e k="{number}"><f/></e>' for number in range(20_000))
    tree = xml_entry(fromstring(f"<r>{many}</r>"))
    assert unread(tree) == ["e[1..20000] (k = 0 to 19999, f)"]
