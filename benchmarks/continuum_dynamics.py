"""Simulated seconds per second in both formulations, states at rest, and a study."""

import math
import tempfile
import time
from pathlib import Path

from benchmarks.timing import Figure, best_seconds, sized
from models.continuum_dynamics import (
    MODEL,
    ContinuumDynamics,
    natural_frequencies,
    robot_of,
    simulate,
    static_solution,
)
from studies.definition.study_file import read_study
from studies.execution import open_executor
from studies.run.launch import run_study
from studies.store import Store
from tests.models.continuum_dynamics.relative.test_exudyn import HANGING, motion_there, ours

CABLES = {
    "one cable": {},
    "three cables, hanging": {
        "gravity": "down",
        "drives": ({"pull": 16e-3}, {"pull": -8e-3}, {"pull": -8e-3}),
    },
    "eight cables, hanging": {
        "gravity": "down",
        "drives": tuple({"pull": 16e-3 * math.cos(cable * math.pi / 4)} for cable in range(8)),
    },
}
ELEMENTS = (20, 50)


def figures(small: bool = False) -> list[Figure]:
    return [*_motions(small), _separate_code(0.02 if small else 2.0), *_rest(), *_studies(small)]


def _record(**settings: object) -> ContinuumDynamics:
    return ContinuumDynamics.model_validate(settings)


def _motions(small: bool) -> list[Figure]:
    shorter: dict[str, object] = {"duration": 0.02} if small else {}
    return [
        *(
            _pace(f"{words}, 10 elements, {formulation}", formulation=formulation, **settings, **shorter)
            for words, settings in CABLES.items()
            for formulation in ("relative", "corotational")
        ),
        *(
            _pace(f"one cable, {elements} elements, relative", disks=elements, **shorter)
            for elements in ELEMENTS
        ),
    ]


def _pace(words: str, **settings: object) -> Figure:
    parameters = _record(**settings)
    if not simulate(parameters).completed:
        raise ValueError(f"{words}: the motion ends early")
    seconds = best_seconds(lambda: simulate(parameters))
    return f"{words}: simulated seconds per second", parameters.duration / seconds, "1"


def _separate_code(duration: float) -> Figure:
    """The same robot in exudyn: four geometrically exact beams between two disks, one cable, 2 ms."""
    robot = ours(10, HANGING)
    seconds = best_seconds(lambda: motion_there(robot, duration, 4), repeat=1)
    return (
        "one cable, 10 disks with 4 beams between two, exudyn: simulated seconds per second",
        duration / seconds,
        "1",
    )


def _rest() -> list[Figure]:
    rows: list[Figure] = []
    for words, gravity in (("without gravity", (0.0, 0.0, 0.0)), ("hanging", "down")):
        parameters = _record(gravity=gravity)
        seconds = best_seconds(lambda parameters=parameters: static_solution(parameters, [0.024, 0.0, 0.0]))
        rows.append((f"state at rest, {words}", 1e3 * seconds, "ms"))
        rest = static_solution(parameters, [0.024, 0.0, 0.0])
        robot = robot_of(parameters)
        found = best_seconds(lambda robot=robot, rest=rest: natural_frequencies(robot, rest, 1))
        rows.append((f"natural frequencies, {words}", 1e3 * found, "ms"))
    for cost_class in MODEL.cost_classes:
        parameters = _record(gravity="down")
        seconds = best_seconds(
            lambda parameters=parameters, name=cost_class: MODEL.evaluate(parameters, name, 0)
        )
        rows.append((f"evaluation of the hanging default robot, {cost_class}", 1e3 * seconds, "ms"))
    return rows


def _studies(small: bool) -> list[Figure]:
    """All designs of the example's layout that pushes and pulls, searched and stored."""
    whole = read_study(Path(__file__).parents[1] / "examples" / "cable-drive.toml")
    definition = whole.model_copy(update={"layouts": {"push-pull": whole.layouts["push-pull"]}})
    definition, designs = sized(definition, small)
    with tempfile.TemporaryDirectory() as folder, Store(str(Path(folder) / "study.db")) as store:
        start = time.perf_counter()
        run_study(store, definition, lambda: open_executor(2))
        return [(f"study of {designs} designs, two workers", time.perf_counter() - start, "s")]
