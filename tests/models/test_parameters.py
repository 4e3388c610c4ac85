import math
from typing import ClassVar, Literal

import pytest
from pydantic import Field, model_validator

from errors import InputError, UnknownNameError, place_text
from models.fields import field_at, quantity, unit_at, unit_of
from models.parameters import Parameters, resolve


class Inner(Parameters):
    force: tuple[float, float] = quantity((1.0, 2.0), unit=["N", "N m"], description="a force and a torque")


class Record(Parameters):
    supersedes: ClassVar = {"points": ("radius", "kind")}
    renamed: ClassVar = {"span": "length", "pair": "inner"}
    length: float = quantity(1.0, unit="m", description="a length", gt=0, le=10)
    radius: float = quantity(2.0, unit="m", description="a radius")
    kind: Literal["round", "square"] = Field("round", description="a kind")
    points: tuple[tuple[float, float], ...] | None = quantity(None, unit="m", description="points")
    values: tuple[float, ...] = quantity((1.0, 2.0, 3.0), unit="N", description="values")
    inner: Literal["none"] | Inner = Field(Inner(), description="a record inside")
    count: int = quantity(3, unit="1", description="a number of things")
    switch: bool = Field(default=True, description="a switch")
    pull: Literal["down", "up"] | tuple[float, float] = quantity("down", unit="N", description="a force")


def refused(settings, base=None, place=("parameters",)):
    with pytest.raises(InputError) as caught:
        resolve(Record, base or {}, settings, place)
    return caught.value


def test_settings_go_over_the_preset_and_the_preset_over_the_defaults():
    record = resolve(Record, {"length": 2.0, "radius": 3.0}, {"length": 4.0})
    assert (record.length, record.radius, record.count) == (4.0, 3.0, 3)


def test_a_field_is_set_by_the_name_that_it_had_before():
    record = resolve(Record, {"span": 2.0}, {"pair.force.0": "1 kN"})
    assert (record.length, record.inner.force) == (2.0, (1000.0, 2.0))
    # pyrefly: ignore[unexpected-keyword]
    assert Record(span=4.0) == Record(length=4.0)
    assert unit_of(field_at(Record, "span")) == unit_at(Record, "span") == "m"
    assert unit_at(Record, "pair.force.1") == "N m"


def test_a_field_is_not_set_by_both_names():
    found = refused({"span": 1.0, "length": 2.0})
    assert [(place_text(fault.place), fault.message) for fault in found.faults] == [
        ("parameters.span", "is the former name of 'length', which is set too; keep that one")
    ]


def test_text_carries_units_in_numbers_lists_and_inner_records():
    record = resolve(
        Record,
        {},
        {
            "length": "5 mm",
            "values": ["1 kN", 2.0],
            "inner": {"force": ["1 kN", "2 kN m"]},
            "points": [["1 cm", 2]],
        },
    )
    assert record.length == pytest.approx(0.005)
    assert record.values == (1000.0, 2.0)
    assert record.inner.force == (1000.0, 2000.0)
    assert record.points == ((0.01, 2.0),)


def test_units_of_records_in_a_list_that_may_be_unset_are_converted():
    class Holder(Parameters):
        inners: tuple[Inner, ...] | None = Field(None, description="records")

    given = {"inners": [{}, {"force": ["1 kN", 2]}], "inners.1.force.1": "3 kN m"}
    assert resolve(Holder, {}, given).inners[0].force == (1.0, 2.0)
    assert resolve(Holder, {}, given).inners[1].force == (1000.0, 3000.0)
    with pytest.raises(
        InputError, match=r"inners\[0\]\.force\[0\]: '1 kg' cannot be used here: it is a mass"
    ):
        resolve(Holder, {}, {"inners": [{"force": ["1 kg", 2]}]})


def test_a_quantity_may_have_names():
    assert resolve(Record, {}, {"pull": "up"}).pull == "up"
    assert resolve(Record, {}, {"pull": ["1 kN", 2]}).pull == (1000.0, 2.0)
    assert "or one of down, up" in str(refused({"pull": "sideways"}))


def test_dotted_paths_reach_items_of_lists_and_inner_records():
    record = resolve(
        Record,
        {"values": [7.0, 8.0], "inner": {"force": [1.0, 2.0]}},
        {"values.1": "2 kN", "inner.force.0": 5},
    )
    assert record.values == (7.0, 2000.0)
    assert record.inner.force == (5.0, 2.0)


