"""Geometry that all back-ends of continuum robots share."""
