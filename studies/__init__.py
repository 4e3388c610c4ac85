"""Studies: definitions, search, evaluation on Dask, the store, fronts and comparison."""
