"""Named designs, and a number of the paper that is a default."""

from __future__ import annotations

from models.contract import Preset

SOURCE = (
    "Liu, Cai, Peng, Wang, Zhang, Wu, Dynamic modeling and experimental validation of cable-driven continuum "
    "robots actuated in position-force mode, ROBOT 44(4) 2022"
)
PULL = 24.94e-3
"""Length [m] that bends the robot by the paper's 110 degrees; the paper prints no drive curve."""
DRIVES = ({"pull": PULL}, {"state": "slack"}, {"state": "slack"})
ASSUMED = (
    "length, material and masses are assumed, because table 1 is lost, and so is the drive, which the paper "
    "only draws"
)

PRESETS = {
    "one-cable": Preset(
        f"one cable bends the robot by 110 degrees in 5 s, the others are slack; {ASSUMED}",
        f"{SOURCE}, section 5.2, figures 5 to 8",
        {},
    ),
    "two-cables": Preset(
        f"a hanging robot; one cable is wound from 0 to 5 s, a second one from 3 to 8 s; {ASSUMED}",
        f"{SOURCE}, section 5.2, figures 9 to 12",
        {
            "drives": (
                {"pull": 16e-3},
                {"pull": 12e-3, "start": 3.0, "end": 8.0},
                {"state": "slack"},
            ),
            "gravity": "down",
            "duration": 10.0,
        },
    ),
    "release": Preset(
        "one cable bends the robot, is paid out faster than the robot follows, and becomes taut again; the "
        "motion is ours",
        f"{SOURCE}, section 4: cables that become slack",
        {
            "drives": (
                {"table": (
                    {"time": 0.0, "length": 0.0}, {"time": 2.0, "length": 24e-3},
                    {"time": 2.5, "length": 24e-3}, {"time": 2.7, "length": 0.0},
                    {"time": 3.2, "length": 0.0}, {"time": 5.2, "length": 12e-3},
                )},
                {"state": "slack"},
                {"state": "slack"},
            ),
            "duration": 8.0,
        },
    ),
    "antagonists-locked": Preset(
        "one cable is wound by a fifth of a millimetre while the others are locked: the backbone becomes "
        "shorter; the motion is ours",
        f"{SOURCE}, section 4: cables that are locked",
        {
            "formulation": "corotational",
            "drives": ({"pull": 2e-4}, {"state": "locked"}, {"state": "locked"}),
            "drive_time": 1.0,
            "duration": 2.0,
        },
    ),
}  # fmt: skip
