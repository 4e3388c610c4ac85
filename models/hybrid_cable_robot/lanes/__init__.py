"""The tests of eight-cable robots for many poses at once, in generated vector code.

``writer`` and ``cables`` write source, ``wrench``, ``platform``, ``collision`` and ``index`` one
kernel each, ``loader`` compiles them, ``driver`` runs them over cells, one pass per orientation over
the cells left. Wherever rounding might decide, :mod:`models.hybrid_cable_robot.kernel` does.
"""
