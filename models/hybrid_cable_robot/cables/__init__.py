"""Cables: their geometry, pulleys and catenaries."""
