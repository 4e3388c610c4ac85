"""Tensions of the cables under a wrench."""
