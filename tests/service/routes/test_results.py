import base64
import json
from urllib.parse import unquote

import numpy as np
import pytest

from dashboards.figures import scene_figure
from errors import AbsentError
from models.scene import Box, Line, Moment, Points, Scene, Surface
from service.app.evaluations import STATES
from service.app.scenes import scene_resource, shape_table
from studies.execution.model_calls import LocalModelCalls
from tests.service.routes.conftest import TOML, study_text, work_on

MIXED = "/api/v1/studies/mixed"


def pages(client, path, **params):
    """All items of a list, part by part."""
    items, cursor = [], ""
    while cursor is not None:
        answer = client.get(path, params={"cursor": cursor, **params})
        assert answer.status_code == 200, answer.text
        items += answer.json()["items"]
        cursor = answer.json()["next"]
    return items


def plain(resources):
    return [json.loads(resource.model_dump_json()) for resource in resources]


def array(answer):
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/octet-stream"
    rows, columns = map(int, answer.headers["Tautline-Shape"].split(","))
    names = [unquote(name) for name in answer.headers["Tautline-Columns"].split(",")]
    units = [unquote(unit) for unit in answer.headers["Tautline-Units"].split(",")]
    assert len(names) == len(units) == columns
    return (
        np.frombuffer(answer.content, "<f4").reshape(rows, columns),
        names,
        dict(zip(names, units, strict=True)),
    )


def test_runs_and_generations_are_what_the_store_tells(client, local):
    runs = pages(client, f"{MIXED}/runs", limit=3)
    assert runs == plain(local.runs.list("mixed").items)
    assert [(run["layout"], run["seed"]) for run in runs] == [("one", 1), ("one", 2), ("two", 1), ("two", 2)]
    for run in runs:
        assert client.get(f"{MIXED}/runs/{run['id']}").json() == run
        generations = pages(client, f"{MIXED}/runs/{run['id']}/generations", limit=2)
        assert [generation["number"] for generation in generations] == [1, 2, 3]
        assert generations[-1]["asked"] == run["designs"] == 24
        (provenance,) = client.get(f"{MIXED}/runs/{run['id']}/provenance").json()["items"]
        assert provenance["started"] > 0
    for missing in (0, 999, 2**63 - 1):
        assert client.get(f"{MIXED}/runs/{missing}").status_code == 404


def test_what_runs_asked_for_comes_in_order_and_can_be_narrowed(client, local):
    asked = pages(client, f"{MIXED}/evaluations", limit=7)
    assert len(asked) == 96
    order = [
        (run["layout"], run["seed"], n) for run in plain(local.runs.list("mixed").items) for n in range(24)
    ]
    assert [(one["layout"], one["seed"], one["ask_no"]) for one in asked] == order
    assert {one["state"] for one in asked} == {"done", "infeasible"}
    for state in STATES:
        assert pages(client, f"{MIXED}/evaluations", state=state, limit=7) == [
            one for one in asked if one["state"] == state
        ]
    narrowed = pages(client, f"{MIXED}/evaluations", layout="two", seed=2)
    assert narrowed == asked[72:]
    assert set(narrowed[0]["variables"]) == {"x", "y", "shape"}
    table = {row["key"]: row for row in json.loads(local.exports.table("mixed", "json").content)}
    assert {one["key"]: one["violation"] for one in asked} == {
        key: row["violation"] for key, row in table.items()
    }
    unknown = client.get(f"{MIXED}/evaluations", params={"layout": "three"})
    assert unknown.status_code == 422
    assert "unknown layout" in unknown.json()["detail"]


