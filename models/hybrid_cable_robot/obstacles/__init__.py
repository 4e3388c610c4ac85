"""Obstacles, floor and arm: the gaps that cables, platform and arm keep from them.

:mod:`models.hybrid_cable_robot.shapes` has the parameters. ``arrays`` turns these into what ``gap_kernels``
take, ``gaps`` runs the kernels over cells and positions, ``pictures`` draws the same solids.
"""
