"""Forward kinematics of three sections beside other software: pinocchio's rigid bodies and scipy's integration."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from models.continuum_kinematics import forward, jacobian
from tests.left_out import package

ROBOT = np.array([[7.0, 0.4, -1.1], [6.5, 1.2, 0.3], [8.0, -0.2, 0.9]])


def rigid_chain(pin, links):
    """Each section as links between hinges about its axis of bending; a link is two halves that slide along z.

    Returns the model with its configuration, and for each section the places of its hinges and of its slides.
    """
    model, joint, q, hinges, slides = pin.Model(), 0, [], [], []
    here = pin.SE3.Identity()
    for s, u, v in ROBOT:
        bend = math.hypot(u, v)
        hinge = pin.JointModelRevoluteUnaligned(np.array([v, -u, 0.0]) / bend)
        places = {"slide": [], "hinge": []}
        for _ in range(links):
            for kind, make, value in (
                ("slide", pin.JointModelPZ(), s / links / 2),
                ("hinge", hinge, bend / links),
                ("slide", pin.JointModelPZ(), s / links / 2),
            ):
                places[kind].append(len(q))
                joint = model.addJoint(joint, make, here, f"{len(q)}")
                q.append(value)
        hinges.append(places["hinge"])
        slides.append(places["slide"])
    return model, np.array(q), hinges, slides


def test_pinocchio_chains_approach_pose_and_jacobian_as_the_square_of_their_links():
    pin = package("pinocchio", "arms beside pinocchio")
    exact, slopes = forward(ROBOT), jacobian(ROBOT).reshape(6, 3, 3)
    bends = np.hypot(ROBOT[:, 1], ROBOT[:, 2])
    by_length = slopes[:, :, 0]
    by_bend = (slopes[:, :, 1] * ROBOT[:, 1] + slopes[:, :, 2] * ROBOT[:, 2]) / bends
    errors = []
    for links in (5, 10, 20):  # the data of pinocchio grow with the cube of them
        model, q, hinges, slides = rigid_chain(pin, links)
        data = model.createData()
        pin.computeJointJacobians(model, data, q)
        J = pin.getJointJacobian(model, data, model.njoints - 1, pin.ReferenceFrame.LOCAL)
        errors.append(
            [
                np.abs(data.oMi[model.njoints - 1].homogeneous - exact).max(),
                max(np.abs(J[:, at].mean(axis=1) - by_length[:, k]).max() for k, at in enumerate(slides)),
                max(np.abs(J[:, at].mean(axis=1) - by_bend[:, k]).max() for k, at in enumerate(hinges)),
            ]
        )
    first, second, third = np.array(errors)
    np.testing.assert_allclose(first / second, 4, rtol=0.05)
    np.testing.assert_allclose(second / third, 4, rtol=0.02)
    assert third[0] < 1e-3 * ROBOT[:, 0].sum()


def change(_, frame, s, u, v):
    """Change of the frame along a section from 0 to 1: R' = R [w]x with w = (v, -u, 0), and p' = s R z."""
    pose = frame.reshape(3, 4)
    twist = np.array([[0.0, 0.0, -u, 0.0], [0.0, 0.0, -v, 0.0], [u, v, 0.0, s]])
    return (pose[:, :3] @ twist).ravel()


def test_integration_of_the_frame_ends_at_the_pose():
    frame = np.eye(4)[:3].ravel()
    for section in ROBOT:
        frame = solve_ivp(change, (0.0, 1.0), frame, "DOP853", rtol=1e-13, atol=1e-13, args=section).y[:, -1]
    np.testing.assert_allclose(frame.reshape(3, 4), forward(ROBOT)[:3], rtol=0, atol=1e-10)


def test_runge_kutta_steps_approach_the_pose_with_fourth_order():
    exact, errors = forward(ROBOT)[:3], []
    for steps in (8, 16, 32):
        frame, h = np.eye(4)[:3].ravel(), 1 / steps
        for section in ROBOT:
            for _ in range(steps):
                a = change(0, frame, *section)
                b = change(0, frame + h / 2 * a, *section)
                c = change(0, frame + h / 2 * b, *section)
                d = change(0, frame + h * c, *section)
                frame = frame + h / 6 * (a + 2 * b + 2 * c + d)
        errors.append(np.abs(frame.reshape(3, 4) - exact).max())
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.15)
    assert errors[1] / errors[2] == pytest.approx(16, rel=0.08)