def test_the_array_holds_the_same_rows_and_says_what_they_are(client):
    asked = pages(client, f"{MIXED}/evaluations")
    values, names, units = array(client.get(f"{MIXED}/evaluations/array"))
    assert names[:6] == ["run", "generation", "ask_no", "state", "violation", "rung"]
    assert names[6:] == ["x", "y", "size", "shape", "f1", "f2", "sometimes"]
    assert units["sometimes"] == "m"
    column = {name: values[:, i] for i, name in enumerate(names)}
    runs = {("one", 1): 0, ("one", 2): 1, ("two", 1): 2, ("two", 2): 3}
    for number, one in enumerate(asked):
        row = {name: float(column[name][number]) for name in names}
        assert row["run"] == runs[one["layout"], one["seed"]]
        assert (row["generation"], row["ask_no"]) == (one["generation"], one["ask_no"])
        assert STATES[int(row["state"])] == one["state"]
        for name in ("x", "y"):
            assert row[name] == np.float32(one["variables"][name])
        for name in ("f1", "f2", "sometimes"):
            told = one["metrics"].get(name)
            assert np.isnan(row[name]) if told is None else row[name] == np.float32(told)
        shape = one["variables"].get("shape")
        assert (
            np.isnan(row["shape"])
            if shape is None
            else row["shape"] == ["round", "square", "flat"].index(shape)
        )
        size = one["variables"].get("size")
        assert np.isnan(row["size"]) if size is None else row["size"] == size
    part, _, _ = array(client.get(f"{MIXED}/evaluations/array", params={"layout": "two", "seed": 1}))
    np.testing.assert_array_equal(part[:, 2:4], values[48:72, 2:4])


def test_a_study_without_designs_gives_empty_arrays_fronts_and_figures(client):
    client.post("/api/v1/studies", content=study_text(), headers=TOML)
    values, names, _ = array(client.get("/api/v1/studies/new/evaluations/array"))
    assert values.shape == (0, len(names))
    assert client.get("/api/v1/studies/new/front").json() == {"items": [], "next": None}
    assert client.get("/api/v1/studies/new/evaluations").json() == {"items": [], "next": None}
    (history,) = client.get("/api/v1/studies/new/figures").json()["items"]
    assert client.get(f"/api/v1/studies/new/figures/{history['figure']}").status_code == 200
    assert client.get("/api/v1/studies/new/comparison").status_code == 200
    assert client.get("/api/v1/studies/new/indicators").json()["runs"][0]["designs"] == []
    assert client.get("/api/v1/studies/new/report").status_code == 200


def test_fronts_indicators_and_comparisons_are_what_the_store_tells(client, local):
    front = pages(client, f"{MIXED}/front", limit=3)
    assert front == plain(local.fronts.list("mixed").items)
    assert {design["layout"] for design in front} == {"one", "two"}
    narrowed = pages(client, f"{MIXED}/front", layout="one", seed=2)
    assert narrowed == plain(local.fronts.list("mixed", "one", 2).items)
    assert client.get(f"{MIXED}/comparison").json() == plain([local.comparisons.layouts("mixed")])[0]
    indicators = client.get(f"{MIXED}/indicators").json()
    assert indicators["reference_point"] == client.get(f"{MIXED}/comparison").json()["reference_point"]
    assert [run["designs"] for run in indicators["runs"]] == [[8, 16, 24]] * 4
    for run in indicators["runs"]:
        assert run["hypervolume"] == sorted(run["hypervolume"])


def test_figures_are_plotly_dictionaries(client):
    listed = client.get(f"{MIXED}/figures").json()["items"]
    assert [one["figure"] for one in listed] == ["front-1", "history", "parallel"]
    for one in listed:
        figure = client.get(f"{MIXED}/figures/{one['figure']}").json()
        assert figure["data"], one
        assert all("type" in trace for trace in figure["data"])
        assert "font" in figure["layout"]
    absent = client.get(f"{MIXED}/figures/front")
    assert absent.status_code == 404
    assert "did you mean 'front-1'" in absent.json()["detail"]


