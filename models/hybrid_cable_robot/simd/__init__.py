"""The tests of eight-cable robots for many poses at once, in generated vector code.

``code_generator`` writes source, the files that end in ``_source`` the kernels out of ``parts``, and
``generate`` their modules in ``generated/``. ``kernels`` lists these modules, ``execution_plan`` makes what
all blocks of cells share, and ``driver`` runs them over cells, one pass per orientation over the cells that
are left; ``compaction`` packs these between passes. Wherever rounding might decide,
:mod:`models.hybrid_cable_robot.cell_test_kernels` does.
"""
