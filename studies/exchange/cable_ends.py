"""Ends of cables among the names of links: pulleys and attachments by the number of their cable."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from studies.exchange.imported_robot import RobotReading

_PULLEY = re.compile(r"pulley|frame_?anchor", re.IGNORECASE)
_ATTACHMENT = re.compile(r"attachment|platform_?anchor", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_DIGITS = 9  # of the number of a cable
_MOST = 6  # numbers of a name that are tried
_FEW = 4  # names that are shown
_SHOWN = 40  # characters of one

Key = tuple[int, ...]
_READINGS: Mapping[str, Callable[[Key], Key]] = {
    "last number": lambda numbers: numbers[-1:],
    "first number": lambda numbers: numbers[:1],
    "second number": lambda numbers: numbers[1:2],
    "last number but one": lambda numbers: numbers[-2:-1],
    "numbers": lambda numbers: numbers,
}
"""Parts of a name's numbers that may tell cables apart, the likeliest first."""


class CableEnds(NamedTuple):
    """Names of links by the number of their cable."""

    pulleys: dict[int, str]
    attachments: dict[int, str]


def cable_ends(reading: RobotReading, names: Sequence[str], is_fixed: Callable[[str], bool]) -> CableEnds:
    """Find the ends of cables among names of links.

    Names with several numbers, such as ``cable_1_pulley_2``, are read so that pulleys and attachments have
    the same numbers, each once. ``is_fixed`` decides for a link whose name holds both words: one that is
    fixed to a root is a pulley.

    Raises
    ------
    InputError
        Where one side or both are missing, where a cable has one end, and where no number tells cables apart.
    """
    numbered = {name: numbers for name in names if (numbers := _numbers(name))}
    sides: tuple[list[str], list[str]] = ([], [])
    for name in numbered:
        is_pulley, is_attachment = bool(_PULLEY.search(name)), bool(_ATTACHMENT.search(name))
        if is_pulley or is_attachment:
            sides[0 if is_pulley and (not is_attachment or is_fixed(name)) else 1].append(name)
    _require_both(reading, *sides)
    found, told = _matched(reading, numbered, *sides)
    _require_pairs(reading, found)
    if any(len(numbered[name]) > 1 for side in sides for name in side):
        reading.assumed.append(f"{told} in names such as {sides[0][0][:_SHOWN]} tells the cables apart")
    return found


def _numbers(name: str) -> Key:
    return tuple(int(text[-_DIGITS:]) for text in _NUMBER.findall(name)[-_MOST:])


def _require_both(reading: RobotReading, pulleys: Sequence[str], attachments: Sequence[str]) -> None:
    marks = (
        "as in cable_1_pulley and cable_1_attachment: the format knows no cables, and such links mark their "
        "ends"
    )
    if not pulleys and not attachments:
        raise reading.fault(
            f"has no links whose names hold 'pulley' or 'attachment' and the number of a cable, {marks}"
        )
    if not pulleys:
        raise reading.fault(
            f"has attachments ({_listed(attachments)}) without pulleys: name the links from which the cables "
            "run, and which are fixed to the root, pulley_1 and so on"
        )
    if not attachments:
        raise reading.fault(
            f"has pulleys ({_listed(pulleys)}) without attachments: name the links that hold the cables on "
            "the platform attachment_1 and so on"
        )


def _matched(
    reading: RobotReading, numbered: Mapping[str, Key], pulleys: Sequence[str], attachments: Sequence[str]
) -> tuple[CableEnds, str]:
    """Ends by the numbers that agree best between the two sides, and the words for these numbers."""
    pairs = sorted(product(_READINGS, repeat=2), key=lambda pair: pair[0] != pair[1])
    best: tuple[float, CableEnds, str] | None = None
    for pair in pairs:
        sides = [
            {_READINGS[how](numbered[name]): name for name in names}
            for how, names in zip(pair, (pulleys, attachments), strict=True)
        ]
        if len(sides[0]) < len(pulleys) or len(sides[1]) < len(attachments) or () in (sides[0] | sides[1]):
            continue
        keys = sorted(sides[0].keys() | sides[1].keys())
        agree = len(sides[0].keys() & sides[1].keys()) / len(keys)
        if best is None or agree > best[0]:
            single = all(len(key) == 1 for key in keys)
            label = {key: key[0] if single else place for place, key in enumerate(keys, 1)}
            ends = CableEnds(*({label[key]: name for key, name in side.items()} for side in sides))
            best = agree, ends, f"the {pair[0]}" if pair[0] == pair[1] else f"the {pair[0]}, or {pair[1]},"
    if best is None:
        twice = _twice(pulleys, numbered) or _twice(attachments, numbered)
        raise reading.fault(f"no number in the names of the links tells the cables apart: {twice}")
    return best[1:]


def _twice(names: Sequence[str], numbered: Mapping[str, Key]) -> str:
    """Two names with the same last number."""
    known: dict[int, str] = {}
    for name in names:
        other = known.setdefault(numbered[name][-1], name)
        if other != name:
            return f"'{other[:_SHOWN]}' and '{name[:_SHOWN]}' have the number {numbered[name][-1]}"
    return ""


def _require_pairs(reading: RobotReading, ends: CableEnds) -> None:
    alone = {
        "pulleys without attachments": ends.pulleys.keys() - ends.attachments.keys(),
        "attachments without pulleys": ends.attachments.keys() - ends.pulleys.keys(),
    }
    names = ends.attachments | ends.pulleys
    told = [f"{what}: {_listed([names[n] for n in sorted(found)])}" for what, found in alone.items() if found]
    if told:
        raise reading.fault(f"has {', and '.join(told)}; each cable needs both, with the same number")


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(name[:_SHOWN] for name in names[:_FEW]) + more
