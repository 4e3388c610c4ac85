"""Designs that somebody puts into a study at work: evaluated, learned from, logged and replayed."""

from dataclasses import replace

import numpy as np
import pytest

from errors import StateError, UnknownNameError
from studies.definition.study_file import parse_study
from studies.problem.problem import check
from studies.run.extension import extend_study
from studies.run.launch import resume_study, run_study
from tests.simulated_workers import SimulatedWorkers
from tests.studies.run.test_asynchronous import STUDY, opened, rows

BEST = {f"x.{i}": 0.25 if i == 0 else 0.0 for i in range(6)}
"""A design on the true front of ZDT1, which a search of 100 designs does not find."""


def text(algorithm, asynchronous):
    return (
        STUDY.replace("population = 20", f'algorithm = "{algorithm}"\npopulation = 20')
        .replace("asynchronous = true", f"asynchronous = {asynchronous}")
        .replace("400", "200")
    )


def begun(store, algorithm, asynchronous, after=60):
    """A paused search, and the workers that go on."""
    workers = SimulatedWorkers(4, lambda _: 1.0, stop_after=after)
    study = run_study(store, parse_study(text(algorithm, asynchronous)), opened(workers))
    assert study.state == "paused"
    return study


QUICK = [("nsga2", "false"), ("moead", "false"), ("sobol", "false"), ("nsga3", "true")]
SOAK = [
    ("nsga3", "false"),
    ("sms-emoa", "false"),
    ("optuna-nsga2", "false"),
    ("sms-emoa", "true"),
    ("optuna-nsga2", "true"),
]


@pytest.mark.parametrize(
    ("algorithm", "asynchronous"), [*QUICK, *(pytest.param(*each, marks=pytest.mark.soak) for each in SOAK)]
)
def test_a_proposal_is_evaluated_and_enters_log_and_front(store, algorithm, asynchronous):
    begun(store, algorithm, asynchronous)
    made = store.propose("steady", "default", BEST, "somebody")
    study = resume_study(store, "steady", opened(SimulatedWorkers(4, lambda _: 1.0)))
    (run,) = study.runs
    assert study.state == "done"
    assert store.generations(run)[-1].asked == 200
    told = [(key, origin.proposal) for key, *_, origin in padded(store, run) if origin and origin.proposal]
    assert [number for _, number in told] == [made.id]
    assert told[0][0] in {member.evaluation.key for member in store.front(run)}
    assert store.proposals_of("steady") == [(replace(made, taken=True), ((run.seed, told[0][0]),))]


def padded(store, run):
    """The rows of a log; those of plain generations have no origin."""
    for batch in store.log(run):
        origins = batch.origins or (None,) * len(batch.keys)
        yield from zip(batch.keys, batch.points, origins, strict=True)


@pytest.mark.parametrize("asynchronous", ["false", "true"])
def test_a_search_learns_from_a_proposal_and_replays_it(store, asynchronous):
    begun(store, "nsga2", asynchronous)
    store.propose("steady", "default", BEST)
    study = resume_study(store, "steady", opened(SimulatedWorkers(4, lambda _: 1.0)))
    (run,) = study.runs
    found = list(padded(store, run))
    place = next(n for n, (*_, origin) in enumerate(found) if origin and origin.proposal)
    # Genes of the proposal are exactly 0, which no other design begins with.
    heirs = [np.count_nonzero(point == 0.0) >= 3 for _, point, _ in found]
    assert not any(heirs[:place])
    assert sum(heirs[place + 1 :]) > 5
    before = rows(store, run) if asynchronous == "true" else [key for key, *_ in found]
    extend_study(store, "steady", {"evaluations": 240})
    assert resume_study(store, "steady", opened(SimulatedWorkers(4, lambda _: 1.0))).state == "done"
    after = rows(store, run) if asynchronous == "true" else [key for key, *_ in padded(store, run)]
    assert after[: len(before)] == before


@pytest.mark.parametrize("asynchronous", ["false", "true"])
def test_a_proposal_is_withdrawn_until_a_run_takes_it(store, asynchronous):
    begun(store, "nsga2", asynchronous)
    gone, taken = (store.propose("steady", "default", BEST | {"x.0": x}) for x in (0.5, 0.25))
    store.withdraw_proposal("steady", gone.id)
    refused = []

    def seconds(_):
        with pytest.raises(StateError, match=f"has taken proposal {taken.id} and evaluates it") as error:
            store.withdraw_proposal("steady", taken.id)
        refused.append(error.value)
        return 1.0

    assert resume_study(store, "steady", opened(SimulatedWorkers(4, seconds))).state == "done"
    assert refused, "it is taken before it is evaluated"
    ((left, told),) = store.proposals_of("steady")
    assert (left.id, left.taken, len(told)) == (taken.id, True, 1)
    (run,) = store.study("steady").runs
    assert {origin.proposal for *_, origin in padded(store, run) if origin} <= {None, taken.id}
    with pytest.raises(UnknownNameError):
        store.withdraw_proposal("steady", gone.id)


def test_an_ended_search_takes_no_proposal(store):
    run_study(store, parse_study(text("nsga2", "false")), opened(SimulatedWorkers(4, lambda _: 1.0)))
    with pytest.raises(StateError, match="have ended; extend the study first"):
        store.propose("steady", "default", BEST)


def test_a_draft_takes_no_proposal(store):
    definition = parse_study(text("nsga2", "false"))
    store.create_study(definition, check(definition), launch=False)
    with pytest.raises(StateError, match=r"have not begun; write the design into search\.initial"):
        store.propose("steady", "default", BEST)


def test_a_proposal_that_a_faster_one_overtook_is_not_lost(store):
    """The log has the second proposal when the run is cut; the first one was still being evaluated."""
    begun(store, "nsga2", "true")
    first = store.propose("steady", "default", BEST)
    second = store.propose("steady", "default", BEST | {"x.0": 0.5})
    slow = check(parse_study(text("nsga2", "true")))["default"].point(BEST)

    def seconds(task):
        return 1e6 if task.parameters["x"][0] == slow[0] and not any(task.parameters["x"][1:]) else 1.0

    cut = SimulatedWorkers(4, seconds, stop_after=60)
    assert resume_study(store, "steady", opened(cut)).state == "paused"
    taken = {origin.proposal for *_, origin in padded(store, store.study("steady").runs[0]) if origin}
    assert second.id in taken
    assert first.id not in taken
    study = resume_study(store, "steady", opened(SimulatedWorkers(4, lambda _: 1.0)))
    assert study.state == "done"
    taken = {origin.proposal for *_, origin in padded(store, study.runs[0]) if origin}
    assert {first.id, second.id} <= taken
