"""Checks of several fields of the record together: no beam, a start below the ground, too much work."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from errors import InputError, place_text
from models.arrays import FloatArray
from models.contract import MOST_SECONDS
from models.flexible_arm.ground import Ground, chord_depths, gap_of
from models.flexible_arm.processor_time import MOST_VALUES, Sizes, seconds, values
from models.messages import excluded


def require_one_per_link(name: str, items: int, links: int) -> None:
    """Refuse a list that does not have an item for each link."""
    if items != links:
        alone = ", or one for all" if name == "mode_sets" else ""
        raise excluded(
            f"'{name}' has {items} items, but there are {links} links; give one per link{alone}",
            name,
            "links",
        )


def require_slender(lengths: Sequence[float], heights: Sequence[float]) -> None:
    """Refuse links that are shorter than their sections are high: they do not bend as beams."""
    for link, (length, height) in enumerate(zip(lengths, heights, strict=True), 1):
        if length < height:
            raise excluded(
                f"link {link} is {length:g} m long and its section {height:g} m high; a beam is at least as "
                "long as it is high: lower 'section_height' or raise 'link_length'",
                "section_height",
                "link_length",
            )


def require_possible(make: Callable[[], object], fields: Collection[str]) -> None:
    """Refuse what the parts of the arm refuse when they are made; ``fields`` are those of the record."""
    try:
        make()
    except InputError as error:
        names = [name for name in map(str, error.place[:1]) if name in fields]
        raise excluded(f"'{place_text(error.place)}': {error.message}", *names) from None


def require_above(ground: Ground, ends: FloatArray, *, fixed: bool) -> None:
    """Refuse ends (n + 1, 2) [m] of links at the start, or links between them, that are not above the ground.

    ``fixed`` says whether the place of the first end was given.
    """
    field = "base_position" if fixed else "drop_height"
    gaps, depths = gap_of(ground, ends[:, 0], ends[:, 1]), chord_depths(ground, ends[None])[0]
    lowest, deepest = int(gaps.argmin()), int(depths.argmax())
    if gaps[lowest] <= 0.0:
        x, y = ends[lowest]
        raise excluded(
            f"end {lowest} of the links starts at x = {x:.4g} m, y = {y:.4g} m, {-gaps[lowest]:.3g} m below "
            f"the ground; raise '{field}', so that all ends start above it",
            field,
        )
    if depths[deepest] > 0.0:
        raise excluded(
            f"link {deepest + 1} starts {depths[deepest]:.3g} m inside a hill; raise '{field}', so that all "
            "links start above the ground",
            field,
        )


def require_affordable(sizes: Sizes) -> None:
    """Refuse motions that take too long, or hold more than fits in memory."""
    total = seconds(sizes)
    if total > MOST_SECONDS:
        raise excluded(
            f"an evaluation may take about {total / 60:.3g} minutes of processor time, but at most "
            f"{MOST_SECONDS / 60:g} are allowed; lower 'duration', 'links', 'modes' or 'ensemble.runs'",
            "duration",
            "links",
            "modes",
            "ensemble",
        )
    if values(sizes) > MOST_VALUES:
        raise excluded(
            f"the motion has {sizes.instants:.3g} instants of {len(sizes.modes)} links, more than fit in "
            "memory; lower 'duration' or 'links', or raise 'output_interval'",
            "duration",
            "links",
            "output_interval",
        )
