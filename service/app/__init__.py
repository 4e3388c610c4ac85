"""The verbs of :mod:`service.operations` carried out here: on a store, for somebody.

:class:`~service.app.models.Bench` needs no store, :class:`~service.app.studies.Local` has one. Who
sees and changes which study is decided in :mod:`service.app.authorization`, and nowhere else.
"""
