"""A small study of two layouts whose fronts under another condition are known in closed form.

BNH with its second variable as the condition: f1 = 4 x1^2 + 4 x2^2, f2 = (x1 - 5)^2 + (x2 - 5)^2, and
c1 = 25 - (x1 - 5)^2 - x2^2 must be at least 0.
"""

import math

from studies.definition.study_file import parse_study

TWO_LAYOUTS = """
name = "sides"
model = "bnh"
seeds = [1, 2]
[parameters]
x2 = 1.0
[layouts.near.variables]
x1 = { lower = 0.05, upper = 2.5 }
[layouts.far.variables]
x1 = { lower = 2.5, upper = 5 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[constraints]
c1 = { lower = 0 }
[search]
algorithm = "nsga2"
population = 8
generations = 3
"""


def two_layouts(seeds="[1, 2]"):
    return parse_study(TWO_LAYOUTS.replace("seeds = [1, 2]", f"seeds = {seeds}"))


def objectives_at(x1, x2):
    return 4 * x1**2 + 4 * x2**2, (x1 - 5) ** 2 + (x2 - 5) ** 2


def is_feasible(x1, x2):
    return 25 - (x1 - 5) ** 2 - x2**2 >= 0 and math.isfinite(x1)
