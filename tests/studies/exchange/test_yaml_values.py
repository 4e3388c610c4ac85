"""YAML of strangers has numbers as JSON has them, and no text of it fails in another way than by our error."""

import contextlib
import math
import time

import pytest
import yaml

from errors import InputError
from studies.exchange.source_text import yaml_or_json

MOST_SECONDS = 3.0
"""Most processor time for 256 kB: ten times what is measured; numbers to the base 60 took 3.5 s a line."""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12), ("010", 10), ("0o17", 15), ("0x1F", 31), ("-5", -5), ("1.5", 1.5), ("1e5", 1e5), (".5", 0.5), ("5.", 5.0),
        (".inf", math.inf), ("-.Inf", -math.inf), ("1:30", "1:30"), ("1:30.5", "1:30.5"), ("2026-11-27", "2026-11-27"),
        ("no", "no"), ("true", True), ("~", None), ("", None), ("'5'", "5"), ("1_000", "1_000"), ("!!int 7", 7),
        ("99999999999999999999", 1e20), ("9" * 5000, math.inf), ("=", "="),
    ],
)  # fmt: skip
def test_values_are_those_of_version_1_2(text, value):
    found = yaml_or_json(f"a: {text}\n", "robot.yaml")
    assert found == {"a": value}
    assert type(found["a"]) is type(value)


def test_what_is_written_is_read():
    tree = {
        "points": [[0.1, -2.5e-05, 3.0]],
        "name": "box",
        "count": 8,
        "free": True,
        "mass": None,
        "on": "010",
    }
    assert yaml_or_json(yaml.safe_dump(tree), "robot.yaml") == tree


@pytest.mark.parametrize(
    "text",
    ["!!int 1:30", "!!float 1:2", "!!bool maybe", "!!timestamp x", "!!null 5", "!!int [1]", "!!binary x", "!!set {a, b}", "{[1]: 2}",
     '"\\UFFFFFFFF"', "|99", "*a", "!%zz b", "\x07"],
)  # fmt: skip
def test_other_values_are_refused(text):
    with pytest.raises(InputError, match="is neither JSON nor YAML"):
        yaml_or_json(f"a: {text}\n", "robot.yaml")


@pytest.mark.parametrize(
    "text",
    ["1" + ":59" * 85_000, "1" + ":59" * 85_000 + ".5", "[" + "1:59:59, " * 15_000 + "1]", "1" * 256_000, "0." * 128_000,
     "'" + " " * 256_000, "[" * 256_000, "&a" * 128_000, "- " * 128_000, "? " * 128_000, "!" * 256_000],
)  # fmt: skip
def test_long_texts_take_no_long_time(text):
    begun = time.process_time()
    with contextlib.suppress(InputError):
        yaml_or_json(f"a: {text}", "robot.yaml")
    assert time.process_time() - begun < MOST_SECONDS
