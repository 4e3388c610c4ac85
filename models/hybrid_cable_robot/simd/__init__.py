"""The tests of eight-cable robots for many poses at once, in generated vector code.

``code_generator`` writes source, the files that end in ``_source`` the kernels, and ``generate`` their
modules in ``generated/``. ``kernels`` lists these modules, ``execution_plan`` makes what all blocks of cells
share, and ``driver`` runs them over cells, one pass per orientation over the cells that are
left; ``compaction`` packs these between passes. ``wrench_source`` and ``collision_source`` write two kernels
each: a prefilter in single precision, with twice the poses per instruction, and one in double precision for
the few orientations that decide a cell's verdict or least number. What single precision finds is used where
its error cannot matter: within the bands and guards in these two files, which a test measures. Reported
numbers are those of double precision. Wherever even its rounding might decide,
:mod:`models.hybrid_cable_robot.cell_test_kernels` does.
"""
