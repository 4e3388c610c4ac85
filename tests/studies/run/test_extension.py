"""A finished search goes on with a larger budget, and ends as one that had it from the start."""

import pytest

from errors import EditConflictError, InputError, StateError
from studies.definition.study_file import parse_study
from studies.run.extension import extend_study
from studies.run.launch import resume_study, run_study
from studies.search.registry import OURS
from studies.store import Store, this_process
from tests.studies.run.test_run import picture

ALONE = """
name = "bnh"
model = "bnh"
[variables]
x1 = { lower = 0, upper = 5 }
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
[search]
algorithm = "nsga2"
population = 12
generations = 6
"""
SEVERAL = ALONE.replace('f1 = "minimize"', 'f1 = "minimize"\nf2 = "minimize"')


def searched(algorithm, budget):
    text = ALONE if algorithm in ("de", "cma-es") else SEVERAL
    return text.replace('"nsga2"', f'"{algorithm}"').replace("generations = 6", budget)


def whole(path, text, inline, executor):
    with Store(str(path)) as store:
        run_study(store, parse_study(text), inline(executor))
        return picture(store, "bnh")


QUICK = ("nsga2", "cma-es", "optuna-tpe")
GOING_ON = [
    pytest.param(
        name, "evaluations = 15", {"evaluations": 29}, marks=() if name in QUICK else pytest.mark.soak
    )
    for name, algorithm in OURS.items()
    if not algorithm.fixed and algorithm.extra is None
]
"""Algorithms; their contract says as well that each goes on."""


@pytest.mark.parametrize(
    ("algorithm", "budget", "larger"),
    [("nsga2", "generations = 2", {"generations": 4}), *GOING_ON],
)
def test_an_extended_search_ends_as_one_with_the_budget_from_the_start(
    store, tmp_path, inline, make_executor, algorithm, budget, larger
):
    ((key, value),) = larger.items()
    reference = whole(tmp_path / "whole.db", searched(algorithm, f"{key} = {value}"), inline, make_executor())
    run_study(store, parse_study(searched(algorithm, budget)), inline(make_executor()))
    study = extend_study(store, "bnh", larger)
    assert study.state == "queued"
    assert study.definition["search"][key] == value
    assert resume_study(store, "bnh", inline(make_executor())).state == "done"
    assert picture(store, "bnh") == reference


def test_a_study_with_constraints_and_several_runs_goes_on_too(
    store, tmp_path, bnh_study, inline, make_executor
):
    text = bnh_study.replace("seeds = [1]", "seeds = [1, 2]").replace("generations = 6", "evaluations = 30")
    reference = whole(tmp_path / "whole.db", text.replace("= 30", "= 61"), inline, make_executor())
    executor = make_executor()
    run_study(store, parse_study(text), inline(executor))
    before = len(set(executor.keys))
    extend_study(store, "bnh", {"evaluations": 61})
    resume_study(store, "bnh", inline(executor))
    assert picture(store, "bnh") == reference
    assert len(executor.keys) == len(set(executor.keys)) > before, "nothing is evaluated twice"
    assert store.check() == []


def test_the_first_generation_may_be_the_cut_one(store, tmp_path, bnh_study, inline, make_executor):
    text = bnh_study.replace("generations = 6", "evaluations = 5")
    reference = whole(
        tmp_path / "whole.db",
        text.replace("evaluations = 5", "evaluations = 24"),
        inline,
        make_executor(),
    )
    run_study(store, parse_study(text), inline(make_executor()))
    assert store.study("bnh").runs[0].reference_point is not None
    study = extend_study(store, "bnh", {"evaluations": 24})
    assert study.runs[0].reference_point is None
    resume_study(store, "bnh", inline(make_executor()))
    assert picture(store, "bnh") == reference


@pytest.mark.parametrize("algorithm", [name for name, found in OURS.items() if found.fixed])
def test_a_list_that_depends_on_the_budget_does_not_go_on(store, inline, make_executor, algorithm):
    budget = "evaluations = 24" if OURS[algorithm].budget else "points = 4"
    run_study(store, parse_study(searched(algorithm, budget)), inline(make_executor()))
    with pytest.raises(InputError, match=r"design.*choose a new name"):
        extend_study(store, "bnh", {"evaluations": 48})


def test_a_latin_hypercube_of_more_designs_is_another_one(store, tmp_path, inline, make_executor):
    """The reason why it is refused, seen in the designs themselves."""
    short = whole(tmp_path / "a.db", searched("lhs", "evaluations = 12"), inline, make_executor())
    long = whole(tmp_path / "b.db", searched("lhs", "evaluations = 24"), inline, make_executor())
    assert short[0][3][0] != long[0][3][0]


NO_LARGER_BUDGETS = [
    ({}, "give a larger budget"),
    ({"generations": 5}, "is 5, but must be more than the present 6"),
    ({"evaluations": 500}, "is not a budget of this study; its budget is given by generations"),
    ({"wall_time": "1 h"}, "is not a budget of this study; its budget is given by generations"),
    ({"generations": 2_000_000}, "less than or equal to|at most"),
]


