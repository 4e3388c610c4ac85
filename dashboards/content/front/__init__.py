"""Fronts and single designs in words and tables."""
