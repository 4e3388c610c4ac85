"""Cable robots among the links and joints of URDF: what moves, what is turned, what is carried, what is named how."""

import numpy as np
import pytest

from errors import InputError
from studies.exchange.robot_files import read_robots
from tests.studies.exchange.test_robot_files import ENDS, PULLEYS, text_of

FLOATS = '<joint name="p" type="floating"><parent link="base"/><child link="platform"/><origin xyz="0 0 2"/></joint>'
FLOATING = '<joint name="p" type="floating"><parent link="base"/><child link="platform"/>{}</joint>'
QUARTER = '<origin xyz="0 0 2" rpy="0 0 1.5707963267948966"/>'
TOOL = (
    '<link name="tool"><inertial><origin xyz="0 0 -0.5"/><mass value="5"/><inertia ixx=".1" iyy=".1" izz=".1" '
    'ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="t" type="revolute"><parent link="platform"/>'
    '<child link="tool"/><origin xyz="0 0 -0.1"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>'
)


def marker(name, parent, point):
    return (
        f'<link name="{name}"/><joint name="j_{name}" type="fixed"><parent link="{parent}"/><child link="{name}"/>'
        f'<origin xyz="{text_of(point)}"/></joint>'
    )


def urdf(
    joint=FLOATS,
    more="",
    pulley="pulley_{0}",
    attachment="attachment_{0}",
    count=8,
):
    """A robot whose base is fixed to the world, and whose platform of 10 kg hangs on one joint or several."""
    pulleys = [marker(pulley.format(n), "base", PULLEYS[(n - 1) % 8]) for n in range(1, count + 1)]
    ends = [marker(attachment.format(n), "platform", ENDS[(n - 1) % 8]) for n in range(1, count + 1)]
    return (
        '<robot name="r"><link name="world"/><link name="base"/><joint name="b" type="fixed"><parent link="world"/>'
        '<child link="base"/></joint><link name="platform"><inertial><origin xyz="0.01 0 0.05"/><mass value="10"/>'
        '<inertia ixx=".2" iyy=".3" izz=".4" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry>'
        f'<box size=".4 .3 .2"/></geometry></collision></link>{joint}{"".join((*pulleys, *ends))}{more}</robot>'
    )


def read(*args, **options):
    (robot,) = read_robots({"a.urdf": urdf(*args, **options)})
    return robot


def refused(*args, **options):
    with pytest.raises(InputError) as caught:
        read(*args, **options)
    return str(caught.value)


def test_a_platform_that_floats_is_read_and_what_floats_is_not_said():
    robot = read()
    assert robot.parameters["pulleys"] == PULLEYS
    assert robot.parameters["attachments"] == ENDS
    assert robot.parameters["platform_half_size"] == [0.2, 0.15, 0.1]
    assert robot.unread == ()


def chain(*joints):
    """Joints in a row from the base to the platform, such as ``"prismatic 1 0 0"``."""
    links = ["base", *(f"between{n}" for n in range(1, len(joints))), "platform"]
    made = [f'<link name="{name}"/>' for name in links[1:-1]]
    for number, joint in enumerate(joints):
        kind, axis = joint.split(" ", 1)
        made.append(
            f'<joint name="j{number}" type="{kind}"><parent link="{links[number]}"/>'
            f'<child link="{links[number + 1]}"/><axis xyz="{axis}"/></joint>'
        )
    return "".join(made)


WAYS = ("prismatic 1 0 0", "prismatic 0 1 0", "prismatic 0 0 1")
TURNS = ("revolute 1 0 0", "continuous 0 1 0", "revolute 0 0 1")


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        (FLOATING.replace("floating", "fixed"), "fixed to the root, as the pulleys are, so that nothing moves: .*'p' "),
        (FLOATING.replace("floating", "prismatic"), r"moves in 1 of 6 degrees of freedom, by 'p' \(prismatic\)"),
        (chain(*WAYS, *TURNS[:2], "revolute 0 2 0"), "moves in 5 of 6"),
        (chain(*WAYS, "revolute 0 0 1"), "moves in 4 of 6"),
        (chain("prismatic 0 0 0"), "the joint 'j0' has an axis of length 0"),
        (FLOATING + FLOATING.replace('"p"', '"q"'), "the link 'platform' hangs on two joints, 'p' and 'q'"),
        (FLOATING + '<link name="base"/>', "has two links of the name 'base'"),
    ],
)  # fmt: skip
def test_a_platform_that_does_not_move_freely_is_refused_with_its_joint(joint, message):
    with pytest.raises(InputError, match=message):
        read(joint.replace("{}", ""))


def test_six_joints_in_a_row_are_a_platform_that_moves_freely():
    robot = read(chain(*WAYS, *TURNS))
    assert robot.parameters["attachments"] == ENDS
    assert any("moves freely, by 'j0' (prismatic), 'j1'" in text for text in robot.assumed)


@pytest.mark.parametrize(
    ("joint", "freedoms", "plane"),
    [
        (chain("planar 0 1 0"), "1R2T", "xz"),
        (chain("prismatic 1 0 0", "prismatic 0 1 0", "revolute 0 0 1"), "1R2T", "xy"),
        (chain("prismatic 0 0 1", "prismatic 0 1 0"), "2T", "yz"),
        (chain(*WAYS), "3T", None),
    ],
)
def test_joints_of_a_plane_and_without_turns_are_motion_patterns(joint, freedoms, plane):
    robot = read(joint)
    assert robot.parameters["freedoms"] == freedoms
    assert robot.parameters.get("plane") == plane
    assert any(f"has the motion pattern {freedoms}" in text for text in robot.assumed)


