"""Scenes that were drawn a moment ago: a page asks for one and then for each of its shapes."""

from __future__ import annotations

import threading
from collections import OrderedDict

from models.scene import Box, Line, Points, Scene, Surface

MOST_BYTES = 64 * 1024**2


class KeptScenes:
    """The scenes that were last asked for, up to an amount of memory."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._scenes: OrderedDict[str, Scene] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Scene | None:
        """The scene of a design, if it is still here."""
        with self._lock:
            if key in self._scenes:
                self._scenes.move_to_end(key)
            return self._scenes.get(key)

    def put(self, key: str, scene: Scene) -> None:
        """Keep a scene, and let go of those that nobody asked for in the longest time."""
        with self._lock:
            self._scenes[key] = scene
            self._scenes.move_to_end(key)
            while sum(map(_bytes, self._scenes.values())) > self._most:
                self._scenes.popitem(last=False)


def _bytes(scene: Scene) -> int:
    return sum(_shape_bytes(shape) for shape in scene.shapes)


def _shape_bytes(shape: Line | Box | Surface | Points) -> int:
    if isinstance(shape, Box):
        return shape.rotation.nbytes
    if isinstance(shape, Surface):
        return shape.vertices.nbytes + shape.triangles.nbytes
    return shape.points.nbytes
