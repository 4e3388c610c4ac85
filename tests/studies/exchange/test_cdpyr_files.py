"""Robots of cdpyr as its streams write them: tuples in YAML, infinity for what is unknown, lists in XML."""

import json
import math

import numpy as np
import pytest
import yaml

from errors import InputError
from studies.exchange.robot_files import read_robots
from tests.studies.exchange.test_robot_files import ENDS, PULLEYS, cdpyr_tree

INFINITE = np.diag([math.inf] * 3).tolist()


def read(name, text):
    (robot,) = read_robots({name: text})
    return robot


def written(tree):
    """A value as cdpyr's schemas give it to the writers of YAML and XML: lists of numbers are tuples."""
    if isinstance(tree, dict):
        return {key: written(value) for key, value in tree.items()}
    if isinstance(tree, list):
        items = [written(value) for value in tree]
        return items if items and isinstance(items[0], dict) else tuple(items)
    return tree


def xml(name, value):
    """An element for each entry of a table and for each item of a list; lists within lists are texts."""
    if isinstance(value, list | tuple):
        return "".join(xml(name, item if isinstance(item, dict) else str(item)) for item in value)
    inner = value
    if isinstance(value, dict):
        inner = "".join(xml(key, item) for key, item in value.items())
    return f"<{name}>{'' if inner is None else inner}</{name}>"


def unknown_inertia():
    tree = {"version": "1.0.0", **cdpyr_tree()}
    tree["platforms"][0]["inertia"]["angular"] = INFINITE
    tree["cables"][0] |= {"breaking_load": math.inf, "modulus": {"elasticities": None, "viscosities": None}}
    for anchor in tree["frame"]["anchors"]:
        anchor["pulley"] = None
        anchor["dcm"] = np.eye(3).tolist()
    return tree


FORMS = {
    "json": ("box.json", lambda tree: json.dumps(tree)),
    "yaml": ("box.yaml", lambda tree: yaml.dump(written(tree))),
    "xml": ("box.xml", lambda tree: f'<?xml version="1.0"?>\n{xml("robot", written(tree))}'),
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_gives_the_same_robot_and_leaves_nothing(form):
    name, text_of = FORMS[form]
    text = text_of(unknown_inertia())
    assert {"json": "Infinity", "yaml": "!!python/tuple", "xml": "(inf, 0.0, 0.0)"}[form] in text
    robot = read(name, text)
    assert (robot.parameters["pulleys"], robot.parameters["attachments"]) == (PULLEYS[::-1], ENDS[::-1])
    assert robot.parameters["platform_body"]["mass"] == 5.0
    assert robot.parameters["cable_diameter"] == 0.004
    assert "axial_stiffness" not in robot.parameters
    assert any("moments of inertia" in text for text in robot.assumed)
    assert robot.unread == ()


@pytest.mark.parametrize("word", ["inf", "-inf", ".inf", "Infinity", "nan", '""', "~"])
def test_words_for_infinity_are_not_given(word):
    text = yaml.safe_dump(cdpyr_tree()).replace("breaking_load: 9000.0", f"breaking_load: {word}")
    text = text.replace("diameter: 0.004", f"diameter: {word}")
    robot = read("box.yaml", text)
    assert "cable_diameter" not in robot.parameters
    assert not any("breaking_load" in told for told in robot.unread)


def test_a_platform_of_unknown_mass_has_no_body():
    tree = cdpyr_tree()
    tree["platforms"][0]["inertia"]["linear"] = INFINITE
    robot = read("box.json", json.dumps(tree))
    assert "platform_body" not in robot.parameters
    assert any("inertia/angular" in text for text in robot.unread)


def test_one_cable_in_xml_is_a_list_and_strange_entries_are_listed():
    tree = {**cdpyr_tree(), "strange": {"value": 3}}
    tree["cables"][0]["modulus"]["elasticities"] = [1e10, 2e10]
    robot = read("box.xml", xml("robot", written(tree)).replace("<robot>", '<robot made="by hand">'))
    assert set(robot.unread) == {
        "cables[0]/modulus (elasticities)",
        "cables[0]/breaking_load = 9000 (write f_max)",
        "strange (value = 3)",
        "@made = by hand",
    }


@pytest.mark.parametrize(
    ("tag", "message"),
    [
        ("!!python/object/apply:os.system ['id']", "line 1: has the tag !!python/object/apply:os.system, which"),
        ("!!python/name:os.system ''", "has the tag !!python/name:os.system"),
        ("!!python/complex '1j'", "of such tags only !!python/tuple is read, as a list"),
        ("!other 1", "is neither JSON nor YAML: could not determine a constructor"),
    ],
)  # fmt: skip
def test_other_tags_are_refused_with_their_reason(tag, message):
    with pytest.raises(InputError) as caught:
        read("box.yaml", f"a: {tag}\nkinematic_chains: []\n")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "pattern", [{"translation": 3, "rotation": 1}, {"dof_translation": 2}, "1T", ["3R3T"]]
)
def test_patterns_that_the_back_end_has_not_are_refused_in_each_spelling(pattern):
    tree = cdpyr_tree()
    tree["platforms"][0]["motion_pattern"] = pattern
    with pytest.raises(InputError, match=r"has the motion pattern .*; the back-end has 3R3T, 2R3T, 3T"):
        read("box.json", json.dumps(tree))


@pytest.mark.parametrize(
    "pattern", [{"translation": 2, "rotation": 1}, {"dof_translation": 2, "dof_rotation": 1}, "1R2T"]
)
def test_planar_platforms_stay_in_the_plane_of_cdpyr(pattern):
    tree = cdpyr_tree()
    tree["platforms"][0]["motion_pattern"] = pattern
    robot = read("box.json", json.dumps(tree))
    assert (robot.parameters["freedoms"], robot.parameters["plane"]) == ("1R2T", "xy")


def test_wheels_are_turned_by_their_anchor_and_by_themselves():
    tree = cdpyr_tree()
    quarter = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]  # about x: z turns to -y
    for anchor in tree["frame"]["anchors"]:
        anchor["dcm"] = quarter
        anchor["pulley"] = {"radius": 0.04, "dcm": quarter}
    robot = read("box.json", json.dumps(tree)).parameters
    assert (robot["pulley_radius"], robot["pulley_axis"]) == (0.04, [0.0, 0.0, -1.0])


def test_a_long_text_in_xml_is_no_list_of_numbers():
    text = xml("robot", written(cdpyr_tree())).replace(
        "<position>2.0</position>", f"<position>{'1,' * 100_000}</position>", 1
    )
    with pytest.raises(InputError, match="must hold 3 finite numbers"):
        read("box.xml", text)
