"""Inputs that are made of good ones: something of a text or of a tree is changed, by chance and from a seed."""

import contextlib
import copy
import json
import math
import random
import time
from collections.abc import Mapping

import pytest

from errors import TautlineError

TEXTS = [
    "", " ", "0", "-0", "1e999", "-1e999", "nan", "NaN", "inf", "-Infinity", ".inf", "1:59:59", "010", "0x1F", "1_000", "true", "null", "~",
    "9" * 25, "9" * 400, "9" * 5000, "9**9**9**9", "1 m^9^9^9^9", "5 mm", "5 kg", "3 N*m", "20 degC", "5 " + "a" * 30 + "!", "((((((((", "[[[[[[",
    "a" * 70, "a" * 3000, " " * 3000, "(" * 300, "\0", "\ud800", "\u202e", "ä²½", "١٢", "../../x", "x.0.0", "x1", "f1", "round", "__class__", "%s{0}",
    "!!int x", "!!bool x", "&a [*a]", "<<: 1", "<!DOCTYPE a>", "&lt;", "<a>", "</a>", '"', "'", "#", "=", ",", ";", "\t", "\r\n", "\n", "min(1, ",
    "1 / 0", "10 ** 400", "((x1 ** 100) ** 100) ** 100", "2 [kg^9^9]", "sqrt(-1)",
]  # fmt: skip
NUMBERS = [
    0, -0.0, 1, -1, 2, 0.5, 1e-300, 5e-324, 1e15, 1e30, 1e154, 1e300, 1.7e308, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 2**64, 10**30,
    10**308, 10**309, 10**400, -(10**400), math.pi,
]  # fmt: skip
VALUES = [
    *TEXTS,
    *NUMBERS,
    None,
    True,
    False,
    [],
    {},
    [[]],
    [{}],
    {"": None},
    {"a": {"a": {}}},
    [1, 2, 3],
    ["a"],
    [None],
]
MOST_SECONDS = 10.0
"""Most seconds of the processor for one input; none that is small needs a second."""


MOST_FAULTS = 10
"""After which no more are looked for."""


def plain(value):
    """True if JSON can hold a value as text that a client sends."""
    return not (isinstance(value, str) and "\ud800" in value)


def mutated_tree(chance, tree):
    """A copy with one to three values changed, left out, doubled, or moved under another key."""
    found = copy.deepcopy(tree)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        holder, key = chance.choice(list(_places(found)) or [(None, None)])
        if holder is None:
            return chance.choice(VALUES)
        change = chance.randrange(6)
        if change == 0:
            del holder[key]
        elif change == 1 and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        elif change == 1:
            holder[chance.choice([text for text in TEXTS if plain(text)])] = holder.pop(key)
        elif change == 2 and isinstance(holder[key], (int, float)):
            holder[key] = chance.choice(NUMBERS)
        else:
            holder[key] = copy.deepcopy(chance.choice([value for value in VALUES if plain(value)]))
    return found


def _places(tree):
    keys = list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    for key in keys:
        yield tree, key
        yield from _places(tree[key])


def mutated_text(chance, text, others=("",)):
    """A copy with one to four pieces cut out, doubled, exchanged, or replaced by something hostile."""
    for _ in range(chance.randrange(1, 5)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 1, 1, 2, 5, 20, 200)))
        change = chance.randrange(5)
        if change == 0:
            new = ""
        elif change == 1:
            new = text[start:end] * chance.choice((2, 3, 50))
        elif change == 2:
            other = chance.choice(others)
            place = chance.randrange(len(other) + 1)
            new = other[place : place + chance.choice((1, 5, 40))]
        elif change == 3:
            start, end = _number_near(text, start)
            new = chance.choice(TEXTS)
        else:
            new = chance.choice(TEXTS)
        text = text[:start] + new + text[end:]
    return text


def _number_near(text, start):
    """Beginning and end of the next run of digits, points and signs."""
    while start < len(text) and not text[start].isdigit():
        start += 1
    end = start
    while end < len(text) and text[end] in "0123456789.eE+-":
        end += 1
    return start, end


def require_finite(value):
    """Fail for a number that is not finite, anywhere in a value."""
    if isinstance(value, float):
        assert math.isfinite(value), value
    elif isinstance(value, Mapping):
        for item in value.values():
            require_finite(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            require_finite(item)


def fuzz(case, budget):
    """Try ``case(random)`` for the seeds from 0 on, as many or for as many seconds of the processor as the budget says.

    ``case`` returns what it would try and a function that tries it; only our own errors may come out of it.
    """
    begun, seed, found = time.process_time(), 0, []
    while len(found) < MOST_FAULTS and (
        seed < budget if isinstance(budget, int) else time.process_time() - begun < budget
    ):
        given, attempt = case(random.Random(seed))
        before = time.process_time()
        try:
            with contextlib.suppress(TautlineError):
                require_finite(attempt())
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - all that is not ours
            found.append(f"seed {seed}: {type(error).__name__}: {error}\n{_shown(given)}")
        if (seconds := time.process_time() - before) > MOST_SECONDS:
            found.append(f"seed {seed} took {seconds} s\n{_shown(given)}")
        seed += 1
    assert not found, "\n".join(found)


def _shown(given):
    text = given if isinstance(given, str) else json.dumps(given, default=repr)
    return text if len(text) < 4000 else f"{text[:3000]} ... {text[-1000:]}"


def budgets(count, share):
    """As arguments of ``parametrize``: so many inputs in ``make test``, a share of an hour in ``make soak``."""
    return [count, pytest.param(3600.0 * share, marks=[pytest.mark.soak, pytest.mark.timeout(3 * 3600)])]
