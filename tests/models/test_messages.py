"""Faults of values in words of an engineer."""

from typing import Annotated, Any, Literal, Self

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from errors import UNKNOWN_KEY, Fault
from models.messages import excluded, explain, faults_of, faults_of_values


class Inside(BaseModel):
    mass: float
    length: float = 1.0


class Record(BaseModel):
    name: Annotated[str, Field(pattern="^[a-z]+$", max_length=9, description="letters a to z")] = "a"
    wanted: dict[str, int] = Field(default={"a": 1}, min_length=1, max_length=2, description="what is wanted")
    share: float = Field(default=0.5, ge=0, lt=1e9)
    above: float = Field(default=0.5, gt=0, le=12.0)
    finite: float = Field(default=0.5, allow_inf_nan=False)
    count: int = 1
    switch: bool = True
    sense: Literal["minimize", "maximize"] = "minimize"
    point: tuple[float, float] = (1.0, 2.0)
    points: list[int] = Field(default=[1, 2], min_length=2)
    form: int | float | str = 1
    inside: Inside = Inside(mass=1.0)
    needed: str


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"needed": ...}, "needed: is missing"),
        ({"name": "Two Words"}, "name: 'Two Words': cannot be used as a name (letters a to z)"),
        (
            {"name": "a" * 80},
            f"name: '{'a' * 60}…': is too long: at most 9 characters are allowed (letters a to z)",
        ),
        ({"name": 3}, "name: 3: must be text (letters a to z)"),
        ({"wanted": {}}, "wanted: is empty: at least 1 must be given (what is wanted)"),
        (
            {"wanted": dict.fromkeys("abc", 1)},
            "wanted: takes at most 2 items; more were given (what is wanted)",
        ),
        ({"wanted": ["a"]}, "wanted: must be a table of names and values (what is wanted)"),
        ({"share": -1}, "share: -1: must be at least 0 (>= 0 and < 1e9)"),
        ({"share": 2e9}, "share: 2000000000.0: must be less than 1e9 (>= 0 and < 1e9)"),
        ({"above": 0}, "above: 0: must be more than 0 (> 0 and <= 12)"),
        ({"above": 13}, "above: 13: must be at most 12 (> 0 and <= 12)"),
        ({"finite": float("inf")}, "finite: inf: must be a finite number"),
        ({"share": "x"}, "share: 'x': must be a number (>= 0 and < 1e9)"),
        ({"count": 1.5}, "count: 1.5: must be a whole number"),
        ({"switch": "maybe"}, "switch: 'maybe': must be true or false"),
        ({"sense": "min"}, "sense: 'min': must be 'minimize' or 'maximize'"),
        ({"point": [1]}, "point[1]: is missing: the list must have an item 1, counted from 0"),
        ({"points": [1]}, "points: needs at least 2 items; 1 given"),
        ({"points": 1}, "points: 1: must be a list, as in [1, 2]"),
        ({"form": [1]}, "form: must be a number or text"),
        ({"inside": True}, "inside: true: must be a table with mass, length"),
        ({"inside": {}}, "inside.mass: is missing"),
    ],
)
def test_what_is_missing_or_allowed(given: dict[str, Any], told: str):
    tree = {name: value for name, value in {"needed": "x", **given}.items() if value is not ...}
    with pytest.raises(ValidationError) as caught:
        Record.model_validate(tree)
    assert str(explain(caught.value, (), Record)) == told


class Limits(BaseModel):
    low: float = 0.0
    high: float = 1.0

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.low > self.high:
            raise excluded(f"'low' ({self.low:g}) is above 'high' {{sic}}", "low", "high")
        return self


class Robot(BaseModel):
    model_config = ConfigDict(extra="forbid")
    limits: Limits = Limits()
    rows: list[Limits] = []


def faults_in(given: dict[str, Any]) -> list[Fault]:
    with pytest.raises(ValidationError) as caught:
        Robot.model_validate(given)
    return faults_of(caught.value, ("parameters",), Robot)


def test_values_that_exclude_each_other_are_named_as_data():
    (fault,) = faults_in({"rows": [{}, {"low": 2}]})
    assert fault.place == ("parameters", "rows", 1)
    assert (fault.message, fault.key, fault.names) == (
        "'low' (2) is above 'high' {sic}",
        "excluded",
        ("low", "high"),
    )


def test_what_excludes_itself_is_no_fault_of_a_single_value():
    with pytest.raises(ValidationError) as caught:
        Robot.model_validate({"limits": {"low": 2}})
    assert faults_of_values(caught.value, (), Robot) == []


def test_a_key_that_is_not_known_is_data_beside_the_place_of_its_table():
    (fault,) = faults_in({"colour": 1})
    assert (fault.place, fault.key, fault.names) == (("parameters",), UNKNOWN_KEY, ("colour",))
    assert fault.message.startswith("unknown key 'colour'")