def test_a_design_is_shown_reproduced_and_evaluated_again_with_other_settings(client, local):
    key = local.fronts.list("mixed").items[0].key
    shown = client.get(f"{MIXED}/designs/{key}").json()
    assert shown == plain([local.designs.get(key, "mixed")])[0]
    assert shown["variables"]["x"] == shown["parameters"]["x"]
    assert client.get(f"{MIXED}/designs/{key[:10]}").json() == shown
    alone = client.get(f"/api/v1/designs/{key[:10]}").json()
    assert alone == plain([local.designs.get(key)])[0] == {**shown, "variables": {}}
    for path in (f"{MIXED}/designs/{key}/reproduce", f"/api/v1/designs/{key}/reproduce"):
        assert client.post(path).json()["identical"] is True
    again = client.post(f"{MIXED}/designs/{key}/evaluate", json={"settings": {"x": 0.5}}).json()
    assert again["status"] == "done"
    assert again["parameters"] == {**shown["parameters"], "x": 0.5}
    same = client.post(f"{MIXED}/designs/{key}/evaluate", json={}).json()
    assert same["metrics"] == shown["metrics"]
    faulty = client.post(f"{MIXED}/designs/{key}/evaluate", json={"settings": {"x": 7}})
    assert faulty.json()["errors"][0]["pointer"] == "/settings/x"
    assert client.post(f"{MIXED}/designs/{key}/evaluate", json={"preset": "sound"}).status_code == 422
    varied = client.post(f"{MIXED}/designs/{key}/evaluate", json={"variables": {"x": 0.5}}).json()
    assert varied["parameters"] == again["parameters"]
    assert varied["metrics"] == again["metrics"]
    for wrong, told in (
        ({"x": 7}, "outside the range"),
        ({"x": "much"}, "number"),
        ({"q": 1}, "does not vary"),
    ):
        refused = client.post(f"{MIXED}/designs/{key}/evaluate", json={"variables": wrong})
        assert refused.status_code == 422
        (fault,) = refused.json()["errors"]
        assert fault["pointer"] == f"/variables/{next(iter(wrong))}"
        assert told in fault["detail"]
    for missing, status in (("0" * 64, 404), ("%", 422), ("abc", 422)):
        assert client.get(f"{MIXED}/designs/{missing}").status_code == status


@pytest.fixture
def robot(done, client):
    """The key of a design of a robot that has a shape."""
    text = """
name = "robot"
model = "continuum-statics"
[variables]
tip_mass = { lower = 0.0, upper = 0.1 }
[objectives]
tip_x = "maximize"
[search]
algorithm = "lhs"
population = 4
evaluations = 4
"""
    made = client.post("/api/v1/studies", params={"launch": True}, content=text, headers=TOML)
    assert made.status_code == 202, made.text
    work_on(done.store, "robot")
    LocalModelCalls().scene(
        "continuum-statics", {}
    )  # where no kernel was compiled before, that takes a minute
    return client.get("/api/v1/studies/robot/evaluations", params={"limit": 1}).json()["items"][0]["key"]


ROBOT = "/api/v1/studies/robot"


def test_a_scene_has_small_shapes_whole_and_large_ones_as_arrays(client, robot):
    scene = client.get(f"{ROBOT}/designs/{robot}/scene").json()
    parameters = client.get(f"{ROBOT}/designs/{robot}").json()["parameters"]
    expected = LocalModelCalls().scene("continuum-statics", parameters)
    assert (scene["key"], scene["caption"], scene["up"]) == (robot, expected.caption, expected.up)
    assert [(shape["name"], shape["shape"]) for shape in scene["shapes"]] == [
        (shape.name, number) for number, shape in enumerate(expected.shapes)
    ]
    lines = [
        (told, drawn)
        for told, drawn in zip(scene["shapes"], expected.shapes, strict=True)
        if isinstance(drawn, Line)
    ]
    assert lines
    for told, drawn in lines:
        assert told["points"] == drawn.points.tolist()
        values, names, units = array(client.get(f"{ROBOT}/designs/{robot}/scene/{told['shape']}"))
        assert (names, set(units.values())) == (["x", "y", "z"], {"m"})
        np.testing.assert_array_equal(values, drawn.points.astype("<f4"))
    for missing in ("999", "0?part=triangles"):
        assert client.get(f"{ROBOT}/designs/{robot}/scene/{missing}").status_code == 404


