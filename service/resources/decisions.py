"""Records of decisions: what is wanted of a design, the ranking that follows, and what was chosen."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictFloat, StrictInt

from models.metrics import Sense
from service.resources.models import Moment, Resource
from studies.decision_records import DecisionRule
from studies.execution.evaluation_key import short_key
from studies.store.decisions import LONGEST_REASON

MOST_NAMES = 100
"""Objectives and filters of one request."""

Level = StrictFloat | StrictInt | Annotated[str, Field(max_length=80)]
"""A number in SI, or text with a unit."""


class RuleResource(Resource):
    """A decision rule: what its score is, whether a greater one is better, and what it uses."""

    rule: DecisionRule
    label: str
    score: str
    better: Sense
    source: str
    weighs: bool
    aspires: bool


class FilterRequest(Resource):
    """Allowed range of a metric or variable, both bounds included; null is no bound."""

    lower: Level | None = None
    upper: Level | None = None


class PreferencesRequest(Resource):
    """Preferences among designs. Numbers are SI; text carries a unit, such as "2 mm".

    Without ``weights`` all objectives count alike. An objective without aspiration level aims at the best of
    the candidates.
    """

    rule: DecisionRule = "topsis"
    weights: dict[str, StrictFloat | StrictInt] = Field(default_factory=dict, max_length=MOST_NAMES)
    aspirations: dict[str, Level] = Field(default_factory=dict, max_length=MOST_NAMES)
    filters: dict[str, FilterRequest] = Field(default_factory=dict, max_length=MOST_NAMES)
    layout: str | None = Field(default=None, max_length=64, description="null: all layouts together")


class IntervalResource(Resource):
    """Values from ``lower`` to ``upper``, SI; null is no bound."""

    lower: float | None
    upper: float | None


class PreferencesResource(Resource):
    """Preferences that chose a design, in SI."""

    rule: DecisionRule
    weights: dict[str, float]
    aspirations: dict[str, float]
    filters: dict[str, IntervalResource]
    layout: str | None


class CandidateResource(Resource):
    """A design among which one is chosen; objectives have their own senses, SI.

    A rule that ranks nothing gives neither rank nor score.
    """

    key: str
    layout: str
    rank: int | None
    score: float | None
    objectives: dict[str, float]


class RankingResource(Resource):
    """The best candidates, the best one first, and how many designs of the fronts are none.

    ``total`` counts the candidates, of which a long list is cut. ``filtered`` do not pass the filters;
    ``dominated`` pass, and another candidate is better in everything. ``rule`` is null for a person's own
    judgement. ``errors`` are those of each candidate's objectives, where the model states numerical errors.
    """

    study: str
    preferences: PreferencesResource
    rule: RuleResource | None
    candidates: list[CandidateResource]
    total: int
    filtered: int
    dominated: int
    errors: list[dict[str, float]]
    even: bool = Field(
        description="the first two differ by no more than numerical errors in every objective with a weight"
    )


def sheet_file(study: str, number: int | None = None, key: str = "") -> str:
    """The name of the file that holds the sheet of a study, of one of its decisions, or of a design."""
    if number is not None:
        return f"{study}-decision-{number}.html"
    return f"{study}-{short_key(key)}.html" if key else f"{study}-sheet.html"


class DecisionRequest(PreferencesRequest):
    """A design that is chosen, why, and by which rule.

    ``replaces`` is the number of the decision that stands; null where there is none yet.
    """

    key: str = Field(max_length=64, description="key of the design, or its first characters (6 or more)")
    reason: str = Field(max_length=LONGEST_REASON, description="why this design, in a sentence")
    chosen_layout: str | None = Field(
        default=None, max_length=64, description="where several layouts have the same design"
    )
    replaces: StrictInt | None = Field(default=None, ge=1, lt=2**31)


class DecisionResource(Resource):
    """A design that was chosen. Of a study, the decision with the greatest ``number`` stands.

    ``candidates`` are those among which it was chosen, itself among them, best first. ``author`` is an
    account, or the operating system's user where there are no accounts; earlier versions left it empty there.
    """

    study: str
    number: int
    replaces: int | None
    key: str
    layout: str
    preferences: PreferencesResource
    reason: str
    candidates: list[CandidateResource]
    author: str
    created: Moment
