"""All that can be done, noun by noun, carried out on a store for a caller.

:class:`service.app.services.StoreServices` composes one service per noun; they share a
:class:`~service.app.context.Context`. Who sees and changes which study is decided in
:mod:`service.app.authorization`, and nowhere else.
"""
