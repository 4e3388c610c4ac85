"""Tolerances, Sobol indices and sweeps of conditions."""
