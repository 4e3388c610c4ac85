import copy
import json
from dataclasses import replace

import pytest

from studies.comparison.comparison import compare_layouts
from studies.deferred import Deferred
from studies.definition.study_file import parse_study
from studies.results.fronts import fronts
from studies.run.launch import run_study
from studies.store import column_types


def test_a_deferred_mapping_is_made_once_and_is_like_its_values():
    made = []
    found = Deferred(lambda: made.append(1) or {"a": 1.0, "b": None})
    assert not made
    assert found == {"a": 1.0, "b": None}
    assert {**found} == dict(found) == {"a": 1.0, "b": None}
    assert found.get("c") is None
    assert "b" in found
    assert list(found) == ["a", "b"]
    assert repr(found) == "{'a': 1.0, 'b': None}"
    assert len(made) == 1


def test_what_cannot_be_made_fails_each_time():
    def broken():
        raise ValueError("text")

    found = Deferred(broken)
    for _ in range(2):
        with pytest.raises(ValueError, match="text"):
            len(found)


def test_fronts_are_compared_without_a_look_into_parameters(
    store, bnh_study, inline, inline_executor, monkeypatch
):
    read = []

    def counting(text):
        read.append(text)
        return plain(text)

    plain = column_types.decoded
    study = run_study(store, parse_study(bnh_study), inline(inline_executor))
    monkeypatch.setattr(column_types, "decoded", counting)
    assert compare_layouts(store, study).criteria
    assert not read
    (front,) = fronts(store, study).values()
    assert not read
    assert json.loads(json.dumps(front[0].variables))["x1"] == front[0].variables["x1"]
    assert json.dumps(front[0].linked) == "{}"
    assert len(read) == 1
    assert replace(front[0], layout="other").variables == front[0].variables
    assert copy.deepcopy(front[0]) == front[0]
