"""Robots of other programs: each format by a small file of our own, and what is no robot is refused."""

import json
from itertools import pairwise

import numpy as np
import pytest

from dashboards.content.robot.cable_robot_files import report_of
from errors import InputError
from models import load
from models.hybrid_cable_robot.robot import pulley_points
from service.new_studies import new_study
from studies.definition.study_file import check_text
from studies.exchange.formats import design_file
from studies.exchange.robot_files import read_robot, read_robots
from studies.exchange.source_text import MAX_BYTES
from studies.problem.problem import check

PULLEYS = [[2.0, 1.5, 2.0], [-2.0, 1.5, 2.0], [-2.0, -1.5, 2.0], [2.0, -1.5, 2.0],
           [2.0, 1.5, 0.0], [-2.0, 1.5, 0.0], [-2.0, -1.5, 0.0], [2.0, -1.5, 0.0]]  # fmt: skip
ENDS = [[0.1, 0.1, -0.05], [-0.1, 0.1, -0.05], [-0.1, -0.1, -0.05], [0.1, -0.1, -0.05],
        [0.1, 0.1, 0.05], [-0.1, 0.1, 0.05], [-0.1, -0.1, 0.05], [0.1, -0.1, 0.05]]  # fmt: skip


def text_of(point):
    return " ".join(map(repr, point))


BODIES = """<?xml version="1.0"?>
<!DOCTYPE bodies_system [ <!ATTLIST operational_set id ID #REQUIRED> ]>
<links><link_rigid num="1" name="box"><joint_type>SPATIAL_EULER_XYZ</joint_type><physical><mass>10</mass>
<com_location>0 0 0.25</com_location><end_location>0 0 0</end_location>
<inertia ref="joint"><Ixx>0.825</Ixx><Iyy>0.875</Iyy><Izz>0.1</Izz><Ixy>0.01</Ixy><Ixz>0</Ixz><Iyz>0</Iyz></inertia>
</physical><parent><num>0</num><location>0 0 0</location></parent></link_rigid></links>"""


def caspr_cable(number, reference="joint", kind="cable_ideal", more=""):
    start, end = PULLEYS[number], ENDS[number]
    return f"""<{kind} name="cable {number + 1}" attachment_reference="{reference}">
    <properties><force_min>{number}</force_min><force_max>{200 - number}</force_max>{more}</properties>
    <attachments><attachment><link>0</link><location>{text_of(start)}</location></attachment>
    <attachment><link>1</link><location>{text_of(end)}</location></attachment></attachments></{kind}>"""


def caspr(folder, bodies=BODIES, **options):
    cables = "".join(caspr_cable(number, **options) for number in range(8))
    (folder / "box_cables.xml").write_text(
        f'<cables default_cable_set="b"><cable_set id="a"/><cable_set id="b">{cables}</cable_set></cables>'
    )
    (folder / "box_bodies.xml").write_text(bodies)
    return folder / "box_cables.xml"


def wirex(folder, change=lambda text: text):
    def at(point):
        return " ".join(f'{axis}="{value}"' for axis, value in zip("xyz", point, strict=True))

    chains = "".join(
        f'<chain id="{n}"><base {at(start)} radius="0.03"/><platform {at(end)}/></chain>'
        for n, (start, end) in enumerate(zip(PULLEYS, ENDS, strict=True), 1)
    )
    file = folder / "box.wcrfx"
    file.write_text(change(
        f'<?xml version="1.0"?><models version="0.32"><robot name="box" motionpattern="3R3T"><geometry>{chains}'
        '</geometry><platform mass="5"><inertiatensor Ixx="0.1" Ixy="0.01" Ixz="0" Iyx="0.01" Iyy="0.2" Iyz="0" '
        'Izx="0" Izy="0" Izz="0.25"/><centerofgravity x="0" y="0" z="0.02"/></platform></robot>'
        '<cable name="Dyneema" radius="0.002" elasticity="1e10" breaking_load="9000"/>'
        '<winch><cable f_max="800"/></winch></models>'
    ))  # fmt: skip
    return file


