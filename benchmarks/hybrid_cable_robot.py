"""Cells per second of the hybrid cable robot: compiled kernel and readable twin, all tests."""

from benchmarks.timing import Figure, best_seconds
from models import load
from models.hybrid_cable_robot import twin
from models.hybrid_cable_robot.geometry import robot_of
from models.hybrid_cable_robot.grid import grid_of
from models.hybrid_cable_robot.survey import survey

CONDITIONS = {"wrench_set": "box", "orientations": "corners"}
TWIN_CELLS = 200


def figures() -> list[Figure]:
    model = load("hybrid-cable-robot")
    model.prepare()
    rows: list[Figure] = []
    for preset in ("constrained", "suspended"):
        parameters = model.resolve(preset, {**CONDITIONS, "cells": 20})
        seconds = best_seconds(lambda p=parameters: model.evaluate(p, "workspace", 0))
        rows.append((f"{preset}, 20^3 cells, 9 orientations, box: one design", 1e3 * seconds, "ms"))
        fine = model.resolve(preset, {**CONDITIONS, "cells": 50})
        seconds = best_seconds(lambda p=fine: model.evaluate(p, "workspace", 0), 1)
        rows.append((f"{preset}, 50^3 cells, kernel", 50**3 / seconds, "cells/s"))
        robot, grid = robot_of(parameters), grid_of(parameters)
        some = grid.centers()[:: 20**3 // TWIN_CELLS]
        diagonal = grid.diagonal
        single = model.resolve(preset, {"wrench_set": "gravity", "orientations": "nominal", "cells": 50})
        seconds = best_seconds(lambda p=single: model.evaluate(p, "workspace", 0), 1)
        rows.append((f"{preset}, 50^3 poses, gravity, nominal, kernel", 50**3 / seconds, "poses/s"))
        seconds = best_seconds(lambda r=robot, c=some, d=diagonal: survey(r, c, d, every_index=False))
        rows.append((f"{preset}, {len(some)} cells, kernel", len(some) / seconds, "cells/s"))
        seconds = best_seconds(lambda r=robot, c=some, d=diagonal: twin.survey(r, c, d, every_index=False), 1)
        rows.append((f"{preset}, {len(some)} cells, numpy twin", len(some) / seconds, "cells/s"))
    return rows
