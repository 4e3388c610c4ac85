"""Algebra in space and of small matrices, for the kernels of every back-end."""