def wirex_text(folder, change=lambda text: text):
    lines = ["// a robot", "dof 6", "now 8", "lmin 0", "fmin 1", "fmax 10", "// base 9 0 0 3"]
    lines += [f"base {n} {text_of(point)}" for n, point in enumerate(PULLEYS, 1)]
    lines += [f"platform {n} {text_of(point)}" for n, point in enumerate(ENDS, 1)]
    file = folder / "box.txt"
    file.write_text(change("\n".join(lines)))
    return file


def cdpyr_tree():
    return {
        "name": "box",
        "frame": {"anchors": [{"position": point, "pulley": {"radius": 0.03}} for point in PULLEYS]},
        "platforms": [
            {
                "anchors": [{"position": point} for point in ENDS],
                "motion_pattern": {"translation": 3, "rotation": 3},
                "inertia": {
                    "linear": (5 * np.eye(3)).tolist(),
                    "angular": np.diag([0.1, 0.2, 0.25]).tolist(),
                },
                "center_of_gravity": [0.0, 0.0, 0.02],
            }
        ],
        "cables": [{"diameter": 0.004, "modulus": {"elasticities": [1e10]}, "breaking_load": 9000.0}],
        "kinematic_chains": [
            {"frame_anchor": n, "platform": 0, "platform_anchor": n, "cable": 0} for n in range(7, -1, -1)
        ],
    }


def points(robot):
    return robot.parameters["pulleys"], robot.parameters["attachments"]


def study_of(robots, folder):
    text = new_study(robots=robots, folder=folder, name="box")
    return text, check_text(text, "box.toml", check, folder)[1]


def middle(problem):
    return problem.model.resolve(None, {**problem.settings, **problem.space.decode(problem.initial[0])})


# ---------------------------------------------------------------- CASPR


def test_caspr_gives_points_body_and_the_limits_of_each_cable(tmp_path):
    robot = read_robot(caspr(tmp_path))
    assert points(robot) == (PULLEYS, ENDS)
    assert robot.parameters["f_min"] == list(range(8))
    assert robot.parameters["f_max"] == [200 - number for number in range(8)]
    body = robot.parameters["platform_body"]
    assert body["centre_of_mass"] == [0.0, 0.0, 0.25]
    assert body["inertia"] == pytest.approx([0.2, 0.25, 0.1, 0.01, 0.0, 0.0])  # Steiner: 10 kg x 0.0625 m^2
    assert any("not the default one: a" in text for text in robot.unread)
    assert read_robot(tmp_path) == robot == read_robot(tmp_path / "box_bodies.xml")


def test_caspr_ends_may_count_from_the_centre_of_mass_and_cables_may_be_springs(tmp_path):
    more = "<K>5000</K><diameter>0.004</diameter>"
    robot = read_robot(caspr(tmp_path, reference="com", kind="cable_linear_spring", more=more))
    np.testing.assert_allclose(points(robot)[1], np.array(ENDS) + np.array([0.0, 0.0, 0.25]))
    assert robot.parameters["axial_stiffness"] == [5000.0] * 8
    assert robot.parameters["cable_diameter"] == 0.004


@pytest.mark.parametrize(
    ("bodies", "message"),
    [
        (
            BODIES.replace("SPATIAL_EULER_XYZ", "R_Z"),
            "the joint 'R_Z'; the back-end has platforms that move freely",
        ),
        (BODIES.replace("<links>", "<links><link_rigid/>"), "its platform has the joint ''"),
        (BODIES.replace("0 0 0.25", "0 0"), "com_location is '0 0'; it must be three finite numbers"),
        (BODIES.replace(">10<", ">nan<"), "<mass> is 'nan', not a finite number"),
        ("<links>", "is not XML"),
    ],
)
def test_caspr_robots_that_the_back_end_has_not_are_refused(tmp_path, bodies, message):
    with pytest.raises(InputError, match=message):
        read_robot(caspr(tmp_path, bodies))


def test_a_companion_file_that_is_a_link_out_of_its_folder_is_not_followed(tmp_path):
    (tmp_path / "robot").mkdir()
    file = caspr(tmp_path / "robot")
    secret = tmp_path / "secret.xml"
    (tmp_path / "robot" / "box_bodies.xml").rename(secret)
    (tmp_path / "robot" / "box_bodies.xml").symlink_to(secret)
    with pytest.raises(InputError, match="leads out of its folder"):
        read_robot(file)


# ---------------------------------------------------------------- WireX, cdpyr


