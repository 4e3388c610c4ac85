"""Comparisons in words and tables."""
