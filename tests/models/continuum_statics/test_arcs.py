"""Jumps that the number of arcs per gap decides, checked again with finer arcs."""

import pytest

from models.continuum_statics import refinement
from models.continuum_statics.model import MODEL
from models.continuum_statics.refinement import Losses, agree, refined
from models.continuum_statics.tension_sweep import started_sweep, straight_and_taken
from tests.models.continuum_statics.robots import paper


def sweep(**settings):
    return MODEL.evaluate(paper(**settings), "sweep", 0)


@pytest.mark.parametrize(
    ("mass", "coarse"), [(0.0515, 9.321), pytest.param(0.055, 9.423, marks=pytest.mark.soak)]
)
def test_a_jump_of_one_arc_that_vanishes_with_more_is_null_with_the_reason(mass, coarse):
    outcome = sweep(tip_mass=mass)
    assert outcome.metrics["snap_tension"] is None
    (warning,) = [each for each in outcome.warnings if each.startswith("snap_tension")]
    assert f"is {coarse:.4g} N with 1 arc per gap and none up to 20 N with 4" in warning
    assert outcome.metrics["first_loss_tension"] == pytest.approx(8.77, abs=0.03)


def test_in_the_plane_finer_arcs_find_the_jump():
    outcome = sweep(tip_mass=0.0515, planar=True)
    assert outcome.metrics["snap_tension"] == pytest.approx(9.19, abs=0.01)
    assert outcome.metrics["first_loss_tension"] == outcome.metrics["snap_tension"]
    assert any("snap_tension is none up to 20 N with 1 arc per gap" in each for each in outcome.warnings)


@pytest.mark.parametrize(
    ("planar", "snap"), [pytest.param(False, 9.495, marks=pytest.mark.soak), (True, 9.437)]
)
def test_from_57_5_grams_all_arcs_agree(planar, snap):
    outcome = sweep(tip_mass=0.0575, planar=planar)
    assert outcome.warnings == ()
    assert outcome.metrics["snap_tension"] == pytest.approx(snap, abs=0.001)


def test_a_path_far_from_any_loss_is_not_checked(monkeypatch):
    monkeypatch.setattr(refinement, "refined", lambda *_: pytest.fail("checked"))
    assert sweep(tip_mass=0.03).metrics["snap_tension"] is None


def test_a_check_that_does_not_reach_its_end_keeps_the_result_and_says_so(monkeypatch):
    parameters = paper(tip_mass=0.06)
    straight, taken = straight_and_taken(*started_sweep(parameters, None, None))
    monkeypatch.setattr(refinement, "slack_start", lambda *_: None)
    checked = refinement.check_sweep(parameters, straight, taken)
    assert checked.losses == refinement.losses_of(taken)
    assert "the check with 4 arcs per gap did not reach its end" in checked.warnings[0]
    fine = parameters.model_copy(update={"arcs_per_gap": 8})
    assert "not checked with finer arcs" in refinement.check_sweep(fine, straight, taken).warnings[0]


def test_a_payload_is_checked_too(monkeypatch):
    chosen = {"tensions": (9.0, 0.0, 0.0)}
    outcome = MODEL.evaluate(paper(**chosen), "payload", 0)
    assert outcome.warnings == ()
    found = iter([Losses(0.3, 0.3, 0.0, known=True)] * 2)
    monkeypatch.setattr(refinement, "_refined_payload", lambda _: next(found))
    changed = MODEL.evaluate(paper(**chosen), "payload", 0)
    assert changed.metrics["max_payload"] == 0.3
    assert "max_payload is" in changed.warnings[0]
    assert "0.3 kg with 4" in changed.warnings[0]


def test_results_are_refined_until_two_agree():
    asked = []

    def evaluate(parameters):
        asked.append(parameters.arcs_per_gap)
        return 2.0

    assert refined(paper(), 1.0, evaluate, agree) == [1.0, 2.0, 2.0]
    assert refined(paper(), 2.01, evaluate, agree) == [2.01, 2.0]
    assert refined(paper(disks=40), 1.0, evaluate, agree) == [1.0]
    assert asked == [2, 4, 2]
    assert agree(None, None)
    assert not agree(1.0, None)
