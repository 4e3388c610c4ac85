"""The generated kernels, with the names of their outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.simd.code_generator import AXES, BLOCK_POSES, ENDING


class Kernel(NamedTuple):
    """A generated kernel.

    Attributes
    ----------
    function : callable
        ``function(io, p, blocks)`` with the flat workspace, the constants and the number of blocks.
    outputs : tuple of str
        Names of the rows of a block that follow the positions x, y and z.
    constants : int
        Length of ``p``.
    """

    function: Callable[[FloatArray, FloatArray, int], None]
    outputs: tuple[str, ...]
    constants: int

    def workspace(self, poses: int) -> FloatArray:
        """An array ``io`` (blocks, rows, ``BLOCK_POSES``) for that many poses, a row per axis and output.

        It has two blocks at least: views of a single one are contiguous, and kernels that read them would be
        compiled once more for those.
        """
        blocks = max(2, -(-poses // BLOCK_POSES))
        return np.empty((blocks, len(AXES) + len(self.outputs), BLOCK_POSES))

    def run(self, io: FloatArray, constants: FloatArray, blocks: int) -> None:
        """Fill the outputs of the first ``blocks`` blocks of a workspace."""
        self.function(io.reshape(-1), constants, blocks)

    def views(self, io: FloatArray) -> Mapping[str, FloatArray]:
        """The outputs (blocks, ``BLOCK_POSES``) in a workspace, by name."""
        return {name: io[:, row] for row, name in enumerate(self.outputs, len(AXES))}


class Kernels(NamedTuple):
    """Kernels of straight cables, or of cables over wheels, each from the module of the same name."""

    wrench: Kernel
    platform_clearance: Kernel
    distance: Kernel
    condition_numbers: Kernel


@cache
def kernels(*, wheels: bool = False) -> Kernels:
    """The generated kernels; numba compiles each, or loads its machine code, when first called."""
    return Kernels(**{name: _kernel(f"{name}{ENDING * wheels}") for name in Kernels._fields})


def _kernel(name: str) -> Kernel:
    module = import_module(f"models.hybrid_cable_robot.simd.generated.{name}")
    return Kernel(getattr(module, name), module.OUTPUTS, module.CONSTANTS)
