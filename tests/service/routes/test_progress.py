"""Progress of studies over REST: agrees with the store, and costs a few statements."""

import pytest
from sqlalchemy import event

from service.app.cache import Cache
from service.app.progress import Budgets, budgets, rate
from studies.definition.study_file import parse_study
from studies.records import GenerationRecord, RunRecord
from studies.store import this_process
from studies.store.run_statistics import Spent
from tests.service.routes.conftest import TOML, study_text, work_on
from tests.studies.store.building_blocks import save

STUDIES = "/api/v1/studies"
OVERVIEW = "/api/v1/overview"


def overview(client, **query):
    return client.get(OVERVIEW, params=query).json()["items"]


def test_the_overview_tells_what_each_study_found(client, local):
    (item,) = overview(client)
    runs, front = local.runs.list("mixed").items, local.fronts.list("mixed").items
    assert (item["name"], item["state"], item["share"]) == ("mixed", "done", 1.0)
    assert item["layouts"] == ["one", "two"]
    assert item["designs"] == item["planned"] == sum(run.designs for run in runs) == 96
    assert item["feasible"] == sum(run.feasible for run in runs)
    for best in item["best"]:
        own = min(front, key=lambda design: design.metrics[best["objective"]])
        assert best["value"] == own.metrics[best["objective"]]
        assert best["layout"] == own.layout
    for small in item["fronts"]:
        assert len(small["points"]) == sum(design.layout == small["layout"] for design in front)
    for axis in zip(*(point for small in item["fronts"] for point in small["points"]), strict=True):
        assert (min(axis), max(axis)) == (0, 100)
    growth = item["growth"]
    assert (growth[0], growth[-1]) == (0.0, 1.0)
    assert growth == sorted(growth)
    assert item["seconds_left"] is None


def test_a_study_that_found_nothing_says_so(client):
    client.post(STUDIES, content=study_text(), headers=TOML)
    (item,) = overview(client, search="new")
    assert (item["designs"], item["share"], item["growth"]) == (0, 0.0, [])
    assert [best["value"] for best in item["best"]] == [None, None]
    assert item["planned"] == 72


def test_the_overview_is_searched_narrowed_and_paged_like_the_list(client):
    for number in range(5):
        client.post(STUDIES, content=study_text(f"s{number}"), headers=TOML)
    listed = [study["name"] for study in client.get(STUDIES).json()["items"]]
    seen, cursor = [], ""
    while cursor is not None:
        page = client.get(OVERVIEW, params={"limit": 2, "cursor": cursor}).json()
        seen += [item["name"] for item in page["items"]]
        cursor = page["next"]
    assert seen == listed
    assert [item["name"] for item in overview(client, name=["s1", "nothing", "mixed"])] == ["s1", "mixed"]
    assert overview(client, name=["s1"], search="mixed") == []
    assert overview(client, archived=True) == []
    assert client.get(OVERVIEW, params={"name": ["s1"] * 101}).status_code == 422


def test_a_list_costs_a_few_statements_however_long_it_is(done, client):
    def counted():
        statements = []

        def note(*arguments):
            statements.append(arguments[2])

        event.listen(done.store._engine, "before_cursor_execute", note)
        try:
            overview(client)
        finally:
            event.remove(done.store._engine, "before_cursor_execute", note)
        return len([text for text in statements if text.startswith("SELECT")])

    counted()
    before = counted()
    for number in range(20):
        client.post(STUDIES, content=study_text(f"s{number}"), headers=TOML)
    assert counted() == before


def test_progress_adds_up_over_the_runs(client, local):
    told = client.get(f"{STUDIES}/mixed/progress").json()
    runs = local.runs.list("mixed").items
    assert [run["id"] for run in told["runs"]] == [run.id for run in runs]
    for key in ("designs", "computed", "feasible", "failed"):
        assert told[key] == sum(run[key] for run in told["runs"]) == sum(getattr(run, key) for run in runs)
    assert (told["planned"], told["share"], told["rate"], told["seconds_left"]) == (96, 1.0, None, None)
    assert told["seconds"] == pytest.approx(sum(run["seconds"] for run in told["runs"]))
    assert all(run["message"] and run["finished"] for run in told["runs"])


def test_a_run_at_work_has_a_rate_and_time_left_and_one_that_waits_says_why(done, client):
    client.post(STUDIES, params={"launch": True}, content=study_text(), headers=TOML)
    told = client.get(f"{STUDIES}/new/progress").json()
    assert (told["waiting"]["ahead"], told["waiting"]["at_work"], told["rate"]) == (0, 0, None)
    run = done.store.study("new").runs[0]
    (_, claim), *_ = done.store.claim_runs([run], this_process())
    done.store.begin_run(claim, {"who": "test"})
    before = 0
    for number in (1, 2, 3):
        records = [
            done.store.history(item)[before + i].evaluation
            for item in done.store.study("mixed").runs[:1]
            for i in range(8)
        ]
        indicators = GenerationRecord(number, before + 8, 8, 8, 0, 1, 0.5, 0.0, 2.0, 10.0 + number)
        save(done.store, claim, number, records, before=before, indicators=indicators)
        before += 8
    told = client.get(f"{STUDIES}/new/progress").json()
    assert (told["state"], told["designs"], told["planned"], told["waiting"]) == ("running", 24, 72, None)
    assert told["rate"] == pytest.approx(4.0)
    assert told["seconds_left"] == pytest.approx(12.0)
    assert told["share"] == pytest.approx(1 / 3)
    assert told["runs"][0]["owner_gone"] is False
    (item,) = overview(client, name=["new"])
    assert item["seconds_left"] == pytest.approx(12.0)
    done.store.leave_run(claim, "cancelled")
    told = client.get(f"{STUDIES}/new/progress").json()
    assert (told["rate"], told["seconds_left"], told["share"]) == (None, None, pytest.approx(1 / 3))


