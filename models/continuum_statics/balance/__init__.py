"""Shapes in balance under given tensions, and whether they hold."""
