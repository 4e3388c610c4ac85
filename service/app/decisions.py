"""Rankings of designs, and the decisions that were made."""

from __future__ import annotations

from datetime import UTC, datetime

from service.app.context import Context
from service.resources.decisions import (
    DecisionRequest,
    DecisionResource,
    PreferencesRequest,
    PreferencesResource,
    RankingResource,
    RuleResource,
)
from service.resources.models import Page
from service.resources.parameters import DecisionNumber, StudyName
from studies.comparison.entries import goals_of
from studies.decision.decision import (
    MOST_CANDIDATES,
    GivenPreferences,
    Ranking,
    decide,
    leaders_even,
    numerical_errors,
    rank,
    read_preferences,
)
from studies.decision.rules import RULES
from studies.decision_records import DecisionRecord, DecisionRule, Preferences, numbered
from studies.records import StudyRecord
from studies.results.fronts import Fronts, fronts


class DecisionService:
    """Choosing a design of a study. What was decided is replaced, never erased."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store
        self._authorization = context.authorization

    def rules(self) -> Page[RuleResource]:
        """The rules that rank designs: what their scores are, where they are from and what they use."""
        return Page(items=[_rule_resource(name) for name in RULES])  # pyrefly: ignore[bad-argument-type] - its keys

    def rank(self, name: StudyName, wanted: PreferencesRequest) -> RankingResource:
        """The designs on the fronts in the order of a rule, the best 1000 of them; nothing is stored."""
        study = self._authorization.study(name)
        preferences = read_preferences(study, _given(wanted))
        found = self._ranking(study, preferences)
        candidates = list(found.candidates[:MOST_CANDIDATES])
        errors = numerical_errors(study, found.designs[:MOST_CANDIDATES])
        return RankingResource(
            study=name,
            preferences=PreferencesResource.model_validate(preferences),
            rule=None if wanted.rule == "judgement" else _rule_resource(wanted.rule),
            candidates=candidates,
            total=len(found.candidates),
            filtered=found.filtered,
            dominated=found.dominated,
            errors=errors,
            even=leaders_even(candidates, errors, preferences.weights),
        )

    def _ranking(self, study: StudyRecord, preferences: Preferences) -> Ranking:
        return rank(self._fronts(study), goals_of(study), preferences)

    def _fronts(self, study: StudyRecord) -> Fronts:
        return self._context.cached(
            "designs on fronts", study, study.runs, lambda: fronts(self._store, study)
        )

    def list(self, name: StudyName) -> Page[DecisionResource]:
        """The decisions of the study, the one that stands first; earlier ones are kept."""
        found = self._store.decisions.of(self._authorization.require(name))
        return Page(items=[DecisionResource.model_validate(one) for one in found])

    def get(self, name: StudyName, number: DecisionNumber) -> DecisionResource:
        """A decision with the candidates that the design was chosen from."""
        return DecisionResource.model_validate(self._decision(name, number))

    def _decision(self, name: str, number: int) -> DecisionRecord:
        return numbered(name, self._store.decisions.of(self._authorization.require(name)), number)

    def add(self, name: StudyName, chosen: DecisionRequest) -> DecisionResource:
        """Record that a design is chosen, by which rule and why.

        ``replaces`` names the decision that stands: where another one stands, nothing is recorded.
        """
        study = self._authorization.changeable(name)
        key = self._authorization.design(chosen.key, name).key
        wanted = read_preferences(study, _given(chosen))
        made = decide(
            self._store,
            study,
            self._ranking(study, wanted),
            wanted,
            key,
            chosen.reason,
            layout=chosen.chosen_layout,
            author=self._context.identity.author,
            replaces=chosen.replaces,
        )
        return DecisionResource.model_validate(made)

    def sheet(self, name: str, key: str = "", number: int | None = None) -> str:
        """One printed page of HTML about a decision with its design, or about the design with ``key``.

        ``number`` is that of the decision; without it and without ``key`` it is the one that stands.
        """
        from dashboards.content.front.sheet import read_sheet_data
        from dashboards.decision_sheet import render

        study = self._authorization.study(name)
        decisions = self._store.decisions.of(name)
        found = self._authorization.design(key, name).key if key else ""
        data = read_sheet_data(self._store, study, decisions, found, number)
        return render(data, datetime.now(UTC).timestamp())


def _given(wanted: PreferencesRequest) -> GivenPreferences:
    filters = {name: (one.lower, one.upper) for name, one in wanted.filters.items()}
    return GivenPreferences(wanted.rule, wanted.weights, wanted.aspirations, filters, wanted.layout)


def _rule_resource(name: DecisionRule) -> RuleResource:
    rule = RULES[name]
    return RuleResource(
        rule=name, label=rule.label, score=rule.score, better=rule.better, source=rule.source,
        weighs=rule.weighs, aspires=rule.aspires,
    )  # fmt: skip
