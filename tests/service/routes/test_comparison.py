"""Studies against each other over REST: numbers, sentences, and what is refused."""

import pytest

import tautline
from errors import ConditionsDifferError
from tests.service.routes.conftest import MIXED, work_on
from tests.service.routes.test_results import plain

ADDRESS = "/api/v1/comparison"


def of(*names):
    return [("of", name) for name in names]


@pytest.fixture
def second(local, done):
    """The same study again, with other seeds and more generations."""
    from studies.definition.study_file import parse_study

    text = MIXED.replace('"mixed"', '"again"').replace("seeds = [1, 2]", "seeds = [1, 2, 3]")
    local.studies.create(parse_study(text.replace("generations = 3", "generations = 4")))
    work_on(done.store, "again")
    return "again"


def test_layouts_of_one_study_are_compared_as_its_own_comparison_does(client, local):
    found = client.get(ADDRESS, params=of("mixed")).json()
    own = client.get("/api/v1/studies/mixed/comparison").json()
    assert {name: found[name] for name in own} == own
    assert [one["label"] for one in found["contenders"]] == ["one", "two"]
    assert found["same_conditions"] is True
    assert found == plain([local.comparisons.studies(["mixed"])])[0]


def test_studies_are_measured_against_one_point_and_their_conditions_reported(client, second):
    found = client.get(ADDRESS, params=of("mixed", second)).json()
    labels = ["mixed: one", "mixed: two", "again: one", "again: two"]
    assert [one["label"] for one in found["contenders"]] == labels
    assert set(found["seed_hypervolumes"]["again: one"]) == {"1", "2", "3"}
    assert found["same_conditions"] is False
    (told,) = found["conditions"]
    assert told == (
        "The conditions are not the same: designs per run (24 in mixed; 32 in again) and seeds (1 and 2 in mixed; 1, 2 "
        "and 3 in again) differ."
    )
    assert {one["condition"] for one in found["differences"]} == {"designs per run", "seeds"}
    hypervolume = next(one for one in found["criteria"] if one["name"] == "hypervolume")
    assert hypervolume["values"]["again: one"] >= hypervolume["values"]["mixed: one"]


def test_the_conditions_of_the_studies_are_read_once_for_all_figures(local, done, monkeypatch):
    from studies.comparison import conditions

    read = []

    def counting(study, before=conditions.setup_of):
        read.append(study.name)
        return before(study)

    monkeypatch.setattr(conditions, "setup_of", counting)
    local.comparisons.studies(["mixed"])
    once = len(read)
    for name in ("front-1", "spread", "history"):
        local.comparisons.figure(["mixed"], name)
    assert once == len(read) > 0


def test_every_figure_that_is_named_can_be_drawn(client, second):
    found = client.get(ADDRESS, params=of("mixed", second)).json()
    names = [one["figure"] for one in found["figures"]]
    assert names == ["front-1", "spread", "attainment-1", "history"]
    for name in names:
        figure = client.get(f"{ADDRESS}/figures/{name}", params=of("mixed", second)).json()
        drawn = {trace["legendgroup"] for trace in figure["data"]} - {"each seed"}
        enough = {label for label, seeds in found["seed_hypervolumes"].items() if len(seeds) > 2}
        assert drawn == (enough if name == "attainment-1" else set(found["seed_hypervolumes"]))
        assert enough < set(found["seed_hypervolumes"])
    history = client.get(f"{ADDRESS}/figures/history", params=of("mixed", second)).json()
    seeds = [trace for trace in history["data"] if ", seed " in trace["name"]]
    assert len(seeds) == 2 * 2 + 2 * 3
    ends = sorted((trace["name"].rsplit(", seed ")[0], trace["y"][-1]) for trace in seeds)
    volumes = sorted(
        (label, v) for label, seeds in found["seed_hypervolumes"].items() for v in seeds.values()
    )
    assert [label for label, _ in ends] == [label for label, _ in volumes]
    assert [value for _, value in ends] == pytest.approx([value for _, value in volumes], rel=1e-5)


@pytest.fixture
def lighter(local, done):
    """The same study with another limit."""
    from studies.definition.study_file import parse_study

    text = MIXED.replace('"mixed"', '"lighter"').replace("threshold = 0.9", "threshold = 0.8")
    local.studies.create(parse_study(text))
    work_on(done.store, "lighter")
    return "lighter"


def test_other_conditions_are_refused_and_marked_where_they_are_asked_for(client, local, lighter):
    refused = client.get(ADDRESS, params=of("mixed", lighter))
    problem = refused.json()
    assert (refused.status_code, problem["type"]) == (422, "urn:tautline:problem:conditions-differ")
    assert "threshold (0.9 in mixed; 0.8 in lighter)" in problem["detail"]
    assert problem["path"] == ["across_conditions"]
    figure = client.get(f"{ADDRESS}/figures/front-1", params=of("mixed", lighter))
    assert figure.status_code == 422
    asked = [*of("mixed", lighter), ("across_conditions", "true")]
    found = client.get(ADDRESS, params=asked).json()
    assert found["across"] == "conditions differ: threshold"
    assert found == plain([local.comparisons.studies(["mixed", lighter], across_conditions=True)])[0]
    for about in found["figures"]:
        assert about["caption"].endswith("Conditions differ: threshold.")
        drawn = client.get(f"{ADDRESS}/figures/{about['figure']}", params=asked).json()
        assert [a["text"] for a in drawn["layout"]["annotations"]] == ["<b>conditions differ: threshold</b>"]
    with pytest.raises(ConditionsDifferError):
        local.comparisons.studies(["mixed", lighter])
    with pytest.raises(ConditionsDifferError):
        tautline.figures.compared(local, ["mixed", lighter])
    marked = tautline.figures.compared(local, ["mixed", lighter], across_conditions=True)
    assert len(marked["layout"]["annotations"]) == 1


def test_a_fair_comparison_has_no_mark(client, second):
    found = client.get(ADDRESS, params=of("mixed", second)).json()
    assert found["across"] == ""
    figure = client.get(f"{ADDRESS}/figures/front-1", params=of("mixed", second)).json()
    assert figure["layout"]["annotations"] == []


def test_what_cannot_be_compared_is_refused_with_its_reason(client):
    assert client.get(ADDRESS).status_code == 422
    assert client.get(ADDRESS, params=of("nothing")).status_code == 404
    assert client.get(ADDRESS, params=of(*"abcdefg")).status_code == 422
    missing = client.get(f"{ADDRESS}/figures/front-7", params=of("mixed"))
    assert missing.status_code == 404
    assert "front-1" in missing.json()["detail"]