def test_wirex_gives_points_body_diameter_and_ea(tmp_path):
    robot = read_robot(wirex(tmp_path))
    assert points(robot) == (PULLEYS, ENDS)
    assert robot.parameters["cable_diameter"] == 0.004
    assert robot.parameters["axial_stiffness"] == pytest.approx([1e10 * np.pi * 0.002**2] * 8)
    assert robot.parameters["platform_body"]["inertia"] == pytest.approx([0.1, 0.2, 0.25, 0.01, 0.0, 0.0])
    assert robot.parameters["f_max"] == 800.0
    assert robot.parameters["pulley_radius"] == 0.03
    assert robot.parameters["pulley_axis"] == [0.0, 0.0, 1.0]
    assert "cable@breaking_load = 9000 (no factor of safety is taken off it)" in robot.unread


def test_what_cdpyr_writes_as_infinite_in_wirex_form_is_not_given(tmp_path):
    def unknown(text):
        text = text.replace('motionpattern="3R3T"', 'motionpattern="None"').replace('Ixx="0.1"', 'Ixx="inf"')
        return text.replace('radius="0.002" elasticity="1e10"', 'radius="inf" elasticity="inf"')

    robot = read_robot(wirex(tmp_path, unknown))
    assert robot.parameters["platform_body"]["inertia"][0] == 0.0
    assert "cable_diameter" not in robot.parameters
    assert "the platform has no Ixx" in robot.assumed
    assert "the platform moves in six degrees of freedom (motionpattern)" in robot.assumed


def test_the_text_of_wirex_gives_points_and_limits(tmp_path):
    robot = read_robot(wirex_text(tmp_path))
    assert points(robot) == (PULLEYS, ENDS)
    assert (robot.parameters["f_min"], robot.parameters["f_max"]) == (1.0, 10.0)
    assert any("lmin" in text for text in robot.unread)


@pytest.mark.parametrize(
    ("made", "old", "new", "message"),
    [
        (wirex, "3R3T", "1T", "has the motion pattern 1T; the back-end has 3R3T, 2R3T, 3T, 1R2T, 2T"),
        (wirex, 'radius="0.03"', 'radius="-1"', "chain 1 has a pulley with a radius of -1 m"),
        (wirex, '<base x="2.0"', "<base", "<base> of chain 1 is missing, or its x, y and z are not finite"),
        (wirex, 'x="2.0"', 'x="inf"', "are not finite numbers"),
        (wirex, "<robot", "<wireRobot/><robots", "is not XML"),
        (wirex_text, "base 3 -2.0", "base 3 x", "line 10: 'base 3 x -1.5 2.0' cannot be read"),
        (wirex_text, "dof 6", "dof 4", "has 4 degrees of freedom"),
        (wirex_text, "now 8", "now 9", "announces 9 cables"),
        (wirex_text, "platform 8", "platform 9", "cable 8, 9 has only one end"),
    ],
)
def test_other_wirex_files_are_refused(tmp_path, made, old, new, message):
    with pytest.raises(InputError, match=message):
        read_robot(made(tmp_path, lambda text: text.replace(old, new, 1)))


def test_chains_of_wirex_have_the_wheel_and_the_limits_of_their_winch(tmp_path):
    def changed(text):
        text = text.replace('radius="0.03"', 'radius="0.05" a11="1" a21="0" a31="0" a12="0" a22="0" a32="1" '
                            'a13="0" a23="-1" a33="0"', 1)  # fmt: skip
        text = text.replace('<chain id="2"', '<chain id="2" winchtype="small"').replace(
            "<winch>", '<winch name="large">'
        )
        small = '<cable f_max="300" l_min="0.5" max_velocity="3"/><drum r_drum="0.04"/></winch></models>'
        text = text.replace('radius="0.002"', 'radius="0.002" max_length="9" minimum_load="5"')
        return text.replace("</models>", f'<winch name="small">{small}')

    robot = read_robot(wirex(tmp_path, changed)).parameters
    assert robot["pulley_radius"] == [0.05, *[0.03] * 7]
    assert robot["pulley_axis"] == [[0.0, -1.0, 0.0], *[[0.0, 0.0, 1.0]] * 7]  # third column of a11 to a33
    assert robot["f_max"] == [800.0, 300.0, *[800.0] * 6]
    assert (robot["f_min"], robot["length_max"]) == (5.0, 9.0)
    assert robot["length_min"] == [0.0, 0.5, *[0.0] * 6]
    assert (robot["max_cable_speed"], robot["winch_radius"]) == (3.0, 0.04)


