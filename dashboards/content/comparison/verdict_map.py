"""Winning layouts under each condition: in sentences, and in a table."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboards.content.comparison.margins import lead, title
from dashboards.content.comparison.seed_tests import NOT_SHOWN
from dashboards.content.tables import Cell, Mark, Table, listed, table
from dashboards.formatting import number, value_text
from models.parameter_names import words
from studies.comparison.comparison import Criterion
from studies.comparison.seed_tests import least_seeds_of
from studies.comparison.verdict_map import MapCriterion, SweptParameter, Verdict, VerdictMap

MOST_REGIONS = 4
"""Regions that a sentence names; of more it says in how many other conditions."""
_MOST_ORDERS = 24
_NONE = "no layout has a feasible design"
_ONE_SEED = "Each layout has one seed, so any lead may be chance."
_CHANCE = (
    "A winner is named where the seeds show the difference: p is up to 0.05, by the test of Mann and "
    "Whitney, corrected for all criteria of a condition, but not for the number of conditions."
)

Box = tuple[frozenset[int], ...]
"""A region of the grid: of each parameter the places of its values that belong to it."""


@dataclass(frozen=True, slots=True)
class CellGroup:
    """Conditions with the same outcome: the sentence that names them, and where they lie in the grid."""

    text: str
    cells: frozenset[tuple[int, ...]]


def criterion_title(criterion: MapCriterion) -> str:
    """A criterion's name, and which end is better."""
    better = {"minimize": ", less is better", "maximize": ", more is better"}[criterion.better]
    return f"{title(criterion.name, criterion.labels)}{better}"


def map_title(found: VerdictMap) -> str:
    """Title of the map: the parameters of the sweep, and its mode."""
    how = "searched anew" if found.mode == "search" else "stored fronts evaluated again"
    return f"{listed([own.label for own in found.parameters])}: {how}"


def verdict_text(verdict: Verdict) -> str:
    """The outcome in a few words: a layout, or why none is named."""
    if verdict.outcome == "infeasible":
        return "none is feasible"
    if verdict.outcome == "not shown":
        return NOT_SHOWN
    return verdict.winner or ("even" if verdict.outcome == "even" else "")


def margin_text(criterion: MapCriterion, verdict: Verdict) -> str:
    """Words for the winner's lead; empty where nobody leads."""
    if not verdict.winner:
        return ""
    known = [value for value in verdict.values.values() if value is not None]
    if len(known) < 2:
        return "the only feasible one"
    plain = Criterion(
        criterion.name, criterion.unit, criterion.meaning, criterion.better, verdict.values,
        verdict.winner, verdict.margin,
    )  # fmt: skip
    return lead(plain)


# ------------------------------------------------------------------ sentences


def map_sentences(found: VerdictMap) -> dict[str, list[str]]:
    """Sentences on the winners of each criterion under each condition."""
    return {criterion.name: _sentences(found, criterion) for criterion in found.criteria}


def _sentences(found: VerdictMap, criterion: MapCriterion) -> list[str]:
    judged = found.of(criterion.name)
    if not judged:
        return ["No condition is computed yet."]
    sentences = [
        f"{group.text} {where(found.parameters, group.cells, len(found.conditions))}."
        for group in _groups(found, judged)
    ]
    ahead = Counter(verdict.winner for _, verdict in judged if verdict.outcome == "not shown")
    if ahead:
        leads = [f"{layout} leads in {count}" for layout, count in ahead.most_common()]
        sentences.append(f"Where the seeds do not settle it, {listed(leads)}.")
    missing = sum(not each.complete for each in found.conditions)
    if missing:
        sentences.append(f"{missing} of {len(found.conditions)} conditions are not computed yet.")
    return sentences


def map_note(found: VerdictMap) -> str:
    """The note on the evidence for the winners of the map."""
    if len(found.layouts) < 2:
        return "The study has one layout, so nothing is compared."
    if found.seeds < 2:
        return _ONE_SEED
    needed = least_seeds_of(len(found.criteria) * math.comb(len(found.layouts), 2))
    few = f" {found.seeds} seeds per layout can never show one; {needed} can." if found.seeds < needed else ""
    return f"{_CHANCE}{few}"


def _groups(found: VerdictMap, judged: Sequence[tuple[Any, Verdict]]) -> Iterator[CellGroup]:
    places = list(itertools.product(*(range(len(own.values)) for own in found.parameters)))
    texts: dict[str, set[tuple[int, ...]]] = {}
    order = [f"{layout} {_verb(found)}" for layout in found.layouts]
    for condition, verdict in judged:
        texts.setdefault(_group(found, verdict), set()).add(places[condition.number - 1])
    for text in sorted(texts, key=lambda text: (order.index(text) if text in order else len(order), text)):
        named = text.startswith(tuple(found.layouts))  # a layout is written as its study does
        yield CellGroup(text if named else text[0].upper() + text[1:], frozenset(texts[text]))


