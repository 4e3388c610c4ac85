"""Metrics whose names hold a dot, of a real study: exports, lists, arrays, figures, comparison, form, client."""

import contextlib
import io
import json
import shutil

import numpy as np
import pandas as pd
import pytest

from service.app.context import Context
from service.app.services import StoreServices
from service.client import Client
from studies.definition.study_file import parse_study
from studies.store import Store
from tests.service.routes.conftest import TOML, work_on
from tests.service.web.conftest import ADDRESS, Server

DOTTED = """
name = "dotted"
model = "hybrid-cable-robot"
preset = "constrained"
parameters = { cells = 4, wrench_set = "gravity" }
variables.beta1 = { lower = "40 deg", upper = "50 deg" }
[objectives]
workspace_volume = "maximize"
capacity_margin.q05 = "maximize"
[constraints]
interference_margin.q05 = { lower = "-1 m" }
[search]
population = 4
generations = 2
"""
NAMES = ("capacity_margin.q05", "interference_margin.q05")
STUDY = "/api/v1/studies/dotted"


@pytest.fixture(scope="module")
def stored_front(tmp_path_factory):
    """A store that holds the study, and its front."""
    path = tmp_path_factory.mktemp("dotted") / "dotted.db"
    with Store(str(path)) as store:
        StoreServices(Context(store=store)).studies.create(parse_study(DOTTED))
        work_on(store, "dotted")
        front = StoreServices(Context(store=store)).fronts.list("dotted").items
    return path, front


@pytest.fixture
def dotted(settings, stored_front, tmp_path):
    """A server on a store with the study."""
    shutil.copy(stored_front[0], tmp_path / "tautline.db")
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(Store(str(tmp_path / "tautline.db")))
        yield Server(settings, store, stack)


def test_every_face_of_a_study_names_dotted_metrics_alike(dotted, stored_front):
    _, front = stored_front
    values = {design.key: [design.metrics[name] for name in NAMES] for design in front}
    assert all(value is not None for row in values.values() for value in row)
    client = dotted.client(dotted.token())
    items = client.get(f"{STUDY}/front").json()["items"]
    assert {one["key"]: [one["metrics"][name] for name in NAMES] for one in items} == values
    heads = ["capacity_margin.q05 [N]", "interference_margin.q05 [m]"]
    for kind, read in (
        ("csv", lambda b: pd.read_csv(io.BytesIO(b))),
        ("parquet", lambda b: pd.read_parquet(io.BytesIO(b))),
        ("json", lambda b: pd.DataFrame(json.loads(b))),
    ):
        content = client.get(f"{STUDY}/export", params={"format": kind, "front": True}).content
        table = read(content).set_index("key")
        assert {key: list(table.loc[key, heads]) for key in table.index} == values
    array = client.get(f"{STUDY}/evaluations/array", params={"column": list(NAMES)})
    assert array.headers["tautline-columns"].split(",") == list(NAMES)
    assert array.headers["tautline-units"].split(",") == ["N", "m"]
    found = np.frombuffer(array.content, "<f4").reshape(-1, 2)
    assert set(map(tuple, np.array(list(values.values()), "<f4").tolist())) <= set(map(tuple, found.tolist()))
    asked = client.get(f"{STUDY}/evaluations", params={"state": "done"}).json()["items"]
    assert set(NAMES) <= set(asked[0]["metrics"])
    assert [one["objective"] for one in client.get("/api/v1/overview").json()["items"][0]["best"]] == [
        "workspace_volume",
        "capacity_margin.q05",
    ]
    comparison = client.get(f"{STUDY}/comparison").json()
    assert comparison["objectives"] == ["workspace_volume", "capacity_margin.q05"]
    assert set(comparison["reference_point"]) == {"workspace_volume", "capacity_margin.q05"}
    assert "capacity_margin" in {row["metric"] for row in comparison["not_optimised"]}
    figure = client.get(f"{STUDY}/figures/front-1").json()
    (axis,) = [a["title"]["text"] for name, a in figure["layout"].items() if name.startswith("yaxis")]
    assert "q05" in axis or "95 %" in axis, axis
    assert "capacity_margin.q05" in client.get(f"{STUDY}/file").text
    assert client.get(f"{STUDY}/verdicts").status_code == 200


def test_the_form_and_one_evaluation_take_dotted_metrics(dotted):
    client = dotted.client(dotted.token())
    file = client.get(f"{STUDY}/file").text
    draft = client.post("/api/v1/studies/draft", content=file, headers=TOML).json()
    assert draft["faults"] == []
    edited = client.post(
        "/api/v1/studies/draft/edited", json={"definition": draft["definition"], "toml": file}
    ).json()
    assert (edited["faults"], edited["definition"]) == ([], draft["definition"])
    assert parse_study(edited["toml"]).objectives == parse_study(DOTTED).objectives
    wrong = draft["definition"] | {"constraints": {NAMES[1]: {"lower": "1 kg"}}}
    told = client.post("/api/v1/studies/draft/edited", json={"definition": wrong, "toml": file}).json()[
        "faults"
    ]
    assert f"/constraints/{NAMES[1]}/lower" in [fault["pointer"] for fault in told]
    body = {"settings": {"cells": 4, "wrench_set": "gravity"}, "metrics": list(NAMES)}
    found = client.post("/api/v1/models/hybrid-cable-robot/evaluate", json=body).json()
    assert [name for name in found["metrics"] if not name.endswith("_error")] == list(NAMES)


def test_the_client_reads_what_the_store_holds(dotted, stored_front):
    _, front = stored_front
    with Client(ADDRESS, dotted.token(), dotted.transport) as client:
        assert client.fronts.list("dotted").items == front
        assert client.comparisons.layouts("dotted") == StoreServices(
            Context(store=dotted.store)
        ).comparisons.layouts("dotted")
        assert [pick.kind for pick in client.fronts.picks("dotted").items] == [
            pick.kind for pick in StoreServices(Context(store=dotted.store)).fronts.picks("dotted").items
        ]
        assert client.reevaluations.start("dotted").state == "done"
        assert all(set(NAMES) <= set(one.now.metrics) for one in client.reevaluations.designs("dotted").items)