FOUR = "".join(
    f"base {n} {x} 0 {z}\nplatform {n} {x / 10} 0 {z / 10}\n"
    for n, (x, z) in enumerate(((2.0, 1.0), (2.0, -1.0), (-2.0, 1.0), (-2.0, -1.0)), 1)
)


@pytest.mark.parametrize(
    ("lines", "freedoms", "told"),
    [
        ("dof 3\n" + FOUR, "1R2T", "stays in the plane xz, in which all points lie"),
        ("dof 6\n" + FOUR, "1R2T", "is 1R2T and not 3R3T (freedoms): all points lie in one plane"),
        ("dof 2\n" + FOUR, "2T", "its cables are drawn to one point"),
        ("dof 3\n" + FOUR.replace("2.0 0", "2.0 1"), "3T", "its cables are drawn to one point"),
        ("dof 6\n" + FOUR.replace("2.0 0", "2.0 1"), "3T", "4 cables cannot hold a body that turns"),
    ],
)
def test_the_points_say_how_a_platform_on_four_cables_moves(tmp_path, lines, freedoms, told):
    (tmp_path / "four.txt").write_text("now 4\nfmin 1\nfmax 80\n" + lines)
    robot = read_robot(tmp_path / "four.txt")
    assert robot.parameters["freedoms"] == freedoms
    assert any(told in text for text in robot.assumed)
    study_of([robot], tmp_path)


@pytest.mark.parametrize("kind", ["json", "yaml"])
def test_cdpyr_joins_anchors_by_its_chains(tmp_path, kind):
    import yaml

    file = tmp_path / f"box.{kind}"
    file.write_text(json.dumps(cdpyr_tree()) if kind == "json" else yaml.safe_dump(cdpyr_tree()))
    robot = read_robot(file)
    assert points(robot) == (PULLEYS[::-1], ENDS[::-1])
    assert robot.parameters["platform_body"]["mass"] == 5.0
    assert robot.parameters["axial_stiffness"] == pytest.approx([1e10 * np.pi * 0.004**2 / 4] * 8)
    assert robot.parameters["pulley_radius"] == 0.03
    assert set(robot.unread) == {"cables[0]/breaking_load = 9000 (write f_max)"}


def test_older_cdpyr_files_have_their_positions_in_tables(tmp_path):
    tree = cdpyr_tree()
    for anchor in tree["frame"]["anchors"]:
        anchor["position"] = {"position": anchor["position"], "velocity": [0, 0, 0]}
    file = tmp_path / "box.json"
    file.write_text(json.dumps(tree))
    assert points(read_robot(file))[0] == PULLEYS[::-1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda tree: tree["platforms"].append(tree["platforms"][0]), "has 2 platforms"),
        (
            lambda tree: tree["kinematic_chains"][0].update(frame_anchor=9),
            "names frame_anchor 9, of which there",
        ),
        (lambda tree: tree["frame"]["anchors"][0].update(position=[1, 2]), "must hold 3 finite numbers"),
        (lambda tree: tree["frame"]["anchors"][0].update(position=[10**400, 2, 3]), "must hold 3 finite"),
        (
            lambda tree: tree["platforms"][0].update(motion_pattern={"translation": 2}),
            "has the motion pattern 3R2T; the back-end has 3R3T",
        ),
        (lambda tree: tree.update(kinematic_chains=tree["kinematic_chains"][:2]), "has 2 cables; the motion"),
        (lambda tree: tree.update(frame=[]), "frame must be a table"),
    ],
)
def test_other_cdpyr_files_are_refused(tmp_path, change, message):
    tree = cdpyr_tree()
    change(tree)
    file = tmp_path / "box.json"
    file.write_text(json.dumps(tree))
    with pytest.raises(InputError, match=message):
        read_robot(file)


