"""Distances between cables, and between cables and the platform."""
