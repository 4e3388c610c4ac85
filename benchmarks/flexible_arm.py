"""The paper's drop with both methods and with scipy, more links and modes, cost classes, a study.

Motions are timed in processor time: they run in one thread, and other work on the machine changes it little.
"""

import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.composite_chain import new_composite, repeat_composite, repeat_recursion
from benchmarks.timing import Figure, best_seconds, sized
from models.arrays import FloatArray
from models.flexible_arm import MODEL, FlexibleArm, simulate
from models.flexible_arm.arm import arm_of
from models.flexible_arm.chain import end_velocities, link_ends
from models.flexible_arm.chain_kernels import chain_scratch
from models.flexible_arm.motion import Touch, state_size
from studies.definition.study_file import read_study
from studies.execution import open_executor
from studies.run.launch import run_study
from studies.store import Store
from tests.oracles.flexible_arm_equations import gaps, state_rates

ROUNDING = 1e-9  # [m]; ends so close to the ground begin or end their contact
LINKS = (1, 3, 10, 20, 50)
MODES = (1, 2, 3, 6, 10)
REPEATED = 5_000

processor_seconds = partial(best_seconds, clock=time.process_time)


def figures(small: bool = False) -> list[Figure]:
    """With ``small``, motions of 20 ms, before the first contact."""
    shorter: dict[str, object] = {"duration": 0.02} if small else {}
    return [
        *_drops(shorter), *_scipy(shorter), *_accelerations(5 if small else REPEATED),
        *_sizes(shorter), *_classes(shorter), *_studies(small),
    ]  # fmt: skip


def _record(**settings: object) -> FlexibleArm:
    return FlexibleArm.model_validate({"modes": 1, **settings})


def _seconds(parameters: FlexibleArm) -> float:
    if not simulate(parameters).completed:
        raise ValueError("the motion ends early")
    return processor_seconds(lambda: simulate(parameters))


def _drops(more: dict[str, object]) -> list[Figure]:
    """The whole motion of the paper, 1.5 s."""
    rows: dict[str, dict[str, object]] = {
        "dop853, rtol 1e-9": {},
        "dop853, rtol 1e-6": {"rtol": 1e-6},
        "rkf45, rtol 1e-6": {"rtol": 1e-6, "method": "rkf45"},
    }
    return [
        (f"drop of 1.5 s, ss, {words}", _seconds(_record(**settings, **more)), "s")
        for words, settings in rows.items()
    ]


def _scipy(more: dict[str, object]) -> list[Figure]:
    """The same motion; after 0.9 s it is chaotic, and scipy finds another one."""
    words = "drop of 1.5 s, ss, DOP853 of scipy on the numpy definition, rtol 1e-9"
    return [(words, processor_seconds(lambda: drop_of_scipy(_record(**more)), repeat=1), "s")]


def drop_of_scipy(parameters: FlexibleArm) -> tuple[FloatArray, int]:
    """The state at the end of a motion by scipy, and how often an end of a link entered the ground."""
    arm, contact = arm_of(parameters), parameters.contact
    z = parameters.initial_state
    ends = parameters.links + 1
    touch = Touch(np.zeros(ends, np.int64), np.zeros(ends))
    y, now, entries = np.concatenate([z, np.zeros(state_size(arm) - len(z))]), 0.0, 0

    def rates(_: float, state: FloatArray) -> FloatArray:
        return state_rates(arm, contact, touch, state)

    while now < parameters.duration:
        found = solve_ivp(
            rates, (now, parameters.duration), y,
            method="DOP853", rtol=parameters.rtol, atol=1e-3 * parameters.rtol,
            events=[_crossing(parameters, end, bool(touch.active[end])) for end in range(ends)],
        )  # fmt: skip
        now, y = float(found.t[-1]), found.y[:, -1]
        gap, speed = gaps(arm, contact, y), end_velocities(arm, y[: len(z)], y[len(z) : 2 * len(z)])[:, 1]
        begins = (touch.active == 0) & (gap < ROUNDING) & (speed < 0.0)
        touch.speeds[begins] = -speed[begins]
        touch.active[begins] = 1
        touch.active[(touch.active == 1) & (gap > -ROUNDING) & (speed > 0.0)] = 0
        entries += int(begins.sum())
    return link_ends(arm, y[: len(z)]), entries


