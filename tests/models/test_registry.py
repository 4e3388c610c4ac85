import pickle

import pytest

import models
from errors import InputError, ModelLoadError, UnknownNameError
from models import contract, registry
from models.hybrid_cable_robot import MODEL


class Entry:
    """Stands for what another distribution offers."""

    def __init__(self, name, loaded):
        self.name = name
        self.value = "somewhere:thing"
        self._loaded = loaded

    def load(self):
        return self._loaded


def offer(monkeypatch, *entries):
    monkeypatch.setattr(registry, "entry_points", lambda group: entries if group == "tautline.models" else ())


def test_own_models_come_first_and_load_by_name():
    assert models.names()[0] == "hybrid-cable-robot"
    assert models.load("hybrid-cable-robot") is MODEL


def test_unknown_models_come_with_the_nearest_name():
    with pytest.raises(UnknownNameError, match="did you mean 'hybrid-cable-robot'"):
        models.load("hybrid-cable-robots")


def test_other_distributions_cannot_replace_an_own_model(monkeypatch):
    offer(monkeypatch, Entry("hybrid-cable-robot", None))
    assert models.names().count("hybrid-cable-robot") == 1
    assert registry.load.__wrapped__("hybrid-cable-robot") is MODEL


def test_entry_points_that_are_no_model_of_their_name_are_refused(monkeypatch):
    offer(monkeypatch, Entry("something", object()), Entry("other", MODEL))
    for name in ("something", "other"):
        with pytest.raises(ModelLoadError, match=name):
            registry.load.__wrapped__(name)


def test_metrics_tell_the_cheapest_class_that_computes_them():
    assert MODEL.cost_class_for(["F1", "interference_margin"]) == "workspace"
    assert MODEL.metric("F2").sense == "minimize"
    with pytest.raises(UnknownNameError, match="did you mean 'workspace_volume'"):
        MODEL.metric("workspace_volum")


def test_errors_survive_the_way_between_processes():
    for error in (InputError("text", "place"), UnknownNameError("metric", "a", ["b"], "place")):
        copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
        assert str(copy) == str(error)
        assert copy.place == "place"


def test_reference_cases_agree_within_their_relative_tolerance():
    case = contract.ReferenceCase("x", "m", 2.0, 2.02, 0.02, "a paper")
    assert case.relative_error == pytest.approx(0.01)
    assert case.agrees is True
    assert contract.ReferenceCase("x", "m", 2.0, 3.0, 0.02, "a paper").agrees is False
    assert contract.ReferenceCase("x", "m", 2.0, 3.0, None, "a paper", "why").agrees is None
    assert contract.ReferenceCase("x", "m", 0.0, 0.25, 0.5, "a paper").relative_error == 0.25
