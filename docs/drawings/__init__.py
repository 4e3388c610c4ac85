"""Drawings of the model pages: labelled robots and figures of metrics, computed by the models themselves.

``python -m docs.drawings`` writes them to ``docs/models/drawings``.
"""
