"""Parts that groups of figures share: the time of a call, and the small size at which tests run them."""

import time
from collections.abc import Callable

from studies.definition.study_definition import StudyDefinition

Figure = tuple[str, float, str]
SMALL_STUDY = 8
"""Designs of a study where a group runs small."""


def best_seconds(
    call: Callable[[], object], repeat: int = 3, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The best of several calls, which is what the machine can do when left alone.

    With ``clock=time.process_time``, processor time: what other work on the machine changes little.
    """
    times = []
    for _ in range(repeat):
        start = clock()
        call()
        times.append(clock() - start)
    return min(times)


def sized(definition: StudyDefinition, small: bool) -> tuple[StudyDefinition, int]:
    """The study, one seed of ``SMALL_STUDY`` designs if ``small``, and how many designs it has."""
    search = definition.search
    if small:
        search = search.model_copy(update={"population": SMALL_STUDY, "generations": 1})
    runs = len(definition.layouts) * len(definition.seeds)
    return definition.model_copy(update={"search": search}), search.population * (
        search.generations or 1
    ) * runs
