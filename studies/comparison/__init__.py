"""Layouts and studies against each other."""