def test_time_left_of_runs_with_a_wall_time_never_grows():
    """Two runs of 10 s each, one after the other; a generation takes 4 s."""
    budget = Budgets({"default": None}, 10.0)

    def left(states, seconds, quiet):
        runs = [
            RunRecord(number, "s", "default", number, state, "", None) for number, state in enumerate(states)
        ]
        last = GenerationRecord(1, 5, 5, 5, 0, 1, None, 0.0, 4.0, 0.0)
        spent = {number: Spent(last, time) for number, time in seconds.items()}
        return budget.seconds_left(runs, spent, 1.0, quiet)

    steps = [
        left(["running", "queued"], {}, {0: 0.0}),
        left(["running", "queued"], {}, {0: 3.0}),
        left(["running", "queued"], {0: 4.0}, {0: 0.0}),
        left(["running", "queued"], {0: 4.0}, {0: 5.0}),
        left(["done", "running"], {0: 10.0}, {1: 0.0}),
        left(["done", "running"], {0: 10.0, 1: 8.0}, {1: 3.0}),
    ]
    assert steps == [20.0, 17.0, 16.0, 11.0, 10.0, 0.0]


def test_a_run_with_a_wall_time_knows_its_time_left_before_its_first_generation(done, client):
    text = study_text().replace("generations = 6", 'wall_time = "1 h"')
    client.post(STUDIES, params={"launch": True}, content=text, headers=TOML)
    (_, claim), *_ = done.store.claim_runs(done.store.study("new").runs, this_process())
    done.store.begin_run(claim, {"who": "test"})
    told = client.get(f"{STUDIES}/new/progress").json()
    assert 3000.0 < told["seconds_left"] <= 3600.0
    assert 0.0 <= told["share"] < 0.2


def test_a_rate_is_taken_over_what_came_last():
    def generation(number, asked, seconds):
        return GenerationRecord(number, asked, asked, asked, 0, 1, None, 0.0, seconds, 0.0)

    assert rate([]) is None
    assert rate([generation(1, 10, 5.0)]) == 2.0
    assert rate([generation(7, 70, 1e9), generation(8, 80, 2.0), generation(9, 90, 3.0)]) == 4.0


@pytest.mark.parametrize(
    ("search", "planned", "seconds"),
    [
        ({"algorithm": '"grid"', "points": 5}, 25, None),
        ({"evaluations": 30}, 30, None),
        ({"generations": None, "wall_time": '"2 min"'}, None, 120.0),
    ],
)
def test_the_budget_is_what_the_file_states(done, client, search, planned, seconds):
    lines = {"population": 12, "generations": 6, **search}
    text = study_text().partition("[search]")[0] + "[search]\n"
    text += "\n".join(f"{key} = {value}" for key, value in lines.items() if value is not None)
    if "grid" in text:
        text = text.replace("population = 12\n", "").replace("generations = 6\n", "")
    assert parse_study(text).name == "new"
    made = client.post(STUDIES, content=text, headers=TOML)
    assert made.status_code == 201, made.text
    found = budgets(Cache(), done.store.study("new"))
    assert (found.designs, found.seconds) == ({"default": planned}, seconds)
    assert overview(client, name=["new"])[0]["planned"] == planned


def test_verdicts_count_every_design_once(client, local):
    told = client.get(f"{STUDIES}/mixed/verdicts").json()
    runs = local.runs.list("mixed").items
    assert told["designs"] == sum(run.designs for run in runs)
    assert told["feasible"] == sum(run.feasible for run in runs)
    assert told["infeasible"] == told["designs"] - told["feasible"]
    groups = told["groups"]
    assert sum(group["designs"] for group in groups) == told["infeasible"]
    for group in groups:
        assert group["verdict"] == "infeasible"
        assert sum(group["layouts"].values()) == group["designs"]
        assert client.get(f"{STUDIES}/mixed/designs/{group['key']}").json()["state"] == "infeasible"


def test_broken_constraints_are_counted_by_name(done, client, local):
    client.post(STUDIES, params={"launch": True}, content=study_text(population=40), headers=TOML)
    work_on(done.store, "new")
    told = client.get(f"{STUDIES}/new/verdicts").json()
    members = done.store.history(done.store.study("new").runs[0])
    outside = {name: sum(member.evaluation.metrics[name] < 0 for member in members) for name in ("c1", "c2")}
    assert told["constraint_broken"] == sum(member.violation > 0 for member in members) > 0
    assert {group["reason"]: group["designs"] for group in told["groups"]} == {
        name: number for name, number in outside.items() if number
    }
