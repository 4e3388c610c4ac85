"""Stiffness and conditioning of a pose."""
