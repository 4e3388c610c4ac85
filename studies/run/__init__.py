"""Runs: launched, queued, searched, and gone on with."""
