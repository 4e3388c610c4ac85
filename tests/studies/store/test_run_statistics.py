"""Statistics of a run's designs are the same, counted in the database, as counted by hand."""

from collections import Counter

import pytest

from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.store import Store

STUDY = """
name = "remarks"
model = "MODEL"
seeds = [1, 2]
[variables]
x1 = { lower = 0, upper = 5 }
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 12
generations = 4
"""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)])
def stored(request, tmp_path):
    url = str(tmp_path / "r.db") if request.param == "sqlite" else request.getfixturevalue("postgresql_url")
    with Store(url) as store:
        yield store


def test_remarks_are_those_of_the_log(stored, inline, make_executor):
    study = run_study(stored, parse_study(STUDY.replace("MODEL", "bnh")), inline(make_executor()))
    with stored._engine.begin() as connection:
        keys = [row[0] for row in connection.exec_driver_sql("SELECT key FROM evaluation ORDER BY key")]
        for number, key in enumerate(keys):
            warnings = ["[]", '["thin", "slow"]', '["slow"]'][number % 3]
            reason = ["", "no tension", "collision"][number % 3] if number > 4 else "collision"
            connection.exec_driver_sql(
                f"UPDATE evaluation SET warnings = '{warnings}', reason = '{reason}' WHERE key = '{key}'"  # noqa: S608
            )
    for run in study.runs:
        assert stored.last_generations([run]) == {run.id: stored.generations(run)[-1]}
        texts = Counter(text for member in stored.front(run) for text in member.evaluation.warnings)
        assert dict(stored.warnings(run, 2)) == dict(texts.most_common(2))
        reasons = Counter(member.evaluation.reason for member in stored.history(run))
        assert dict(stored.reasons(run, 3)) == dict(reasons)
        assert [count for _, count in stored.reasons(run, 3)] == sorted(reasons.values(), reverse=True)
        assert len(stored.reasons(run, 1)) == 1


def test_a_run_that_has_not_begun_says_nothing(stored):
    definition = parse_study(STUDY.replace("MODEL", "bnh"))
    run = stored.create_study(definition, ["default"]).runs[0]
    assert stored.last_generations([run]) == {}
    assert stored.warnings(run, 3) == []
    assert stored.reasons(run, 3) == []
