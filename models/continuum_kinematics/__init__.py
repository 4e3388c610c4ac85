"""Multi-section continuum robot of constant curvature: forward and inverse kinematics, workspace, dexterity.

After "Forward and Reverse Kinematic Control Model for A Multi-sectional Continuum Robot".
"""

from models.continuum_kinematics.cables import (
    arc_from_lengths,
    forward_lengths,
    lengths_from_arc,
    lengths_jacobian,
)
from models.continuum_kinematics.conditioning import backbone_values, singular_values
from models.continuum_kinematics.dexterity import Dexterity, dexterity, reached_directions, spread_directions
from models.continuum_kinematics.inverse import Solution, inverse, inverse_batch
from models.continuum_kinematics.model import MODEL
from models.continuum_kinematics.parameters import ContinuumKinematics, TaskPose
from models.continuum_kinematics.path_following import FollowedPath, follow_path
from models.continuum_kinematics.presets import PRESETS
from models.continuum_kinematics.reachable_volume import ReachableVolume, reachable_points, reachable_volume
from models.continuum_kinematics.redundancy_resolution import least_bent, least_changed
from models.continuum_kinematics.robot import Robot, robot_from_limits, robot_of
from models.continuum_kinematics.sections import (
    forward,
    forward_batch,
    jacobian,
    jacobian_batch,
    section_frames,
)
from models.continuum_kinematics.tasks import base_pose, solve_path, solve_task_points, solve_task_poses

__all__ = [
    "MODEL",
    "PRESETS",
    "ContinuumKinematics",
    "Dexterity",
    "FollowedPath",
    "ReachableVolume",
    "Robot",
    "Solution",
    "TaskPose",
    "arc_from_lengths",
    "backbone_values",
    "base_pose",
    "dexterity",
    "follow_path",
    "forward",
    "forward_batch",
    "forward_lengths",
    "inverse",
    "inverse_batch",
    "jacobian",
    "jacobian_batch",
    "least_bent",
    "least_changed",
    "lengths_from_arc",
    "lengths_jacobian",
    "reachable_points",
    "reachable_volume",
    "reached_directions",
    "robot_from_limits",
    "robot_of",
    "section_frames",
    "singular_values",
    "solve_path",
    "solve_task_points",
    "solve_task_poses",
    "spread_directions",
]