def _crossing(parameters: FlexibleArm, end: int, inside: bool) -> Callable[[float, FloatArray], float]:
    """An event of scipy: an end of a link goes through the ground, outwards if it is inside."""
    arm, contact = arm_of(parameters), parameters.contact

    def gap(_: float, y: FloatArray) -> float:
        return float(gaps(arm, contact, y)[end])

    gap.__dict__.update(terminal=True, direction=1.0 if inside else -1.0)
    return gap


def _accelerations(times: int) -> list[Figure]:
    """One evaluation of the equations by the recursion, and by the composite mass matrix."""
    rows: list[Figure] = []
    for words, settings in _arms():
        arm = arm_of(_record(**settings))
        N, ends = int(arm.offsets[-1]), len(arm.lengths) + 1
        rng = np.random.default_rng(1)
        z, v, forces, out = 0.1 * rng.random(N), rng.random(N), np.zeros((ends, 2)), np.zeros(N)
        recursion = partial(repeat_recursion, arm, z, v, forces, chain_scratch(arm), out)
        composite = partial(repeat_composite, arm, z, v, forces, new_composite(arm), out)
        for name, repeat in (("recursion", recursion), ("composite mass matrix", composite)):
            repeat(1)
            seconds = processor_seconds(partial(repeat, times))
            rows.append((f"{words}: accelerations, {name}", 1e6 * seconds / times, "us"))
    return rows


def _arms() -> list[tuple[str, dict[str, object]]]:
    """Arms of more and more links, and of links with more and more modes."""
    arms = [(f"{links} links of one mode", {"links": links}) for links in LINKS]
    arms += [(f"3 links of {modes} modes", {"modes": modes, "duration": 0.6}) for modes in MODES]
    return [(words, {"ensemble": {"runs": 2}, **settings}) for words, settings in arms]


def _sizes(more: dict[str, object]) -> list[Figure]:
    """Time of a step of arms with more links, and of links with more modes."""
    rows: list[Figure] = []
    for words, settings in _arms():
        parameters = _record(**{**settings, **more})
        steps = simulate(parameters).steps
        rows.append((f"{words}: a step", 1e6 * _seconds(parameters) / steps, "us"))
        rows.append((f"{words}: {parameters.duration:g} s", _seconds(parameters), "s"))
    return rows


def _classes(more: dict[str, object]) -> list[Figure]:
    parameters = _record(**({**more, "ensemble": {"runs": 2}} if more else {}))
    return [
        (
            f"evaluation of the paper's arm, {name}",
            processor_seconds(lambda name=name: MODEL.evaluate(parameters, name, 0), repeat=1),
            "s",
        )
        for name in ("first-contact", "motion", "ensemble")
    ]


def _studies(small: bool) -> list[Figure]:
    """All designs of the example, searched and stored."""
    whole = read_study(Path(__file__).parents[1] / "examples" / "falling-arm.toml")
    definition, designs = sized(whole, small)
    with tempfile.TemporaryDirectory() as folder, Store(str(Path(folder) / "study.db")) as store:
        start, before = time.perf_counter(), _processor_time()
        run_study(store, definition, lambda: open_executor(2))
        passed, used = time.perf_counter() - start, _processor_time() - before
    return [
        (f"study of {designs} designs, two workers", passed, "s"),
        ("the same, processor time per design", 1e3 * used / designs, "ms"),
    ]


def _processor_time() -> float:
    """Processor time [s] of this process and of all its workers that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