def test_a_list_that_yaml_multiplies_by_names_is_not_followed(tmp_path):
    names = [f"n{place}" for place in range(30)]
    lines = [f"{after}: &{after} [{', '.join([f'*{before}'] * 3)}]" for before, after in pairwise(names)]
    robot = "frame: {anchors: [{position: *n29}]}\nplatforms: [{anchors: []}]\nkinematic_chains: []"
    file = tmp_path / "box.yaml"
    file.write_text("\n".join(["n0: &n0 [1, 1, 1]", *lines, robot]))
    with pytest.raises(InputError, match="has more than 20000 values, which are not read"):
        read_robot(file)


def test_yaml_makes_no_objects(tmp_path):
    file = tmp_path / "box.yaml"
    file.write_text("kinematic_chains: !!python/object/apply:os.getcwd []\n")
    with pytest.raises(InputError, match=r"line 1: has the tag !!python/object/apply:os.getcwd, which makes"):
        read_robot(file)


# ---------------------------------------------------------------- URDF


@pytest.fixture
def urdf(tmp_path, cable_robot):
    def written(change=lambda text: text, parameters=cable_robot):
        file = tmp_path / "robot.urdf"
        content = design_file(load("hybrid-cable-robot"), parameters, "urdf").content
        file.write_text(change(content.decode()))
        return file

    return written


def test_urdf_gives_the_robot_again_with_its_arm(urdf, cable_robot):
    robot = read_robot(urdf())
    again = load("hybrid-cable-robot").resolve(
        None, {**robot.parameters, "cells": 6, "orientations": "nominal"}
    )
    np.testing.assert_allclose(again.pulleys, pulley_points(cable_robot), atol=1e-12)
    np.testing.assert_allclose(again.attachments, cable_robot.attachments, atol=1e-12)
    np.testing.assert_allclose(again.platform_half_size, cable_robot.platform_half_size)
    assert again.platform_body == cable_robot.platform_body
    for ours, read in zip(cable_robot.arm_links, again.arm_links, strict=True):
        assert read.model_dump()["inertia"] == pytest.approx(ours.model_dump()["inertia"])
    np.testing.assert_allclose(again.arm_base_rotation, cable_robot.arm_base_rotation)
    assert again.arm_joint_limits == cable_robot.arm_joint_limits


@pytest.mark.parametrize(
    ("old", "new"),
    [('xyz="0.19 0.0 0.0"', 'xyz="0.25 0.0 0.0"'), ('<axis xyz="0.0 0.0 1.0" />', '<axis xyz="0 1 0" />')],
)
def test_an_arm_of_another_geometry_is_one_of_its_own(urdf, old, new):
    robot = read_robot(urdf(lambda text: text.replace(old, new)))
    assert any("carries an arm of 6 joints" in text for text in robot.assumed)
    assert robot.parameters["platform_body"]["mass"] == pytest.approx(2.0)
    assert [link["mass"] for link in robot.parameters["arm_links"]] == [0.3] * 6
    assert robot.parameters["arm_joints"][2]["a"] == pytest.approx(0.25 if "0.25" in new else 0.0)


def test_a_long_chain_on_the_platform_is_reported(urdf):
    links = [f"link{place}" for place in range(3000)]
    chain = "".join(
        f'<link name="{child}"><inertial><mass value="0.5"/></inertial></link><joint name="of {child}" '
        f'type="revolute"><parent link="{parent}"/><child link="{child}"/></joint>'
        for parent, child in pairwise(["platform", *links])
    )
    robot = read_robot(urdf(lambda text: text.replace("</robot>", f"{chain}</robot>")))
    assert any(
        "3006 moving joints on the platform stand at zero, and the 1501.8 kg" in text
        for text in robot.assumed
    )


def test_numbers_of_links_may_have_any_length(urdf):
    robot = read_robot(urdf(lambda text: text.replace("cable_1_", f"cable_1_{'0' * 5000}1_")))
    assert len(robot.parameters["pulleys"]) == 8


