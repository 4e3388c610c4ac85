"""The cells of the space: tested, counted and measured."""
