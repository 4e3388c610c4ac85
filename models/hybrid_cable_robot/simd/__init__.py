"""The tests of eight-cable robots for many poses at once, in generated vector code.

``writer`` and ``cables`` write source, ``exclusion``, ``wrench``, ``platform``, ``collision`` and
``index`` the kernels, ``loader`` compiles them, ``plan`` makes what all blocks of cells share, and
``driver`` runs them over cells, one pass per orientation over the cells left. ``wrench`` and
``collision`` write two kernels each: one in single precision, with twice the poses per instruction, and
one in double precision for the few orientations that decide a cell's verdict or least number. What
single precision finds is used where its error cannot matter: within the bands and guards in these two
files, which a test measures. Reported numbers are those of double precision. Wherever even its rounding
might decide, :mod:`models.hybrid_cable_robot.cell_kernels` does.
"""