def test_bodies_fixed_to_the_platform_count_with_it(urdf):
    load_of = (
        '<link name="tool"><inertial><origin xyz="0 0 0"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" '
        'ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="mount" type="fixed"><origin xyz="0 0 1"/>'
        '<parent link="platform"/><child link="tool"/></joint></robot>'
    )
    body = read_robot(urdf(lambda text: text.replace("</robot>", load_of))).parameters["platform_body"]
    assert body["mass"] == 4.0
    assert body["centre_of_mass"] == pytest.approx([0.005, 0.0, 0.49])
    assert body["inertia"][2] == pytest.approx(0.04 + 0.1 + 1.0 * 0.01**2)  # reduced mass 1 kg, 0.01 m apart


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('="cable_3_pulley"', '="cable_3_mast"', "attachments without pulleys: cable_3_attachment; each"),
        ('name="cable_3_pulley"', 'name="cable_3_mast"', "names the link 'cable_3_pulley', which is not there"),
        ('<parent link="frame" />', '<parent link="arm_link_2" />', "is not fixed to the root|form a circle"),
        ("<robot ", "<model ", "is no robot that is known"),
        ('<link name="world" />', "<xacro:include xmlns:xacro='http://www.ros.org/wiki/xacro' filename='../../etc/passwd'/>", "is xacro"),
    ],
)  # fmt: skip
def test_other_trees_are_refused(urdf, old, new, message):
    with pytest.raises(InputError, match=message):
        read_robot(urdf(lambda text: text.replace(old, new)))


def test_meshes_are_named_and_never_opened(urdf):
    mesh = '<link name="world"><visual><geometry><mesh filename="../../../etc/passwd"/></geometry></visual></link>'
    robot = read_robot(urdf(lambda text: text.replace('<link name="world" />', mesh)))
    assert any("no file that the description names is opened" in text for text in robot.unread)


# ---------------------------------------------------------------- bounds


LAUGHS = "".join(
    f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgy", "bcdefgyz", strict=True)
)
BOMB = f'<!DOCTYPE robot [<!ENTITY a "aaaaaaaaaa">{LAUGHS}]><robot name="&z;"/>'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BOMB, "defines entities or names external files"),
        (
            '<!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot>&x;</robot>',
            "defines entities or",
        ),
        ('<!DOCTYPE robot [<!ENTITY % x SYSTEM "http://a/x.dtd"> %x;]><robot/>', "defines entities or"),
        ("<robot>" + "<a>" * 5000 + "</a>" * 5000 + "</robot>", "nested 5001 deep; at most 100"),
        ("<robot>" + "<a/>" * 60_000 + "</robot>", "has 60001 elements; at most 50000"),
        ("<robot>" + " " * MAX_BYTES + "</robot>", "is larger than 2 MiB"),
        ("<robot", "is not XML"),
        ("<robot/>", "has no links whose names hold 'pulley'"),
        ("", "is no robot that is known"),
        ("[1, 2", "is no robot that is known"),
    ],
    ids=["laughs", "xxe", "parameter-entity", "deep", "many", "large", "broken", "empty", "nothing", "other"],
)
def test_files_that_would_harm_are_refused_in_words(tmp_path, content, message):
    file = tmp_path / "robot.urdf"
    file.write_text(content)
    with pytest.raises(InputError, match=message):
        read_robot(file)


def test_a_dtd_outside_the_file_is_not_fetched(tmp_path):
    bodies = BODIES.replace(
        "bodies_system [ <!ATTLIST operational_set id ID #REQUIRED> ]", 'links SYSTEM "bodies.dtd"'
    )
    assert points(read_robot(caspr(tmp_path, bodies)))[0] == PULLEYS


def test_what_is_no_text_or_no_file_is_refused(tmp_path):
    (tmp_path / "robot.urdf").write_bytes(b"<robot>\xff\xfe")
    with pytest.raises(InputError, match="is not UTF-8 text"):
        read_robot(tmp_path / "robot.urdf")
    with pytest.raises(InputError, match="there is no file"):
        read_robot(tmp_path / "nobody.urdf")
    with pytest.raises(InputError, match=r"holds 0 files \*_cables.xml"):
        read_robot(tmp_path)


def test_files_that_were_sent_lead_only_to_each_other(tmp_path):
    robot = read_robot(caspr(tmp_path))
    texts = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert (
        read_robots(dict(sorted(texts.items()))) == read_robots(dict(sorted(texts.items())[::-1])) == [robot]
    )
    del texts["box_bodies.xml"]
    with pytest.raises(InputError, match=r"there is no file box_bodies\.xml among those that were sent"):
        read_robots(texts)