def _verb(found: VerdictMap) -> str:
    return "wins" if found.seeds > 1 else "leads"


def _group(found: VerdictMap, verdict: Verdict) -> str:
    if verdict.outcome == "infeasible":
        return _NONE
    if verdict.outcome == "alone":
        return f"{found.layouts[0]} has feasible designs"
    if verdict.outcome == "even":
        return "the best layouts are even"
    if verdict.outcome == "not shown":
        return "the seeds do not settle it"
    return f"{verdict.winner} {_verb(found)}"


def where(parameters: Sequence[SweptParameter], cells: frozenset[tuple[int, ...]], count: int) -> str:
    """A set of conditions in words: ``where f min is 2 N or more (24 of 36 conditions)``."""
    if len(cells) == count:
        return f"in all {count} conditions" if count > 1 else "in the one condition"
    boxes = list(itertools.islice(regions(cells, [len(own.values) for own in parameters]), MOST_REGIONS))
    named = [f"where {_box_text(parameters, box)}" for box in boxes]
    left = len(cells.difference(*(itertools.product(*box) for box in boxes)))
    if left:
        named.append(f"in {left} other{'s' * (left > 1)}")
    return f"{'; '.join(named)} ({len(cells)} of {count} conditions)"


def regions(cells: frozenset[tuple[int, ...]], shape: Sequence[int]) -> Iterator[Box]:
    """Boxes that together are exactly a set of cells, the largest first.

    Each box holds no other cell. Few boxes are wanted; the fewest are not looked for.
    """
    boxes = {cell: list(dict.fromkeys(_grown(cell, cells, shape))) for cell in sorted(cells)}
    inside = {box: set(itertools.product(*box)) for own in boxes.values() for box in own}
    left = set(cells)
    while left:
        candidates = dict.fromkeys(box for cell in sorted(left) for box in boxes[cell])
        best = max(candidates, key=lambda box: len(left & inside[box]))
        yield best
        left -= inside[best]


def _grown(cell: tuple[int, ...], cells: frozenset[tuple[int, ...]], shape: Sequence[int]) -> Iterator[Box]:
    """Boxes around a cell that cannot grow without leaving the set, in several orders of the parameters."""
    for order in itertools.islice(itertools.permutations(range(len(shape))), _MOST_ORDERS):
        box = [frozenset({place}) for place in cell]
        for axis in order:
            box[axis] = frozenset(
                place
                for place in range(shape[axis])
                if cells.issuperset(itertools.product(*box[:axis], {place}, *box[axis + 1 :]))
            )
        yield tuple(box)


def _box_text(parameters: Sequence[SweptParameter], box: Box) -> str:
    parts = [
        _values_text(own, places)
        for own, places in zip(parameters, box, strict=True)
        if len(places) < len(own.values)
    ]
    return listed(parts)


def _values_text(own: SweptParameter, places: frozenset[int]) -> str:
    """Some values of a parameter: ``f min is 2 N or more``, ``wrench set is box``."""
    name = own.label
    if len(places) > 1 and all(_is_number(value) for value in own.values):
        ordered = sorted(own.values)
        kept = sorted(own.values[place] for place in places)
        first = ordered.index(kept[0])
        if ordered[first : first + len(kept)] == kept:
            low, high = value_text(kept[0], own.unit), value_text(kept[-1], own.unit)
            if first + len(kept) == len(ordered):
                return f"{name} is {low} or more"
            return f"{name} is {high} or less" if first == 0 else f"{name} is from {low} to {high}"
    texts = [value_text(own.values[place], own.unit) for place in sorted(places)]
    return f"{name} is {listed(texts, 'or')}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# ------------------------------------------------------------------ table

_MARKS: Mapping[str, Mark] = {"shown": "best", "not shown": "unsure", "one seed": "", "infeasible": "bad"}


def map_table(found: VerdictMap) -> Table:
    """A row per condition: its parameters, then the verdict of each criterion."""
    head = [*(own.label for own in found.parameters), *(words(each.name) for each in found.criteria)]
    rows = [
        [
            *(value_text(each.condition.values[own.path], own.unit) for own in found.parameters),
            *(
                [_cell(*pair) for pair in zip(found.criteria, each.verdicts, strict=True)]
                if each.complete
                else ["not computed"] * len(found.criteria)
            ),
        ]
        for each in found.conditions
    ]
    tooltips = {words(each.name): f"{each.name}: {each.meaning}" for each in found.criteria}
    return table("Verdict under each condition", head, rows, tooltips=tooltips)


def _cell(criterion: MapCriterion, verdict: Verdict) -> Cell:
    notes = [margin_text(criterion, verdict)]
    if verdict.outcome == "not shown":
        notes = [f"{verdict.winner} leads: {notes[0]}"]
    if verdict.p_value is not None:
        notes.append(f"p = {number(verdict.p_value, 2)}")
    return Cell(verdict_text(verdict), ", ".join(filter(None, notes)), _MARKS.get(verdict.outcome, ""))
