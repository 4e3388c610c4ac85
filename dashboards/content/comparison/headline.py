"""The headline of a comparison: the layout, its confidence, and its price in safety."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboards.content.comparison.not_optimised import MOST_NAMED
from dashboards.content.comparison.scoreboard import seeds_text
from dashboards.content.comparison.seed_tests import CONTRADICTORY
from dashboards.content.tables import listed
from dashboards.formatting import counted, scale_of, title_of
from studies.comparison.comparison import Comparison
from studies.comparison.scoreboard import ObjectiveScore, SafetyScore, Scoreboard


@dataclass(frozen=True, slots=True)
class Headline:
    """Three answers, phrases without a full stop; ``sure`` and ``price`` may be empty."""

    which: str
    sure: str = ""
    price: str = ""


def headline(comparison: Comparison, board: Scoreboard) -> Headline:
    """The answers to an engineer's three questions."""
    filled = [label for label, front in comparison.fronts.items() if front]
    if not filled:
        return Headline("No feasible design yet")
    if len(filled) == 1:
        left = [label for label in comparison.fronts if label not in filled]
        alone = f"Only {filled[0]} has feasible designs, not {listed(left, 'or')}" if left else ""
        return Headline(alone or f"{filled[0]} is alone: nothing to compare", price=_alone(board))
    empty = [label for label in comparison.fronts if label not in filled]
    left = f"; {listed(empty)} {'has' if len(empty) == 1 else 'have'} no feasible design" if empty else ""
    return Headline(_which(board) + left, _sure(board), _price(board))


# ---------------------------------------------------------------- which, and how sure


def _which(board: Scoreboard) -> str:
    total = len(board.objectives)
    leads = board.leads
    even = len(leads.pop("", []))
    if not leads:
        return f"Nobody leads: even in {_all(total)}"
    (first, scores), *others = leads.items()
    objectives = "objective" if total == 1 else "objectives"
    rest = [f"{label} in {len(own)}" for label, own in others] + ([f"even in {even}"] if even else [])
    leading = "lead" if others and len(others[0][1]) == len(scores) else "leads"
    if leading == "lead":
        return f"Mixed: {', '.join([f'{first} leads in {len(scores)} of {total} {objectives}', *rest])}"
    return ", ".join([f"{first} leads in {len(scores)} of {total} {objectives}", *rest])


def _all(total: int) -> str:
    return {1: "the objective", 2: "both objectives"}.get(total, f"all {total} objectives")


def _sure(board: Scoreboard) -> str:
    led = [score for score in board.objectives if score.leader]
    if not led:
        return ""
    few = [score for score in led if score.confidence == "too few seeds"]
    if len(few) == len(led):
        return f"{seeds_text(few[0].seeds)}: not settled; it takes {few[0].seeds_needed} per layout or more"
    groups = [
        ("shown", [score for score in led if score.confidence == "shown"]),
        ("no difference shown", [score for score in led if score.confidence == "no difference shown"]),
        ("seeds favour the other", [score for score in led if score.confidence == "contradicted"]),
        ("not settled", few),
    ]
    parts = [f"{text}{_how_many(own, led)}" for text, own in groups if own]
    return f"{seeds_text(led[0].seeds)}: {', '.join(parts)}{_needed(led)}"


def _how_many(own: Sequence[ObjectiveScore], led: Sequence[ObjectiveScore]) -> str:
    if len(own) < len(led):
        return f" in {len(own)} of {len(led)}"
    return {1: "", 2: " in both"}.get(len(led), f" in all {len(led)}")


def _needed(led: Sequence[ObjectiveScore]) -> str:
    """Number of seeds that would settle the open objectives."""
    open_ = [score for score in led if score.confidence == "no difference shown"]
    needed = [score.seeds_needed for score in open_ if score.seeds_needed is not None]
    if not open_:
        return ""
    if any(score.test and score.test.contradictory for score in open_):
        return f"; {CONTRADICTORY}"
    if not needed:
        return "; more seeds are not likely to show one"
    some = f" in {len(needed)} of them" if len(needed) < len(open_) else ""
    return f"; about {min(needed)} seeds per layout could show a difference{some}"


# ---------------------------------------------------------------- at what price


def _price(board: Scoreboard) -> str:
    if not board.safety:
        return "Safety: no margin of it was computed"
    leader = next((label for label in board.leads if label), "")
    unsafe = _unsafe(board.safety)
    if not leader:
        return unsafe or "No design is beyond a limit of safety"
    worse = [score for score in board.safety if score.leader not in ("", leader)]
    if not worse:
        text = _no_price(board.safety, leader)
        return f"{text}; {unsafe}" if unsafe else text
    phrases = [_phrase(score, leader) for score in worse[:MOST_NAMED]]
    more = [f"{len(worse) - MOST_NAMED} more"] if len(worse) > MOST_NAMED else []
    lower = "lower" if all(score.better == "maximize" for score in worse) else "worse"
    text = f"At a price: {leader} has the {lower} median of {listed([*phrases, *more])}"
    return f"{text}; {unsafe}" if unsafe else text


def _no_price(safety: Sequence[SafetyScore], leader: str) -> str:
    """The sentence that the leader's median margins are no worse, as far as they are known."""
    known = [
        score for score in safety if score.spreads[leader] and sum(map(bool, score.spreads.values())) > 1
    ]
    if not known:
        return f"Safety: no margin is known of both {leader} and another layout"
    better = any(score.leader == leader for score in known)
    text = f"No price: {leader} has {'the better' if better else 'no worse'} median margins"
    unknown = [title_of(score.metric, score.label) for score in safety if score not in known]
    more = [f"{len(unknown) - MOST_NAMED} more"] if len(unknown) > MOST_NAMED else []
    return f"{text}, {listed([*unknown[:MOST_NAMED], *more])} not compared" if unknown else text


def _phrase(score: SafetyScore, leader: str) -> str:
    """``interference margin (2.0 mm against 5.1 mm)``."""
    own, other = score.spreads[leader], score.spreads[score.leader]
    if own is None or other is None:
        return title_of(score.metric, score.label)
    scale = scale_of([own.median, other.median], score.unit)
    values = f"{scale.bare(own.median, 3)} against {scale.show(other.median, 3)}"
    return f"{title_of(score.metric, score.label)} ({values})"


def _unsafe(safety: Sequence[SafetyScore]) -> str:
    """``suspended: 8 of 12 designs beyond the limit of ...``, of the worst margin of each layout."""
    worst: dict[str, tuple[int, int, str]] = {}
    for score in safety:
        for label, spread in score.spreads.items():
            if spread is not None and spread.unsafe > worst.get(label, (0, 0, ""))[0]:
                worst[label] = (spread.unsafe, spread.designs, title_of(score.metric, score.label))
    phrases = [
        f"{label}: {bad} of {counted(designs, 'design')} beyond the limit of {name}"
        for label, (bad, designs, name) in worst.items()
    ]
    return listed(phrases)


def _alone(board: Scoreboard) -> str:
    return _unsafe(board.safety)
