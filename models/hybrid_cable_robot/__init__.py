"""Spatial cable-driven parallel robot whose platform carries a serial arm.

Workspace, stiffness, dexterity and wrench capacity of constrained and suspended layouts, and the
dynamics of the arm on the platform, after Nasr and Moosavian (2015).
"""

from models.hybrid_cable_robot.arm.dynamics import PlatformWrench, platform_wrench
from models.hybrid_cable_robot.arm.kinematics import (
    ArmBranches,
    arm_jacobian,
    forward_kinematics,
    inverse_kinematics,
)
from models.hybrid_cable_robot.bodies import ARM_JOINTS, ARM_LINKS, PLATFORM_BODY, ArmJoint, Body
from models.hybrid_cable_robot.bounds.octree import WorkspaceBounds, workspace_bounds
from models.hybrid_cable_robot.cable_sag import CableSag
from models.hybrid_cable_robot.cables.catenary import Catenary, catenary
from models.hybrid_cable_robot.model import MODEL
from models.hybrid_cable_robot.motion.following import TrajectoryResult, follow_trajectory
from models.hybrid_cable_robot.motion.winches import WinchMotion, follow_winches
from models.hybrid_cable_robot.parameter_types import WrenchBox
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.pose import PoseResult, evaluate_pose
from models.hybrid_cable_robot.scene import motion_scene
from models.hybrid_cable_robot.tensions.distribution import TensionDistribution, tension_distribution
from models.hybrid_cable_robot.total_orientation import total_orientation
from models.hybrid_cable_robot.trajectory import (
    TRAJECTORIES,
    ArmMotion,
    PlatformMotion,
    Trajectory,
    WinchLengths,
    random_trajectories,
)
from models.hybrid_cable_robot.trajectory_sampling import Samples, reaction_range, sample
from models.hybrid_cable_robot.workspace_grid.workspace import Workspace, workspace

__all__ = [
    "ARM_JOINTS",
    "ARM_LINKS",
    "MODEL",
    "PLATFORM_BODY",
    "TRAJECTORIES",
    "ArmBranches",
    "ArmJoint",
    "ArmMotion",
    "Body",
    "CableSag",
    "Catenary",
    "HybridCableRobot",
    "PlatformMotion",
    "PlatformWrench",
    "PoseResult",
    "Samples",
    "TensionDistribution",
    "Trajectory",
    "TrajectoryResult",
    "WinchLengths",
    "WinchMotion",
    "Workspace",
    "WorkspaceBounds",
    "WrenchBox",
    "arm_jacobian",
    "catenary",
    "evaluate_pose",
    "follow_trajectory",
    "follow_winches",
    "forward_kinematics",
    "inverse_kinematics",
    "motion_scene",
    "platform_wrench",
    "random_trajectories",
    "reaction_range",
    "sample",
    "tension_distribution",
    "total_orientation",
    "workspace",
    "workspace_bounds",
]
