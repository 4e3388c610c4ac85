"""Metrics of the cost classes: what they agree in, ensembles, warnings, what is infeasible."""

import pytest

from models.contract import Evaluation, Infeasible
from models.flexible_arm import MODEL, FlexibleArm, integration, simulation
from models.flexible_arm.evaluation import WITHOUT_STATISTICS, ensemble, motion_stage

from .arms import FALL


def resolved(**settings):
    return MODEL.resolve("paper", settings)


def test_both_classes_agree_in_the_first_contact():
    parameters = resolved(duration=0.8)
    early, whole = (MODEL.evaluate(parameters, name, 0).metrics for name in ("first-contact", "motion"))
    assert {name: whole[name] for name in early} == early
    assert early["first_contact_peak_force"] == pytest.approx(4148.37, rel=1e-5)
    assert early["micro_impacts"] == 3


def test_a_higher_section_bends_less_and_hits_harder():
    low, high = (
        MODEL.evaluate(resolved(section_height=height), "first-contact", 0).metrics
        for height in (0.008, 0.03)
    )
    assert [low["mass"], high["mass"]] == pytest.approx([1.92, 7.2])
    assert [low["max_deflection"], high["max_deflection"]] == pytest.approx([46.6e-3, 9.45e-3], rel=2e-3)
    assert [low["first_contact_peak_force"], high["first_contact_peak_force"]] == pytest.approx(
        [3219, 6412], rel=1e-3
    )


def swinging(**settings):
    """Two links that swing from a pin, far above the ground."""
    start = {"pinned": True, "base_position": [0, 5], "initial_angles": [0.0, 0.5], "duration": 0.5}
    return resolved(**start, **settings)


def test_deflections_of_sets_that_tend_to_the_same_motion_agree():
    sizes = [
        MODEL.evaluate(
            swinging(youngs_modulus=1e11, modes=3, mode_sets=[ends]), "first-contact", 0
        ).metrics["max_deflection"]
        for ends in ("ss", "cf", "ff")
    ]  # fmt: skip
    assert sizes == pytest.approx([4.4e-4] * 3, rel=0.03)


def test_energy_is_what_it_was_less_the_losses():
    metrics = MODEL.evaluate(resolved(duration=FALL + 0.2 + 1e-9), "motion", 0).metrics
    lost = sum(metrics[f"loss_{name}"] for name in ("contact", "friction", "damping"))
    start = 3 * 9.81 * (0.9 + 0.5 * 0.5 * 2 / 3 + 0.5 / 3)  # mass, gravity, height of the centre
    assert 1 - metrics["energy_kept"] == pytest.approx(lost / start, rel=1e-6)
    assert metrics["energy_error"] < 1e-8


def test_an_ensemble_is_decided_by_its_seed():
    parameters = resolved(duration=0.65, ensemble={"runs": 3, "jitter": 1e-3})
    first, again, other = (MODEL.evaluate(parameters, "ensemble", seed).metrics for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert first["first_contact_peak_force.q05"] < first["first_contact_peak_force.mean"]
    assert 0 < first["first_contact_peak_force.spread"] < 20
    assert not {name.split(".")[0] for name in first} & set(WITHOUT_STATISTICS)


def test_jitter_is_relative_and_keeps_what_is_allowed():
    parameters = resolved(restitution=1.0, line_density=2.0, ensemble={"runs": 50, "jitter": 0.1})
    runs = ensemble(parameters, 4)
    assert len(runs) == 50
    assert max(run.restitution for run in runs) == 1.0
    for name in ("youngs_modulus", "line_density", "contact_stiffness", "friction_coefficient"):
        ratios = [getattr(run, name) / getattr(parameters, name) for run in runs]
        assert 0.9 <= min(ratios) < 0.92
        assert 1.08 < max(ratios) <= 1.1
    assert all(FlexibleArm.model_validate(run.model_dump()) == run for run in runs)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"modes": 7}, "links of fewer than 8 modes: contact forces are too high"),
        ({"duration": 0.6}, "ends 0.172 s after the first touch, less than 'early_time'"),
        ({"duration": 0.2}, "no link end touches the ground within 0.2 s"),
    ],
)
def test_what_makes_a_number_doubtful_is_said(settings, words):
    found = MODEL.evaluate(resolved(**settings), "first-contact", 0)
    assert any(words in warning for warning in found.warnings)


def test_eight_modes_need_no_warning():
    assert MODEL.evaluate(resolved(modes=8), "first-contact", 0).warnings == ()


@pytest.mark.parametrize(
    ("youngs_modulus", "ends", "told"),
    [
        (2e9, "ss", []),
        (2e8, "ss", ["a link bends by 14 % of its length"]),
        (2e9, "cf", ["a link bends by 13 % of its length", "or take 'ss' or 'ff' instead of 'cf'"]),
    ],
)
def test_bends_that_are_too_large_for_the_equations_are_told(youngs_modulus, ends, told):
    parameters = swinging(youngs_modulus=youngs_modulus, mode_sets=[ends], modes=2)
    found = [
        warning
        for warning in MODEL.evaluate(parameters, "first-contact", 0).warnings
        if "a link bends" in warning
    ]
    assert len(found) == bool(told)
    assert all(words in found[0] for words in told)


def test_a_motion_that_is_not_found_is_infeasible(monkeypatch):
    monkeypatch.setattr(integration, "MOST_STEPS", 100)
    outcome = motion_stage(resolved(), 0)
    assert isinstance(outcome, Infeasible)
    assert "more than 100 steps" in outcome.reason
    assert 0 < outcome.violation < 1


def test_a_motion_of_far_too_many_steps_is_given_up(monkeypatch):
    """Larger arms have fewer steps in the time that an evaluation may take."""
    monkeypatch.setattr(simulation, "MOST_SECONDS", 0.01)
    few, fewer = (motion_stage(resolved(links=links, duration=0.6), 0) for links in (3, 10))
    assert "more than 192 steps" in few.reason
    assert "more than 86 steps" in fewer.reason


def test_chaotic_metrics_have_a_caution_and_statistics_have_none():
    assert MODEL.cautions(["impacts", "mass", "impacts.mean"])
    assert not MODEL.cautions(["mass", "impacts.mean", "first_contact_peak_force"])


def test_an_arm_that_is_not_symmetric_has_no_error_of_symmetry():
    outcome = MODEL.evaluate(resolved(tilt=0.1, duration=0.65), "first-contact", 0)
    assert isinstance(outcome, Evaluation)
    assert outcome.metrics["symmetry_error"] is None
    assert outcome.metrics["max_deflection"] > 0.0