def test_what_is_no_larger_budget_is_refused(store, bnh_study, inline, make_executor):
    run_study(store, parse_study(bnh_study), inline(make_executor()))
    for budget, said in NO_LARGER_BUDGETS:
        with pytest.raises(InputError, match=said):
            extend_study(store, "bnh", budget)
        assert store.study("bnh").state == "done"


def test_a_run_that_another_limit_ended_is_said_to(store, bnh_study, inline, make_executor):
    text = bnh_study.replace("generations = 6", "generations = 6\nevaluations = 24")
    run_study(store, parse_study(text), inline(make_executor()))
    with pytest.raises(
        InputError,
        match="nothing can be extended: default, seed 1: it has evaluated all designs of its budget",
    ):
        extend_study(store, "bnh", {"generations": 12})
    assert extend_study(store, "bnh", {"generations": 12, "evaluations": 48}).state == "queued"


def test_the_same_extension_again_changes_nothing(store, bnh_study, inline, make_executor):
    run_study(store, parse_study(bnh_study), inline(make_executor()))
    first = extend_study(store, "bnh", {"generations": 8})
    resume_study(store, "bnh", inline(make_executor()))
    again = extend_study(store, "bnh", {"generations": 8})
    assert (again.state, again.revision) == ("done", first.revision)


def test_a_study_that_somebody_works_on_is_paused_first(store, bnh_study, inline, make_executor):
    study = store.create_study(parse_study(bnh_study), ["default"])
    ((_, claim),) = store.claim_runs(study.runs, this_process())
    store.begin_run(claim, {"packages": {}, "model_version": 1})
    with pytest.raises(StateError, match="pause it first"):
        extend_study(store, "bnh", {"generations": 8})


def test_a_definition_that_changed_meanwhile_is_not_written_over(store, bnh_study, inline, make_executor):
    old = run_study(store, parse_study(bnh_study), inline(make_executor()))
    extend_study(store, "bnh", {"generations": 8})
    other = parse_study(bnh_study.replace("generations = 6", "generations = 9"))
    with pytest.raises(EditConflictError):
        store.extend_study(old, other, [run.id for run in old.runs])


def test_the_file_with_the_old_budget_is_reported_from_the_stored_one(
    store, bnh_study, inline, make_executor
):
    run_study(store, parse_study(bnh_study), inline(make_executor()))
    extend_study(store, "bnh", {"generations": 8})
    with pytest.raises(InputError, match="another study named 'bnh'"):
        run_study(store, parse_study(bnh_study), inline(make_executor()))
    same = parse_study(bnh_study.replace("generations = 6", "generations = 8"))
    assert run_study(store, same, inline(make_executor())).state == "done"


# ---------------------------------------------------------------- more seeds

TWO_SEEDS = SEVERAL.replace("generations = 6", "generations = 2").replace(
    'model = "bnh"', 'model = "bnh"\nseeds = [1, 3]'
)


def test_more_seeds_are_further_runs_of_the_same_study(store, tmp_path, inline, make_executor):
    """The old runs stay as they are; the new ones end as those of a study that had them from the start."""
    run_study(store, parse_study(TWO_SEEDS), inline(make_executor()))
    extended = extend_study(store, "bnh", {"seeds": 3})
    assert [run.state for run in extended.runs] == ["done", "done", "queued"]
    assert extended.definition["seeds"] == [1, 3, 2]
    resume_study(store, "bnh", inline(make_executor()))
    other = TWO_SEEDS.replace("[1, 3]", "[1, 3, 2]")
    assert picture(store, "bnh") == whole(tmp_path / "whole.db", other, inline, make_executor())


def test_a_file_with_further_seeds_goes_on_with_its_study(store, inline, make_executor):
    run_study(store, parse_study(TWO_SEEDS), inline(make_executor()))
    study = run_study(store, parse_study(TWO_SEEDS.replace("[1, 3]", "[1, 3, 4]")), inline(make_executor()))
    assert [(run.seed, run.state) for run in study.runs] == [(1, "done"), (3, "done"), (4, "done")]
    with pytest.raises(InputError, match="seeds is"):
        run_study(store, parse_study(TWO_SEEDS.replace("[1, 3]", "[1]")), inline(make_executor()))


def test_fewer_seeds_are_refused_and_the_same_number_changes_nothing(store, inline, make_executor):
    run_study(store, parse_study(TWO_SEEDS), inline(make_executor()))
    assert extend_study(store, "bnh", {"seeds": 2}) == store.study("bnh")
    with pytest.raises(InputError, match="more than the present 2"):
        extend_study(store, "bnh", {"seeds": 1})


def test_seeds_and_budget_grow_together(store, tmp_path, inline, make_executor):
    run_study(store, parse_study(TWO_SEEDS), inline(make_executor()))
    extend_study(store, "bnh", {"seeds": 3, "generations": 3})
    resume_study(store, "bnh", inline(make_executor()))
    other = TWO_SEEDS.replace("[1, 3]", "[1, 3, 2]").replace("generations = 2", "generations = 3")
    assert picture(store, "bnh") == whole(tmp_path / "whole.db", other, inline, make_executor())
