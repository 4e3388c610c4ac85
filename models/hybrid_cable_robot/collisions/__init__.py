"""Distances between cables, and between cables and platform."""
