"""Spatial cable-driven parallel robot whose platform carries a serial arm.

Workspace, stiffness, dexterity and wrench capacity of constrained and suspended layouts, and the
dynamics of the arm on the platform, after Nasr and Moosavian (2015).
"""

from models.hybrid_cable_robot.arm.data import ARM_JOINTS, ARM_LINKS, PLATFORM_BODY, Joint
from models.hybrid_cable_robot.arm.dynamics import PlatformWrench, platform_wrench
from models.hybrid_cable_robot.arm.inverse import ArmBranches, inverse_kinematics
from models.hybrid_cable_robot.arm.kinematics import arm_jacobian, forward_kinematics
from models.hybrid_cable_robot.bodies import Body
from models.hybrid_cable_robot.bounds.octree import WorkspaceBounds, workspace_bounds
from models.hybrid_cable_robot.conditions import Judged, under_conditions
from models.hybrid_cable_robot.model import MODEL
from models.hybrid_cable_robot.motion.following import Following, follow
from models.hybrid_cable_robot.motion.motions import ArmMotion, PlatformMotion
from models.hybrid_cable_robot.motion.random_paths import random_trajectories
from models.hybrid_cable_robot.motion.reaction_range import reaction_range
from models.hybrid_cable_robot.motion.sampling import Samples, sample
from models.hybrid_cable_robot.motion.trajectory import TRAJECTORIES, Trajectory
from models.hybrid_cable_robot.parameters import HybridCableRobot, WrenchBox
from models.hybrid_cable_robot.pose import PoseResult, evaluate_pose
from models.hybrid_cable_robot.tensions.tension import TensionDistribution, tension_distribution
from models.hybrid_cable_robot.workspace import Workspace, workspace

__all__ = [
    "ARM_JOINTS",
    "ARM_LINKS",
    "MODEL",
    "PLATFORM_BODY",
    "TRAJECTORIES",
    "ArmBranches",
    "ArmMotion",
    "Body",
    "Following",
    "HybridCableRobot",
    "Joint",
    "Judged",
    "PlatformMotion",
    "PlatformWrench",
    "PoseResult",
    "Samples",
    "TensionDistribution",
    "Trajectory",
    "Workspace",
    "WorkspaceBounds",
    "WrenchBox",
    "arm_jacobian",
    "evaluate_pose",
    "follow",
    "forward_kinematics",
    "inverse_kinematics",
    "platform_wrench",
    "random_trajectories",
    "reaction_range",
    "sample",
    "tension_distribution",
    "under_conditions",
    "workspace",
    "workspace_bounds",
]
