"""Spatial cable-driven parallel robot whose platform carries a serial arm.

Workspace, stiffness, dexterity and wrench capacity of constrained and suspended layouts, after
Nasr and Moosavian (2015).
"""

from models.hybrid_cable_robot.model import MODEL
from models.hybrid_cable_robot.parameters import HybridCableRobot, WrenchBox
from models.hybrid_cable_robot.pose import PoseResult, evaluate_pose
from models.hybrid_cable_robot.workspace import Workspace, workspace

__all__ = ["MODEL", "HybridCableRobot", "PoseResult", "Workspace", "WrenchBox", "evaluate_pose", "workspace"]
