"""Evaluating designs: one by one, in chunks on Dask, and the clusters where that happens."""
