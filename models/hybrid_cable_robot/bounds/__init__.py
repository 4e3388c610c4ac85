"""Certified bounds of the workspace: boxes of positions that lie inside it or outside it as a whole.

``wrench_kernels`` and ``collision_kernels`` hold the certificates with their proofs, ``ray_kernels`` what
they share, ``block_kernels`` applies them to blocks, and ``octree`` halves the blocks that stay undecided.
``orientation_kernels`` proves single positions over boxes of rotations, by ``tension_law_kernels`` and
``rotated_geometry_kernels`` with the geometry of ``rotation_kernels``.
``tests/oracles/cable_robot_certificates.py`` has them in plain numpy.
"""