def test_texts_that_were_sent_are_read_as_files_are(tmp_path):
    robot = read_robot(wirex_text(tmp_path))
    (again,) = read_robots({"box.txt": "\ufeff" + (tmp_path / "box.txt").read_text()})
    assert again == robot
    with pytest.raises(InputError, match=r"robot\.urdf is not UTF-8 text"):
        read_robots({"robot.urdf": "<robot>\ud800</robot>"})
    with pytest.raises(InputError, match="is larger than 2 MiB"):
        read_robots({"robot.urdf": " " * (MAX_BYTES + 1)})


def test_a_long_list_of_what_was_not_read_is_cut(tmp_path):
    robot = read_robot(wirex_text(tmp_path, lambda text: text + "\nstrange" * 200))
    assert len(robot.unread) == 51
    assert robot.unread[-1] == "151 more such things"  # and lmin


# ---------------------------------------------------------------- studies


@pytest.mark.parametrize("made", [caspr, wirex, wirex_text])
def test_a_robot_of_each_program_begins_a_sound_study(tmp_path, made):
    robot = read_robot(made(tmp_path))
    text, problems = study_of([robot], tmp_path)
    record = middle(problems["default"])
    np.testing.assert_allclose(record.pulleys, PULLEYS)
    np.testing.assert_allclose(record.attachments, ENDS)
    for line in report_of(robot).sentences:
        assert line.split(":")[0] in text
    assert problems["default"].model.evaluate(record.model_copy(update={"cells": 4}), "workspace")


@pytest.mark.parametrize("made", [caspr, wirex, wirex_text])
def test_the_report_names_every_value_that_the_study_file_assumes(tmp_path, made):
    robot = read_robot(made(tmp_path))
    told = " ".join(report_of(robot).assumed)
    text, _ = study_of([robot], tmp_path)
    marked = [line.split()[0] for line in text.splitlines() if line.endswith("# assumed, write yours")]
    assert marked == [path for path in ("cable_stiffness", "f_min", "f_max") if f"{path} = " in told]
    assert ("assumed, write your loads" in text) == ("write your loads" in told)
    assert ('wrench_set = "gravity"' in text) == ("own weight" in told)


@pytest.mark.parametrize("made", [caspr, wirex, wirex_text])
def test_nothing_is_called_read_that_was_assumed(tmp_path, made):
    robot = read_robot(made(tmp_path))
    report, known = report_of(robot), "platform_body" in robot.parameters
    assert {"arm_links", "wrench_set"} & set(robot.parameters) == (
        {"arm_links", "wrench_set"} if known else set()
    )
    assert {"arm_links", "wrench_set"} & set(report.read) == set()
    assert set(report.read) | robot.supposed == set(robot.parameters)
    assert all(any(f"({name})" in text for text in report.assumed) for name in robot.supposed)


def test_several_robots_are_layouts(tmp_path):
    robots = [read_robot(wirex(tmp_path)), read_robot(caspr(tmp_path))]
    with pytest.raises(InputError, match="two layouts the same name: box, box"):
        study_of(robots, tmp_path)
    (tmp_path / "box.wcrfx").rename(tmp_path / "other.wcrfx")
    _, problems = study_of([read_robot(tmp_path / "other.wcrfx"), robots[1]], tmp_path)
    assert list(problems) == ["other", "box"]


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_table_that_was_exported_gives_the_same_robot_bit_for_bit(tmp_path, cable_robot, axial_robot, kind):
    for number, robot in enumerate((cable_robot, axial_robot)):
        content = design_file(load("hybrid-cable-robot"), robot, kind).content
        if kind == "json":
            parameters = json.loads(content)["parameters"]
            assert load("hybrid-cable-robot").resolve_over(parameters, {}) == robot
            continue
        file = tmp_path / f"robot-{number}.csv"
        file.write_bytes(content)
        text = new_study(tables=[file], folder=tmp_path, name="again")
        (problem,) = check_text(text, "again.toml", check, tmp_path)[1].values()
        settings = problem.settings
        assert np.array(settings["pulleys"]).tolist() == pulley_points(robot).tolist()
        assert np.array(settings["attachments"]).tolist() == [list(point) for point in robot.attachments]
        for name in ("f_min", "f_max", "cable_diameter"):
            assert settings[name] == getattr(robot, name)
        if robot.axial_stiffness is None:
            assert settings["cable_stiffness"] == list(robot.cable_stiffness)
        else:
            assert settings["axial_stiffness"] == [robot.axial_stiffness] * 8