def test_surfaces_and_point_sets_are_tables_of_numbers():
    points = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 1 / 3]])
    shapes = (
        Points("cells", points, np.array([0.1, 0.1, 0.1])),
        Surface("hull", points, np.array([[0, 1, 0]])),
        Box("frame", points[0], np.eye(3), points[1]),
        Points("reached", points, None, np.array([0.25, 1.0]), "share", np.array([0.0, 1.0])),
    )
    scene = Scene(shapes)
    cells, hull, frame, reached = scene_resource("k", scene).shapes
    assert (cells.kind, cells.count, cells.points, cells.cell_size) == ("points", 2, None, [0.1, 0.1, 0.1])
    assert (hull.kind, hull.count, hull.triangles) == ("surface", 2, 1)
    assert (frame.kind, frame.half_size) == ("box", points[1].tolist())
    for number in range(2):
        assert shape_table(scene, number, "points").values.tobytes() == points.astype("<f4").tobytes()
    assert shape_table(scene, 1, "triangles").values.tolist() == [[0.0, 1.0, 0.0]]
    assert (cells.value_name, cells.value_range) == ("", None)
    assert (reached.value_name, reached.value_range) == ("share", [0.0, 1.0])
    values = shape_table(scene, 3, "values")
    assert (values.values.tolist(), values.columns) == ([[0.25], [1.0]], ("share",))
    for number, part in ((2, "points"), (0, "triangles"), (0, "values"), (2, "moments")):
        with pytest.raises(AbsentError, match="has no"):
            shape_table(scene, number, part)


def test_a_line_that_moves_is_a_table_of_all_its_points():
    rods = [Line("rod", np.full((2, 3), height)) for height in (1.0, 2.0)]
    base = Line("base", np.zeros((2, 3)))
    moments = tuple(Moment(time, (rod,)) for time, rod in zip((0.0, 0.5), rods, strict=True))
    scene = Scene((base, rods[-1]), moments=moments)
    sent = scene_resource("k", scene)
    assert (sent.times, [shape.moves for shape in sent.shapes]) == ([0.0, 0.5], [False, True])
    table = shape_table(scene, 1, "moments")
    assert table.values.tolist() == [[1.0] * 3] * 2 + [[2.0] * 3] * 2
    assert (table.columns, table.units) == (("x", "y", "z"), ["m"] * 3)
    with pytest.raises(AbsentError, match="'base' has no moments"):
        shape_table(scene, 0, "moments")


def test_picks_are_designs_of_each_front_that_a_choice_begins_with(client, local):
    picks = pages(client, f"{MIXED}/picks")
    front = local.fronts.list("mixed").items
    for layout in ("one", "two"):
        mine = {(pick["kind"], pick["objective"]): pick["key"] for pick in picks if pick["layout"] == layout}
        assert set(mine) == {("best", "f1"), ("best", "f2"), ("knee", ""), ("ideal", "")}
        metrics = {design.key: design.metrics for design in front if design.layout == layout}
        assert set(mine.values()) <= set(metrics)
        for name in ("f1", "f2"):
            assert metrics[mine["best", name]][name] == min(values[name] for values in metrics.values())


def test_quantities_are_in_si_and_by_layout(client):
    text = study_text("units").replace("c1 = { lower = 0 }", "c1 = { lower = -1, upper = 2 }")
    client.post("/api/v1/studies", content=text, headers=TOML)
    told = client.get("/api/v1/studies/units/quantities").json()
    assert told["constraints"] == [
        {"metric": "c1", "lower": -1.0, "upper": 2.0}, {"metric": "c2", "lower": 0.0, "upper": None},
    ]  # fmt: skip
    assert told["objectives"][0] == {"metric": "f1", "sense": "minimize", "counts_as": {"default": 0.0}}
    mixed = client.get(f"{MIXED}/quantities").json()
    one, two = ({v["path"]: v for v in layout["variables"]} for layout in mixed["layouts"])
    assert (one["size"]["lower"], one["size"]["upper"], one["size"]["options"]) == (1.0, 9.0, None)
    assert two["shape"]["options"] == ["round", "square", "flat"]
    assert [metric["unit"] for metric in mixed["metrics"] if metric["metric"] == "sometimes"] == ["m"]


