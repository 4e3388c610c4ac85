"""Random arms of any number of joints, and their platforms beside pinocchio."""

import math

import numpy as np

from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.bodies import GRAVITY
from models.numerics.rotations import rotation_matrix
from tests.left_out import package


def body(rng):
    """A body of three points of mass, whose tensor some body has."""
    points, masses = rng.normal(size=(4, 3)) / 10, rng.uniform(0.1, 1.0, 4)
    centre = masses @ points / masses.sum()
    about = points - centre
    tensor = np.einsum("p,pij->ij", masses, np.einsum("pk,pk,ij->pij", about, about, np.eye(3)))
    tensor -= np.einsum("p,pi,pj->ij", masses, about, about)
    inertia = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return {
        "mass": float(masses.sum()),
        "centre_of_mass": centre.tolist(),
        "inertia": inertia.tolist(),
    }


def arm_of(kinds, seed=0, **settings):
    """Parameters of the paper's cable robot with a random arm whose joints have ``kinds``, such as "RPR"."""
    rng = np.random.default_rng([seed, *map(ord, kinds)])
    a, alpha, d, offset = rng.uniform(-0.3, 0.3, (len(kinds), 4)).T * [[1], [math.pi], [1], [math.pi]]
    joints = [
        {
            "kind": "prismatic" if kind == "P" else "revolute",
            "a": a[i],
            "alpha": alpha[i],
            "d": d[i],
            "offset": offset[i],
        }
        for i, kind in enumerate(kinds)
    ]
    arm = {
        "arm_joints": joints,
        "arm_links": [body(rng) for _ in kinds],
        "platform_body": body(rng),
        "arm_base_position": rng.uniform(-0.1, 0.1, 3).tolist(),
        "arm_base_rotation": rng.uniform(-1, 1, 3).tolist(),
        "arm_joint_limits": [[-1.0] * len(kinds), [0.8] * len(kinds)],
    }
    return MODEL.resolve(None, {**arm, **settings})


def homogeneous(rotation, position):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation, position
    return T


def dh_transform(joint, value):
    """Rx(alpha) Tx(a) Rz(theta) Tz(d), written out once more."""
    turn, travel = (0.0, value) if joint.kind == "prismatic" else (value, 0.0)
    first = homogeneous(rotation_matrix(np.array([joint.alpha, 0, 0])), [joint.a, 0, 0])
    about = rotation_matrix(np.array([0, 0, turn + joint.offset]))
    return first @ homogeneous(about, [0, 0, 0]) @ homogeneous(np.eye(3), [0, 0, joint.d + travel])


def pinocchio_model(parameters):
    """Free platform with the arm of a parameter record; the package and its model."""
    pin = package("pinocchio", "arms beside pinocchio")
    model = pin.Model()
    model.gravity.linear = GRAVITY
    parent = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "platform")

    def inertia(of):
        return pin.Inertia(of.mass, np.array(of.centre_of_mass), of.tensor)

    model.appendBodyToJoint(parent, inertia(parameters.platform_body), pin.SE3.Identity())
    base = homogeneous(
        rotation_matrix(np.array(parameters.arm_base_rotation)), np.array(parameters.arm_base_position)
    )
    for number, (joint, link) in enumerate(zip(parameters.arm_joints, parameters.arm_links, strict=True)):
        # angle and travel are about and along z, as offset and distance are, so that these stand before them
        before = pin.SE3(base @ dh_transform(joint, 0.0))
        moving = pin.JointModelPZ() if joint.kind == "prismatic" else pin.JointModelRZ()
        parent = model.addJoint(parent, moving, before, f"joint {number}")
        model.appendBodyToJoint(parent, inertia(link), pin.SE3.Identity())
        base = np.eye(4)
    return pin, model


def pinocchio_states(pin, platform, arm):
    """Configuration, velocity and acceleration of each instant, in pinocchio's convention."""
    for i in range(len(arm.angles)):
        R, w = platform.rotation[i], platform.angular_velocity[i]
        v, a = platform.velocity[i], platform.acceleration[i]
        q = np.concatenate([platform.position[i], pin.Quaternion(R).coeffs(), arm.angles[i]])
        rates = np.concatenate([R.T @ v, R.T @ w, arm.velocities[i]])
        classical = R.T @ (a - np.cross(w, v))
        second = np.concatenate([classical, R.T @ platform.angular_acceleration[i], arm.accelerations[i]])
        yield q, rates, second
