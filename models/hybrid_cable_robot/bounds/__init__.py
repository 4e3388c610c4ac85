"""Certified bounds of the workspace: boxes of positions that lie inside it or outside it as a whole.

``wrench``, ``collision`` and ``conditioning`` hold one certificate each, with its proof, ``rays`` what
they share, ``decide`` applies them to blocks, ``octree`` halves the blocks that stay undecided, and
``twin`` decides blocks in plain numpy.
"""