def test_an_origin_that_is_turned_turns_points_body_and_box():
    robot = read(FLOATING.format(QUARTER))
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    np.testing.assert_allclose(robot.parameters["attachments"], np.array(ENDS) @ quarter.T, atol=1e-15)
    np.testing.assert_allclose(robot.parameters["platform_half_size"], [0.15, 0.2, 0.1])
    body = robot.parameters["platform_body"]
    np.testing.assert_allclose(body["centre_of_mass"], [0.0, 0.01, 0.05], atol=1e-15)
    np.testing.assert_allclose(body["inertia"][:3], [0.3, 0.2, 0.4])
    assert any("its points are turned by it" in text for text in robot.assumed)


def test_a_base_that_is_turned_turns_the_pulleys():
    text = urdf().replace(
        '<child link="base"/></joint>', '<child link="base"/><origin rpy="3.141592653589793 0 0"/></joint>'
    )
    (robot,) = read_robots({"a.urdf": text})
    np.testing.assert_allclose(robot.parameters["pulleys"], np.array(PULLEYS) * [1, -1, -1], atol=1e-15)
    np.testing.assert_allclose(robot.parameters["attachments"], np.array(ENDS) * [1, -1, -1], atol=1e-15)


def test_what_moves_on_the_platform_keeps_its_weight():
    """More joints than an arm has: a row of them that stand at zero, the last with a body."""
    still = "".join(
        f'<link name="s{n}"/><joint name="s{n}" type="revolute"><parent link="{f"s{n - 1}" if n else "platform"}"/>'
        f'<child link="s{n}"/></joint>'
        for n in range(8)
    )
    robot = read(more=still + TOOL.replace('parent link="platform"', 'parent link="s7"'))
    body = robot.parameters["platform_body"]
    assert body["mass"] == 15.0
    assert body["centre_of_mass"] == pytest.approx([0.1 / 15, 0.0, (10 * 0.05 - 5 * 0.6) / 15])
    assert body["inertia"][0] == pytest.approx(
        0.2 + 0.1 + 10 * 5 / 15 * 0.65**2
    )  # reduced mass, 0.65 m apart
    assert any("and the 5 kg that they move count with its body" in text for text in robot.assumed)


@pytest.mark.parametrize(
    ("pulley", "attachment", "told"),
    [
        ("cable_{0}_pulley_1", "cable_{0}_attachment_2", "the first number"),
        ("robot_2_pulley_{0}", "robot_2_attachment_{0}", "the last number"),
        ("winch_{0}_pulley_7", "ur5_attachment_{0}", "the first number, or last number,"),
        ("a_1_cable_{0}_pulley_3", "a_1_cable_{0}_attachment_4", "the second number"),
    ],
)
def test_the_number_counts_by_which_pulleys_and_attachments_agree(pulley, attachment, told):
    robot = read(pulley=pulley, attachment=attachment)
    assert (robot.parameters["pulleys"], robot.parameters["attachments"]) == (PULLEYS, ENDS)
    assert any(f"{told} in names such as" in text for text in robot.assumed)


def test_all_numbers_count_where_none_alone_tells_cables_apart():
    text = urdf()
    for number in range(1, 9):
        corner = f"_{(number + 1) // 2}_{2 - number % 2}"
        text = text.replace(f'pulley_{number}"', f'pulley{corner}"').replace(
            f'attachment_{number}"', f'attachment{corner}"'
        )
    (robot,) = read_robots({"a.urdf": text})
    assert (robot.parameters["pulleys"], robot.parameters["attachments"]) == (PULLEYS, ENDS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pulley": "mast_{0}"}, "has attachments (attachment_1, attachment_2, attachment_3, attachment_4 and 4 more) without pulleys"),
        ({"attachment": "hook_{0}"}, "has pulleys (pulley_1, pulley_2, pulley_3, pulley_4 and 4 more) without attachments"),
        ({"pulley": "mast_{0}", "attachment": "hook_{0}"}, "has no links whose names hold 'pulley' or 'attachment' and the number"),
        ({"more": marker("attachment_9", "platform", (0, 0, 0))}, "has attachments without pulleys: attachment_9; each cable needs"),
        ({"more": marker("pulley_01", "base", (0, 0, 0))}, "tells the cables apart: 'pulley_1' and 'pulley_01' have the number 1"),
        ({"more": marker("attachment_9", "base", (0, 0, 0)) + marker("pulley_9", "base", (0, 0, 0))}, "attachments are on several links that move against each other"),
        ({"count": 1}, "has 1 cables; the back-end has robots with 2 to 16"),
        ({"count": 17}, "has 17 cables; the back-end has robots with 2 to 16"),
    ],
)  # fmt: skip
def test_robots_that_cannot_be_read_are_refused_with_their_reason(options, message):
    assert message in refused(**options)


def test_a_name_with_both_words_is_an_end_by_where_it_is_fixed():
    robot = read(pulley="pulley_attachment_{0}")
    assert robot.parameters["pulleys"] == PULLEYS


def test_elements_that_are_not_read_are_listed_with_their_path():
    robot = read(more='<transmission name="x"><type>simple</type></transmission><gazebo reference="base"/>')
    assert robot.unread == ("transmission (name = x, type = simple)", "gazebo (reference = base)")
