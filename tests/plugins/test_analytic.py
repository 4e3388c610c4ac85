"""The test problems are the published ones: their known designs and fronts hold."""

import numpy as np
import pytest

from models import Evaluation, load

KNOWN = ["zdt1", "zdt2", "zdt3", "zdt4", "dtlz2", "mixed", "bnh", "osy"]


@pytest.mark.parametrize("name", KNOWN)
def test_known_designs_are_met(name):
    cases = load(name).reference_cases()
    assert cases
    for case in cases:
        assert case.obtained == pytest.approx(case.published, rel=case.tolerance), case.name


def metrics(name, **settings):
    model = load(name)
    outcome = model.evaluate(model.resolve(None, settings), "plain", 0)
    assert isinstance(outcome, Evaluation)
    return outcome.metrics


def test_the_mixed_front_needs_every_whole_number_and_every_option():
    for t in np.linspace(0, 1, 41)[:-1]:
        turns = int(9 * t)
        at = {"turns": turns, "slide": 9 * t - turns}
        f2 = {m: metrics("mixed", **at, material=m)["f2"] for m in ("steel", "brass", "nylon")}
        best = min(f2, key=f2.get)
        assert f2[best] == pytest.approx(1 - np.sqrt(t), abs=1e-9)
        assert sorted(f2.values())[1] > f2[best] + 0.01
        assert metrics("mixed", **at, material=best, slack=0.1)["f2"] > f2[best]


def test_dtlz2_stands_on_the_unit_sphere_where_the_other_variables_are_one_half():
    for angles in ([0.1, 0.9], [0.5, 0.2], [1.0, 0.0]):
        f = metrics("dtlz2", x=[*angles, *[0.5] * 10])
        assert sum(value**2 for value in f.values()) == pytest.approx(1)
        beyond = metrics("dtlz2", x=[*angles, *[0.4] * 10])
        assert sum(value**2 for value in beyond.values()) == pytest.approx(1.1**2)
