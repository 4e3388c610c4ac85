"""Wrenches that tensions within limits can balance."""
