"""Rigid bodies and joints of the arm as parameters, and those of the paper's arm and platform as printed.

Modified Denavit-Hartenberg convention (Craig): frame ``i`` sits on link ``i`` with its z axis along joint
``i``, and follows from frame ``i - 1`` by ``Rx(alpha) Tx(a) Rz(theta) Tz(d)``. A revolute joint adds its
angle to theta, which is ``offset`` at zero, a prismatic joint its travel to ``d``. Frame 0 is the arm's base.
The paper's arm ends in frame 6, whose origin is the wrist's centre. Units: m, rad, kg, kg m^2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from models.arrays import FloatArray
from models.fields import quantity
from models.hybrid_cable_robot.parameter_types import Turn
from models.parameters import Parameters

Place = Annotated[float, Field(ge=-1e4, le=1e4)]
Moment = Annotated[float, Field(ge=-1e9, le=1e9)]

ROUNDING = 1e-9  # of the greatest moment: a thin plate's triangle inequality is an equality


class Body(Parameters):
    """A rigid body in its own frame: the platform's, or the one of a link's joint."""

    mass: float = quantity(..., unit="kg", description="mass", ge=0, le=1e6)
    centre_of_mass: tuple[Place, Place, Place] = quantity(
        (0.0, 0.0, 0.0), unit="m", description="centre of mass in the body's frame"
    )
    inertia: tuple[Moment, Moment, Moment, Moment, Moment, Moment] = quantity(
        ...,
        unit="kg*m**2",
        description="entries xx, yy, zz, xy, xz, yz of the inertia tensor about the centre of mass, in the "
        "axes of the body's frame; off-diagonal entries are minus the products of inertia",
        parts=("xx", "yy", "zz", "xy", "xz", "yz"),
    )

    @property
    def tensor(self) -> FloatArray:
        """Inertia tensor (3, 3) kg m^2 about the centre of mass, in the body's axes."""
        xx, yy, zz, xy, xz, yz = self.inertia
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    @property
    def fault(self) -> str:
        """Reason why no body can have the inertia tensor; empty when one can.

        Principal moments I1 <= I2 <= I3 of a body satisfy 0 <= I1 and I3 <= I1 + I2.
        """
        least, middle, greatest = (float(moment) for moment in np.linalg.eigvalsh(self.tensor))
        slack = ROUNDING * max(abs(least), abs(greatest))
        if least < -slack:
            return f"has the negative principal moment of inertia {least:.4g} kg m^2"
        if greatest > least + middle + slack:
            return (
                f"has a principal moment of inertia of {greatest:.4g} kg m^2, which exceeds the sum of the "
                f"other two, {least:.4g} and {middle:.4g} kg m^2"
            )
        return ""


GRAVITY = np.array([0.0, 0.0, -9.81])  # [m/s^2], world frame
JointKind = Literal["revolute", "prismatic"]
JOINT_UNITS: Mapping[str, str] = {"revolute": "rad", "prismatic": "m"}
"""Unit of a joint's coordinate, by its kind."""


class ArmJoint(Parameters):
    """A joint of the arm: a row of its table by the modified Denavit-Hartenberg convention."""

    kind: JointKind = Field(
        "revolute", description="revolute: it turns about its z axis; prismatic: it slides along it"
    )
    a: Place = quantity(
        0.0, unit="m", description="distance from the z axis of the joint before to this one's, along x"
    )
    alpha: Turn = quantity(0.0, unit="rad", description="angle between these two axes, about x")
    d: Place = quantity(
        0.0, unit="m", description="distance along z; of a prismatic joint that at zero, to which it adds"
    )
    offset: Turn = quantity(
        0.0, unit="rad", description="angle about z; of a revolute joint that at zero, to which it adds"
    )


def _body(grams: float, millimetres: tuple[float, ...], inertia: tuple[float, ...]) -> Body:
    """A row of table 3: g, mm, and (xx, yy, zz, xy, xz, yz) in kg mm^2."""
    return Body.model_validate(
        {
            "mass": grams / 1e3,
            "centre_of_mass": [length / 1e3 for length in millimetres],
            "inertia": [moment / 1e6 for moment in inertia],
        }
    )


def _joint(a: float, alpha: float, d: float, offset: float) -> ArmJoint:
    """A row of table 2: m, rad."""
    return ArmJoint(a=a, alpha=alpha, d=d, offset=offset)


_QUARTER = math.pi / 2

# Table 2.
ARM_JOINTS = (
    _joint(0.0, 0.0, 0.0, 0.0),
    _joint(0.0, -_QUARTER, 0.0, 0.0),
    _joint(0.19, 0.0, 0.0, _QUARTER),
    _joint(0.0, -_QUARTER, 0.21, 0.0),
    _joint(0.0, _QUARTER, 0.0, 0.0),
    _joint(0.0, -_QUARTER, 0.0, 0.0),
)

# Table 3, the products of inertia as printed, without change of sign. The tensors of the platform and
# of link 5 violate the triangle inequality and stay as printed. Ixx of link 3 is illegible ("10^4")
# and taken as 1004 kg mm^2, which a body of its other moments can have.
PLATFORM_BODY = _body(374, (0, 0, 0), (111, 947, 1256, 36, 84, 28))
ARM_LINKS = (
    _body(370, (3, 1, -57), (611, 549, 279, 2, -33, -29)),
    _body(353, (80, 10, 0), (549, 2491, 2788, -657, 232, 81)),
    _body(385, (95, 4, 0), (1004, 363, 919, -29, -16, -284)),
    _body(176, (-26, 11, 1), (121, 157, 116, -1, 9, 5)),
    _body(378, (74, 4, 0), (762, 299, 493, 48, 69, 51)),
    _body(200, (0, 0, 100), (121, 157, 116, -1, 9, 5)),
)

_UPPER, _FOREARM = 2, 3  # the joints whose ``a`` and ``d`` are the lengths of upper arm and forearm
NO_CLOSED_FORM = (
    "the inverse kinematics of this arm has no closed form, as that of six joints with the twists and "
    "offsets of the paper's arm has, whose upper arm (a of joint 3) and forearm (d of joint 4) may have any "
    "length"
)


def wrist_arm_lengths(joints: tuple[ArmJoint, ...]) -> tuple[float, float] | None:
    """Lengths [m] of upper arm and forearm of an arm like the paper's; None of any other.

    Such an arm has the paper's table, but for these two lengths, which are positive.
    """
    if len(joints) != len(ARM_JOINTS):
        return None
    upper, forearm = joints[_UPPER].a, joints[_FOREARM].d
    like = list(ARM_JOINTS)
    like[_UPPER] = like[_UPPER].model_copy(update={"a": upper})
    like[_FOREARM] = like[_FOREARM].model_copy(update={"d": forearm})
    return (upper, forearm) if joints == tuple(like) and min(upper, forearm) > 0.0 else None
