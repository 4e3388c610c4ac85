"""Obstacles, floor and arm capsules in pictures and in files for other programs."""

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring

from models import load
from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.mechanism import FLOOR_THICKNESS
from models.scene import Box, Surface
from studies.exchange.formats import design_file
from tests.left_out import package

TETRAHEDRON = {
    "vertices": [[0.0, 0.0, 0.1], [0.05, 0.0, -0.03], [-0.04, 0.06, 0.0], [-0.03, -0.05, -0.02]],
    "triangles": [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
}
OBSTACLES = [
    {
        "kind": "box",
        "half_size": [0.05, 0.08, 0.03],
        "position": [0.3, 0.2, 0.1],
        "rotation": [0.3, 0.2, 0.1],
    },
    {"kind": "cylinder", "radius": 0.04, "length": 0.2, "position": [-0.3, 0.1, 0.0]},
    {"kind": "capsule", "radius": 0.03, "length": 0.3, "position": [0.0, -0.3, -0.1]},
    {"kind": "mesh", "mesh": TETRAHEDRON, "position": [0.1, 0.3, -0.2]},
]


@pytest.fixture(scope="module")
def parameters():
    return MODEL.resolve("suspended", {"obstacles": OBSTACLES, "floor": -0.6, "check_arm": True, "cells": 8})


def test_the_scene_shows_every_solid(parameters):
    scene = MODEL.scene(parameters)
    shapes = {shape.name: shape for shape in scene.shapes}
    assert isinstance(shapes["obstacle 1"], Box)
    for name in ("obstacle 2", "obstacle 3", "obstacle 4", "floor", "arm capsules"):
        assert isinstance(shapes[name], Surface)
        assert shapes[name].solid
    np.testing.assert_allclose(np.ptp(shapes["obstacle 2"].vertices, axis=0), [0.08, 0.08, 0.2], rtol=0.02)
    np.testing.assert_allclose(np.ptp(shapes["obstacle 3"].vertices, axis=0), [0.06, 0.06, 0.36], rtol=0.02)
    np.testing.assert_allclose(shapes["obstacle 3"].vertices.mean(axis=0), [0.0, -0.3, -0.1], atol=0.01)
    assert (shapes["floor"].vertices[:, 2] == -0.6).all()
    assert "the arm stays more than 0 mm away" in scene.caption
    plain = MODEL.scene(MODEL.resolve("suspended", {"cells": 8}))
    assert not {"floor", "arm capsules", "obstacle 1"} & {shape.name for shape in plain.shapes}
    assert "stay" not in plain.caption


def test_urdf_has_obstacles_as_fixed_links_with_geometry(parameters):
    pin = package("pinocchio", "exported robots in another program")
    found = design_file(load(MODEL.name), parameters, "urdf")
    content = found.content.decode()
    model = pin.buildModelFromXML(content)
    data = model.createData()
    pin.framesForwardKinematics(model, data, pin.neutral(model))
    for number, obstacle in enumerate(OBSTACLES, 1):
        place = data.oMf[model.getFrameId(f"obstacle_{number}")]
        np.testing.assert_allclose(place.translation, obstacle["position"], atol=1e-12)
    np.testing.assert_allclose(
        data.oMf[model.getFrameId("floor")].translation, [0, 0, -0.6 - FLOOR_THICKNESS / 2], atol=1e-12
    )
    links = {link.get("name"): link for link in fromstring(content).iter("link")}
    for kind in ("visual", "collision"):
        bodies = [
            [each[0].tag for each in links[f"obstacle_{n}"].iterfind(f"{kind}/geometry")]
            for n in (1, 2, 3, 4)
        ]
        assert bodies == [["box"], ["cylinder"], ["cylinder", "sphere", "sphere"], ["box"]]
    assert any("obstacle_4 are written as the boxes around them" in text for text in found.warnings)


def test_sdf_has_links_fixed_to_the_frame(parameters):
    root = fromstring(design_file(load(MODEL.name), parameters, "sdf").content.decode())
    links = {link.get("name"): link for link in root.iter("link")}
    joints = {joint.find("child").text: joint for joint in root.iter("joint")}
    for name in ("obstacle_1", "obstacle_2", "obstacle_3", "obstacle_4", "floor"):
        assert joints[name].get("type") == "fixed"
        assert joints[name].find("parent").text == "frame"
        assert links[name].find("collision/geometry") is not None
    names = [each.get("name") for each in links["obstacle_3"].iterfind("visual")]
    assert names == ["obstacle_3_visual", "obstacle_3_visual_2", "obstacle_3_visual_3"]


def test_gltf_and_step_have_the_solids(parameters):
    import io

    import trimesh

    content = design_file(load(MODEL.name), parameters, "gltf").content
    scene = trimesh.load(io.BytesIO(content), file_type="glb")
    assert {"obstacle 1", "obstacle 2", "obstacle 4", "floor", "arm capsules"} <= set(scene.geometry)
    package("OCP", "STEP files")
    text = design_file(load(MODEL.name), parameters, "step").content.decode()
    for name in ("obstacle 1", "obstacle 3", "floor"):
        assert f"'{name}'" in text
