"""A camera that hangs on two cables and moves in the vertical plane between two masts."""

from tautline_cable_camera.model import MODEL

__all__ = ["MODEL"]
