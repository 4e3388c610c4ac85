"""Which cells may have a greater capacity margin than the best that is known, in single precision.

The search for the best margin of an empty workspace looks at every cell. Single precision drops a cell
whose margin under one load is less than the best by more than its error, so that few cells are left to the
scalar kernel; the margin found is that of all cells.
"""

from __future__ import annotations

import numpy as np

from models.hybrid_cable_robot.cells.verdicts import TOLERANCE
from models.hybrid_cable_robot.geometry import FloatArray, IntArray
from models.hybrid_cable_robot.lanes import sift
from models.hybrid_cable_robot.lanes.loader import kernels
from models.hybrid_cable_robot.lanes.plan import Plan
from models.hybrid_cable_robot.lanes.wrench import SIEVE_BAND
from models.hybrid_cable_robot.lanes.writer import LANES

WINDOW = 64 * LANES  # cells in the workspace at a time, so that it stays in the cache


def better_cells(planned: Plan, centers: FloatArray, best: float) -> IntArray:
    """Numbers (k,) of the cells with centres (n, 3) m whose margin may exceed ``best`` [N] under all loads.

    No cell whose margin does is left out.
    """
    generated = kernels().sieve
    relative = best * TOLERANCE / planned.loads.tolerance  # the kernel works in shares of the forces involved
    active, count = np.arange(len(centers)), len(centers)
    io = np.empty(generated.rows * WINDOW, generated.real)
    for numbers in planned.sieve.values():
        kept = 0
        for start in range(0, count, WINDOW):
            stop = min(start + WINDOW, count)
            blocks = sift.gather(centers, active, start, stop, generated.rows, io)
            generated.run(io, numbers, blocks)
            kept = sift.sift_better(io, active, start, stop, kept, SIEVE_BAND, relative)
        count = kept
    return active[:count]
