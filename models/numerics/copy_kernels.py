"""Compiled copying of arrays."""

from __future__ import annotations

from models.arrays import FloatArray
from models.jit import inner


@inner
def copy(source: FloatArray, target: FloatArray) -> None:
    """Fill ``target`` with an array of the same shape.

    ``target[:] = source`` compiles the words of an error about shapes, too, which takes seconds.
    """
    for place in range(target.size):
        target.flat[place] = source.flat[place]
