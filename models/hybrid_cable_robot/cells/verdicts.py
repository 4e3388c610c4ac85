"""What a cell's tests can say, in the order in which they are made."""

from __future__ import annotations

PASSED = 0
WRENCH = 1  # some wrench of the set cannot be held, or a cable has no length
PLATFORM = 2  # a cable cuts the platform
INTERFERENCE = 3  # two cables touch
SINGULAR = 4  # the scaled Jacobian is nearly singular at the nominal orientation

SINGULAR_BELOW = 1e-3  # inverse condition number of the scaled Jacobian
WORST_MARGIN = -1e12  # [N]; floor of the capacity margin, also that of a cable without length
TOLERANCE = 1e-10  # of the forces involved: a smaller shortfall counts as none
GREATEST_RESPONSE = (
    1e12  # [m], [rad/m] or [1]; ceiling of displacements and sensitivities, so that they stay finite
)
