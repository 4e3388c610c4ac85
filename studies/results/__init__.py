"""Stored results by name: fronts, designs, tables for other programs, evaluations anew."""
