"""Certified bounds of the workspace: boxes of positions that lie inside it or outside it as a whole.

``certificates`` decides blocks in plain numpy. ``wrench_kernels`` and ``collision_kernels`` hold the same
certificates compiled, with their proofs, ``ray_kernels`` what they share, ``block_kernels`` applies them to
blocks, and ``octree`` halves the blocks that stay undecided.
"""