def test_presets_are_not_changed_by_settings():
    preset = {"values": [7.0, 8.0]}
    resolve(Record, preset, {"values.0": 1.0})
    assert preset == {"values": [7.0, 8.0]}


@pytest.mark.parametrize(
    ("settings", "place", "part"),
    [
        ({"length": -1}, "parameters.length", "> 0 and <= 10"),
        ({"length": math.nan}, "parameters.length", "finite"),
        ({"length": "5 kg"}, "parameters.length", "a quantity in m"),
        ({"length": True}, "parameters.length", "not a number"),
        ({"kind": "oval"}, "parameters.kind", "'round' or 'square'"),
        ({"values.3": 1}, "parameters.values[3]", "items are 0 to 2"),
        ({"values.-1": 1}, "parameters.values.-1", "items are 0 to 2"),
        ({"length.x": 1}, "parameters.length.x", "no items"),
        ({"points.0": [1, 2]}, "parameters.points[0]", "set the whole of 'points' first"),
        ({"inner.mass": 1}, "parameters.inner", "mass"),
        ({"inner": {"mass": 1}}, "parameters.inner", "mass"),
        ({"count": 2.5}, "parameters.count", "whole number"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place_and_what_is_allowed(settings, place, part):
    error = refused(settings)
    assert place_text(error.place).startswith(place)
    assert part in str(error)


def test_unknown_names_come_with_the_nearest_one():
    with pytest.raises(UnknownNameError, match="did you mean 'length'"):
        resolve(Record, {}, {"lenght": 1.0})


def test_a_replacement_drops_what_a_preset_set_but_not_what_the_user_sets():
    record = resolve(Record, {"radius": 5.0, "kind": "square"}, {"points": [[0, 0]]})
    assert (record.radius, record.kind) == (2.0, "round")
    assert refused({"points": [[0, 0]], "radius": 5.0}).place == ("parameters", "radius")


def test_records_are_frozen_and_hashable():
    record = Record()
    with pytest.raises(ValueError, match="frozen"):
        record.length = 3.0
    assert hash(record) == hash(Record())


def test_fields_know_their_units():
    assert unit_of(Record.model_fields["length"]) == "m"
    assert unit_of(Inner.model_fields["force"]) == ["N", "N m"]
    assert unit_of(Record.model_fields["kind"]) is None


def test_several_faults_are_reported_together():
    text = str(refused({"length": -1, "count": 2.5}, place=""))
    assert "length" in text
    assert "count" in text


class _Nested(Parameters):
    point: tuple[float, float] = quantity((1.0, 2.0), unit="m", description="a point")


class _Outer(Parameters):
    nested: _Nested = Field(_Nested(), description="a table")
    points: tuple[tuple[float, float], ...] = quantity((), unit="m", description="points")


def test_paths_reach_into_tuples_of_presets_and_of_nested_records():
    base = {"points": ((0.0, 0.0), (1.0, 1.0))}
    settings = {"points.1.0": "5 mm", "nested.point.1": 7}
    resolved = resolve(_Outer, base, settings)
    assert resolved.points == ((0.0, 0.0), (0.005, 1.0))
    assert resolved.nested.point == (1.0, 7.0)
    assert base == {"points": ((0.0, 0.0), (1.0, 1.0))}


def test_a_field_set_to_nothing_replaces_nothing():
    assert resolve(Record, {}, {"points": None, "radius": 3}).radius == 3.0


class _Checked(Parameters):
    low: float = quantity(0.0, unit="1", description="lower end")
    high: float = quantity(1.0, unit="1", description="upper end")

    @model_validator(mode="after")
    def _in_order(self):
        if self.low > self.high:
            raise ValueError("'low' must not be above 'high'")
        return self


class _Formed(Parameters):
    form: Literal["wide", "narrow"] | _Checked = Field("wide", description="a name or a table")


def test_a_table_that_contradicts_itself_says_why():
    with pytest.raises(InputError) as error:
        resolve(_Formed, {}, {"form": {"low": 2, "high": 1}}, ("parameters",))
    assert error.value.place == ("parameters", "form")
    assert "'low' must not be above 'high'" in error.value.message
