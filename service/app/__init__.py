"""Services on a store, one per noun, for one caller each.

:class:`service.app.services.StoreServices` composes one service per noun; they share a
:class:`~service.app.context.Context`. Who sees and changes which study is decided in
:mod:`service.app.authorization`, and nowhere else.
"""
