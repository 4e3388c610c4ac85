"""Analytic test problems and a back-end that fails in every known way, as a plug-in package."""

from tautline_analytic.constrained import BNH, OSY
from tautline_analytic.faulty import FAULTY
from tautline_analytic.many import DTLZ2
from tautline_analytic.mixed import MIXED
from tautline_analytic.zdt import ZDT1, ZDT2, ZDT3, ZDT4

__all__ = ["BNH", "DTLZ2", "FAULTY", "MIXED", "OSY", "ZDT1", "ZDT2", "ZDT3", "ZDT4"]
