"""Records of decisions: what is wanted of a design, the ranking that follows, and what was chosen."""

from typing import Annotated

from pydantic import Field, StrictFloat, StrictInt

from models.metrics import Sense
from service.resources.fields import Author, Key, Layout, Study
from service.resources.models import Moment, Resource
from studies.decision_records import DecisionRule
from studies.execution.evaluation_key import short_key
from studies.store.decisions import LONGEST_REASON

MOST_NAMES = 100
"""Objectives and filters of one request."""

Level = StrictFloat | StrictInt | Annotated[str, Field(max_length=80)]
"""A number in SI, or text with a unit."""
RuleName = Annotated[
    DecisionRule,
    Field(description="rule that ranks designs; `judgement` is a person's own, and ranks nothing"),
]


class RuleResource(Resource):
    """A decision rule."""

    rule: RuleName
    label: str = Field(description="name of the rule in words")
    score: str = Field(description="meaning of its score")
    better: Sense = Field(description="sense in which a score gets better")
    source: str = Field(description="publication of the rule")
    weighs: bool = Field(description="true where it uses weights")
    aspires: bool = Field(description="true where it uses aspiration levels")


class FilterRequest(Resource):
    """Allowed range of a metric or variable, both bounds included; text carries a unit."""

    lower: Level | None = Field(default=None, description="least value allowed; null: no bound")
    upper: Level | None = Field(default=None, description="greatest value allowed; null: no bound")


class PreferencesRequest(Resource):
    """Preferences among designs. Numbers are SI; text carries a unit, such as "2 mm"."""

    rule: RuleName = "topsis"
    weights: dict[str, StrictFloat | StrictInt] = Field(
        default_factory=dict,
        max_length=MOST_NAMES,
        description="weight of each objective, of any sum; empty: equal weights",
    )
    aspirations: dict[str, Level] = Field(
        default_factory=dict,
        max_length=MOST_NAMES,
        description="level of each objective that is good enough; without one: the best of the candidates",
    )
    filters: dict[str, FilterRequest] = Field(
        default_factory=dict,
        max_length=MOST_NAMES,
        description="range allowed of metrics and variables, by name",
    )
    layout: str | None = Field(default=None, max_length=64, description="null: all layouts together")


class IntervalResource(Resource):
    """Allowed range of a metric or variable, both bounds included."""

    lower: float | None = Field(description="least value allowed [SI]; null: no bound")
    upper: float | None = Field(description="greatest value allowed [SI]; null: no bound")


class PreferencesResource(Resource):
    """Preferences that chose a design."""

    rule: RuleName
    weights: dict[str, float] = Field(description="weight of each objective; empty: equal weights")
    aspirations: dict[str, float] = Field(description="level of each objective that is good enough [SI]")
    filters: dict[str, IntervalResource] = Field(
        description="range allowed of metrics and variables, by name [SI]"
    )
    layout: str | None = Field(
        description="layout among whose designs one is chosen; null: all layouts together"
    )


class CandidateResource(Resource):
    """A design among which one is chosen."""

    key: Key
    layout: Layout
    rank: int | None = Field(description="place by the score, from 1; null where the rule ranks nothing")
    score: float | None = Field(
        description="score by the rule, without unit; null where the rule ranks nothing"
    )
    objectives: dict[str, float] = Field(description="value of each objective in its own sense [SI]")


class RankingResource(Resource):
    """The best candidates, and how many designs of the fronts are none."""

    study: Study
    preferences: PreferencesResource = Field(description="preferences that ranked, in SI")
    rule: RuleResource | None = Field(description="rule that ranked; null for a person's own judgement")
    candidates: list[CandidateResource] = Field(description="the best 1000 candidates, best first")
    total: int = Field(description="number of candidates, also of those beyond the best 1000")
    filtered: int = Field(description="designs of the fronts that do not pass the filters")
    dominated: int = Field(
        description="designs that pass the filters, but another candidate is better in everything"
    )
    errors: list[dict[str, float]] = Field(
        description="numerical error of each candidate's objectives [SI], where the model states them"
    )
    even: bool = Field(
        description="the first two differ by no more than numerical errors in every objective with a weight"
    )


def sheet_file(study: str, number: int | None = None, key: str = "") -> str:
    """The name of the file that holds the sheet of a study, of one of its decisions, or of a design."""
    if number is not None:
        return f"{study}-decision-{number}.html"
    return f"{study}-{short_key(key)}.html" if key else f"{study}-sheet.html"


class DecisionRequest(PreferencesRequest):
    """A design that is chosen, why, and by which rule."""

    key: str = Field(max_length=64, description="key of the design, or its first characters (6 or more)")
    reason: str = Field(max_length=LONGEST_REASON, description="why this design, in a sentence")
    chosen_layout: str | None = Field(
        default=None, max_length=64, description="layout, where several have the same design"
    )
    replaces: StrictInt | None = Field(
        default=None,
        ge=1,
        lt=2**31,
        description="number of the decision that stands; null: there is none yet",
    )


class DecisionResource(Resource):
    """A design that was chosen. Of a study, the decision with the greatest ``number`` stands."""

    study: Study
    number: int = Field(description="number of the decision, from 1; the greatest stands")
    replaces: int | None = Field(description="number of the decision that it replaces; null for the first")
    key: Key
    layout: Layout
    preferences: PreferencesResource = Field(description="preferences by which it was chosen, in SI")
    reason: str = Field(description="reason for this design, as the author wrote it")
    candidates: list[CandidateResource] = Field(description="designs among which it was chosen, best first")
    author: Author
    created: Moment = Field(description="time of the decision, UTC")
