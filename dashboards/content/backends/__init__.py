"""Figures, tables and words that only one back-end has."""
