"""Timing of a call: the best of several, which is what the machine can do when left alone."""

import time
from collections.abc import Callable

Figure = tuple[str, float, str]


def best_seconds(call: Callable[[], object], repeat: int = 3) -> float:
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)
