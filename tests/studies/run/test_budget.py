"""Budgets end a search."""

from studies.run.budget import Budget


def test_designs_are_counted():
    budget = Budget(planned=100, wall_time=None, stagnation=None)
    budget.spend(60, 1.0)
    assert not budget.spent
    assert budget.left == 40
    budget.spend(40, 1.0)
    assert budget.spent == "it has evaluated all designs of its budget"


def test_wall_time_is_the_sum_of_the_generations():
    budget = Budget(planned=100, wall_time=2.5, stagnation=None)
    for _ in range(2):
        budget.spend(1, 1.0)
        assert not budget.spent
    budget.spend(1, 0.5)
    assert budget.spent == "its wall time of 2.5 s is used up"


def test_a_front_that_stands_still_ends_the_run_and_one_that_grows_does_not():
    budget = Budget(planned=100, wall_time=None, stagnation=3)
    budget.spend(1, 0.0)
    assert not budget.spent
    budget.spend(1, 0.0, stands_still=True)
    assert budget.spent == "its front has not improved for 3 generations"
    budget.spend(1, 0.0)
    assert not budget.spent
