"""The verbs of :mod:`service.operations` carried out here: on a store, for somebody.

:class:`~service.local.bench.Bench` needs no store, :class:`~service.local.studies.Local` has one. Who
sees and changes which study is decided in :mod:`service.local.visible`, and nowhere else.
"""
