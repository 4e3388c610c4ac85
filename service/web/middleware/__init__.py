"""Layers that every request passes on its way to a route, each in a file of its own, as plain ASGI."""
