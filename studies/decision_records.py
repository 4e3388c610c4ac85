"""Frozen records of decisions: what was wanted of a design, the candidates, and the one that was chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from errors import AbsentError, InputError

DecisionRule = Literal["topsis", "achievement", "pseudo-weights", "knee", "high-tradeoff", "judgement"]
"""Rules that choose a design from a front; ``judgement`` is a person's own, and ranks nothing."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Values from ``lower`` to ``upper``, both included, SI; None where there is no bound."""

    lower: float | None = None
    upper: float | None = None


@dataclass(frozen=True, slots=True)
class Preferences:
    """Preferences among designs: the rule that ranks, and its numbers. All numbers are SI.

    Attributes
    ----------
    rule : str
        One of ``DecisionRule``.
    weights : mapping of str to float
        How much each objective counts; of equal weight where it is empty.
    aspirations : mapping of str to float
        A level of each objective that would be good enough, in the objective's own sense.
    filters : mapping of str to Interval
        Metrics and variables, and what is allowed of them.
    layout : str, optional
        The only layout that is looked at.
    """

    rule: DecisionRule
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    aspirations: Mapping[str, float] = field(default_factory=dict[str, float])
    filters: Mapping[str, Interval] = field(default_factory=dict[str, Interval])
    layout: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A design among which one was chosen: its place in the ranking, from 1, and the rule's score.

    ``objectives`` have their own senses, SI. A rule that ranks nothing gives neither rank nor score.
    """

    key: str
    layout: str
    rank: int | None
    score: float | None
    objectives: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """A design that was chosen for a study. The decision with the greatest ``number`` stands.

    ``candidates`` are those among which the design was chosen, itself among them, best first. ``author`` is
    an account, or the operating system's user; ``created`` is in UTC seconds.
    """

    study: str
    number: int
    key: str
    layout: str
    preferences: Preferences
    reason: str
    candidates: tuple[Candidate, ...]
    author: str
    created: float

    @property
    def rule(self) -> DecisionRule:
        """The rule that ranked."""
        return self.preferences.rule

    @property
    def replaces(self) -> int | None:
        """The number of the decision in whose place it stands."""
        return self.number - 1 if self.number > 1 else None


def refuse_key_and_number(key: str, number: int | None) -> None:
    """Raise ``InputError`` where a design and a decision are named, which may be of different designs."""
    if key and number is not None:
        raise InputError("a sheet is of a design or of a decision: name one of them", ("key",))


def numbered(study: str, decisions: Sequence[DecisionRecord], number: int) -> DecisionRecord:
    """The decision with a number among those of a study; raises ``AbsentError``."""
    found = next((one for one in decisions if one.number == number), None)
    if found is None:
        count = f"it has {len(decisions)}, from 1 on" if decisions else "it has none"
        raise AbsentError(f"study '{study}' has no decision {number}; {count}")
    return found
