"""How kernels are compiled; see :mod:`models.compiled`."""

from models.compiled import entry, inner

__all__ = ["entry", "inner"]
