"""Named designs of the paper."""

from __future__ import annotations

from models.contract import Preset
from models.hybrid_cable_robot.parameter_types import Point

SOURCE = "Nasr, Moosavian, Modares Mechanical Engineering 15(11) 2015"

CONSTRAINED_ATTACHMENTS: tuple[Point, ...] = (
    (0.0, 0.07, -0.05),
    (0.0, 0.07, -0.05),
    (0.0, -0.07, -0.05),
    (0.0, -0.07, -0.05),
    (0.07, 0.0, 0.05),
    (-0.07, 0.0, 0.05),
    (-0.07, 0.0, 0.05),
    (0.07, 0.0, 0.05),
)
SUSPENDED_ATTACHMENTS = [
    [x, y, z] for z in (0.05, -0.05) for x, y in ((0.05, 0.05), (-0.05, 0.05), (-0.05, -0.05), (0.05, -0.05))
]

_CONSTRAINED = {
    "arrangement": "constrained",
    "attachments": [list(point) for point in CONSTRAINED_ATTACHMENTS],
    "platform_half_size": [0.07, 0.07, 0.05],
    "cable_stiffness": [1000.0] * 4 + [100.0] * 4,
}

PRESETS = {
    "constrained": Preset(
        "four upper and four lower cables, design 'constrained 1'",
        f"{SOURCE}, tables 1 and 4",
        {**_CONSTRAINED, "beta1": 0.7366, "beta2": 0.8937},
    ),
    "suspended": Preset(
        "eight cables from above, design 'suspended 3'",
        f"{SOURCE}, tables 1 and 4",
        {
            "arrangement": "suspended",
            "beta1": 5.751,
            "beta2": 5.5729,
            "attachments": SUSPENDED_ATTACHMENTS,
            "platform_half_size": [0.05, 0.05, 0.05],
            "cable_stiffness": 1000.0,
        },
    ),
    "robocab": Preset(
        "the robot RoboCab, which was built (its winches reach 24 N; here 23 N, as for the other designs)",
        f"{SOURCE}, table 4",
        {**_CONSTRAINED, "beta1": 0.73, "beta2": 0.89},
    ),
}
