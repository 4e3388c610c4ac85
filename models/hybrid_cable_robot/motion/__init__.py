"""Trajectories of platform and arm, and what they ask of the winches."""
