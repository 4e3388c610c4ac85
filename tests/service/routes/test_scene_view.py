"""Pictures with a field and in a posture, of a back-end's designs and of a study's."""

import numpy as np
import pytest

from models import load
from models.scene_view import coloured_quantities

MODEL = "/api/v1/models/hybrid-cable-robot"
SETTINGS = {"cells": 6, "wrench_set": "gravity", "orientations": "nominal"}


def workspace(figure):
    return next(trace for trace in figure["data"] if trace.get("meta") == "workspace")


def test_a_back_end_names_the_fields_of_its_pictures(client):
    told = client.get(MODEL).json()["fields"]
    model = load("hybrid-cable-robot")
    assert [(each["field"], each["unit"]) for each in told] == [
        (each.name, each.unit) for each in coloured_quantities(model)
    ]
    assert {"capacity_margin", "max_tension", "inverse_condition_stiffness"} <= {
        each["field"] for each in told
    }
    assert client.get("/api/v1/models/bnh").json()["fields"] == []


def test_cells_are_coloured_and_joints_are_moved(client):
    plain = client.post(f"{MODEL}/figure", json={"settings": SETTINGS}).json()
    assert workspace(plain)["type"] == "mesh3d"
    assert [each["name"] for each in plain["posture"]] == [f"arm joint {n}" for n in range(1, 7)]
    values = [0.1, -1.0, 2.0, 0.0, 0.5, 0.0]
    wanted = {"settings": SETTINGS, "field": "capacity_margin", "posture": values}
    drawn = client.post(f"{MODEL}/figure", json=wanted).json()
    assert [each["value"] for each in drawn["posture"]] == values
    model = load("hybrid-cable-robot")
    grid = model.grid(model.resolve(None, SETTINGS))
    margins, feasible = (
        next(f.values for f in grid.fields if f.name == n) for n in ("capacity_margin", "feasible")
    )
    colours = workspace(drawn)["marker"]["color"]
    assert sorted(colours) == pytest.approx(sorted(margins[feasible == 1].tolist()), rel=1e-4)
    assert drawn["layout"]["coloraxis"]["colorbar"]["title"]["text"] == "capacity margin [N]"
    arm = [next(t for t in figure["data"] if t["name"] == "arm") for figure in (plain, drawn)]
    assert not np.allclose([arm[0]["x"][2], arm[0]["z"][2]], [arm[1]["x"][2], arm[1]["z"][2]])
    assert plain["key"] == drawn["key"]


def test_faults_point_into_the_request(client):
    for body, pointer, told in (
        ({"field": "capacity"}, "/field", "did you mean 'capacity_margin'?"),
        ({"posture": [0, 0]}, "/posture", "has 2 values; this design has 6 coordinates"),
        ({"posture": [0, 0, 0, 9, 0, 0]}, "/posture/3", "arm joint 4 goes from -3.14159 to 3.14159 rad"),
        ({"posture": ["a"]}, "/posture/0", "number"),
    ):
        answer = client.post(f"{MODEL}/figure", json={"settings": SETTINGS, **body})
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["pointer"] == pointer
        assert told in answer.json()["detail"]


def test_a_stored_design_of_a_model_without_them_refuses_both(client):
    study = "/api/v1/studies/mixed"
    key = client.get(f"{study}/evaluations", params={"limit": 1}).json()["items"][0]["key"]
    where = f"{study}/designs/{key}/figure"
    assert client.get(where).json()["posture"] == []
    field = client.get(where, params={"field": "capacity_margin"})
    assert (field.status_code, "unknown field" in field.json()["detail"]) == (422, True)
    posture = client.get(where, params={"posture": [0.1, 0.2]})
    assert (posture.status_code, "has no posture" in posture.json()["detail"]) == (422, True)
    assert posture.json()["place"] == "posture"  # by which a page knows that it may ask without
    nothing = client.get(where, params={"posture": "nan"})
    assert (nothing.status_code, "finite number" in nothing.json()["detail"]) == (422, True)
