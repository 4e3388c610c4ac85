"""The documentation, and what its pages are made of and checked with."""
