"""Proofs that are repeated for many values: ``make test`` takes some of them, ``make soak`` the others."""

import itertools
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import pytest


def repeated(values: Iterable[Any], *, quick: Collection[Any]) -> list[Any]:
    """Return the values as arguments of ``parametrize``; those that are not in ``quick`` wait for the soak."""
    return [pytest.param(value, marks=() if value in quick else pytest.mark.soak) for value in values]


def crossed(*axes: Collection[Any]) -> list[Any]:
    """Return all combinations of values; the quick ones take each value of each axis at least once."""
    listed: list[Sequence[Any]] = [list(axis) for axis in axes]
    sizes = [len(axis) for axis in listed]
    quick = {tuple(i % size for size in sizes) for i in range(max(sizes))}
    return [
        pytest.param(
            *(axis[i] for axis, i in zip(listed, places, strict=True)),
            marks=() if places in quick else pytest.mark.soak,
        )
        for places in itertools.product(*map(range, sizes))
    ]
