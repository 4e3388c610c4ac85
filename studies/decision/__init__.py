"""The choice of a design."""
