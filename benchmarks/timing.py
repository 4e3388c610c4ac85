"""Timing of a call: the best of several, which is what the machine can do when left alone."""

import time
from collections.abc import Callable

Figure = tuple[str, float, str]


def best_seconds(
    call: Callable[[], object], repeat: int = 3, clock: Callable[[], float] = time.perf_counter
) -> float:
    """With ``clock=time.process_time``, processor time: what other work on the machine changes little."""
    times = []
    for _ in range(repeat):
        start = clock()
        call()
        times.append(clock() - start)
    return min(times)