def test_units_of_the_study_file_become_si_in_quantities(client):
    text = """
name = "angles"
model = "hybrid-cable-robot"
preset = "constrained"
[variables]
beta1 = { lower = "0 deg", upper = "90 deg" }
[objectives]
F2 = "minimize"
[constraints]
interference_margin = { lower = "2 mm" }
[search]
population = 4
generations = 1
"""
    made = client.post("/api/v1/studies", content=text, headers=TOML)
    assert made.status_code == 201, made.text
    told = client.get("/api/v1/studies/angles/quantities").json()
    (beta1,) = told["layouts"][0]["variables"]
    assert beta1["upper"] == pytest.approx(np.pi / 2)
    assert told["constraints"][0]["lower"] == pytest.approx(0.002)


def test_the_row_of_an_array_leads_to_its_design(client):
    asked = pages(client, f"{MIXED}/evaluations", layout="two", seed=2)
    run = next(
        r for r in client.get(f"{MIXED}/runs").json()["items"] if (r["layout"], r["seed"]) == ("two", 2)
    )
    for one in asked[::11]:
        assert client.get(f"{MIXED}/runs/{run['id']}/evaluations/{one['ask_no']}").json() == one
    assert client.get(f"{MIXED}/runs/{run['id']}/evaluations/24").status_code == 404


def test_a_view_comes_as_a_figure_with_its_numbers_as_bytes(client, robot):
    figure = client.get(f"{ROBOT}/designs/{robot}/figure").json()
    parameters = client.get(f"{ROBOT}/designs/{robot}").json()["parameters"]
    expected = scene_figure(LocalModelCalls().scene("continuum-statics", parameters))
    assert [trace["type"] for trace in figure["data"]] == [trace["type"] for trace in expected["data"]]
    assert figure["layout"] == json.loads(json.dumps(expected["layout"]))
    for told, drawn in zip(figure["data"], expected["data"], strict=True):
        for name in "xyz":
            values = told[name]
            if isinstance(values, dict):
                values = np.frombuffer(base64.b64decode(values["bdata"]), f"<{values['dtype']}")
                np.testing.assert_allclose(values, drawn[name], rtol=1e-6)
            else:
                assert values == drawn[name]
    assert "backbone" in figure["summary"]
    nothing = client.get(f"{MIXED}/evaluations", params={"limit": 1}).json()["items"][0]["key"]
    assert client.get(f"{MIXED}/designs/{nothing}/figure").json()["data"] == []


def test_of_the_array_some_columns_and_fewer_rows_can_be_had(client):
    where = f"{MIXED}/evaluations/array"
    whole, every, _ = array(client.get(where))
    answer = client.get(where, params={"column": ["f1", "run", "x"], "most": 40})
    some, names, _ = array(answer)
    assert names == ["run", "x", "f1"]
    step = -(-len(whole) // 40)
    assert int(answer.headers["Tautline-Asked"]) == len(whole)
    kept = whole[whole[:, every.index("ask_no")] % step == 0]
    np.testing.assert_array_equal(some, kept[:, [every.index(name) for name in names]])
    unknown = client.get(where, params={"column": "f9"})
    assert unknown.status_code == 422
    assert "unknown column 'f9'" in unknown.json()["detail"]


def test_results_travel_packed_and_not_twice(client):
    for where in (f"{MIXED}/evaluations/array", f"{MIXED}/front", f"{MIXED}/evaluations"):
        answer = client.get(where, headers={"Accept-Encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip", where
        assert "accept-encoding" in answer.headers["vary"].lower()
        plain = client.get(where, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == answer.content
        etag = answer.headers["etag"]
        assert plain.headers["etag"] == etag
        known = client.get(where, headers={"If-None-Match": f'"other", {etag}'})
        assert (known.status_code, known.content) == (304, b"")
        assert known.headers["etag"] == etag
        assert client.get(where, headers={"If-None-Match": '"other"'}).status_code == 200


def test_what_may_hold_a_secret_is_not_packed(client):
    for where in ("/login", "/", "/api/v1/me", "/api/v1/tokens", "/api/v1/sessions", MIXED):
        assert "content-encoding" not in client.get(where, headers={"Accept-Encoding": "gzip"}).headers, where
