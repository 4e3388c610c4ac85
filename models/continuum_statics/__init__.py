"""Cable-driven continuum robot: equilibrium, stability, snap-through and stable workspace.

After Hashemi-Pour Moosavi and Ehsani-Seresht (2021).
"""

from models.continuum_statics.balance.equilibrium import Equilibrium, equilibrium, rest
from models.continuum_statics.energy.chain import Frames, disks, frames
from models.continuum_statics.energy.positions import tip_compliance, tip_jacobian
from models.continuum_statics.energy.potential import Potential, potential
from models.continuum_statics.model import MODEL
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.paths.following import follow
from models.continuum_statics.paths.path import Event, Path, Snap
from models.continuum_statics.paths.payload import Payload, max_payload
from models.continuum_statics.paths.pose import StablePose, stable_equilibrium
from models.continuum_statics.paths.real import stable_path
from models.continuum_statics.presets import PRESETS
from models.continuum_statics.reach.reachable_volume import ReachableVolume, reachable_volume
from models.continuum_statics.reach.stable_workspace import StableWorkspace
from models.continuum_statics.reach.targets import Reaching, reach
from models.continuum_statics.reach.workspace import stable_workspace
from models.continuum_statics.robot import Robot, robot

__all__ = [
    "MODEL",
    "PRESETS",
    "ContinuumStatics",
    "Equilibrium",
    "Event",
    "Frames",
    "Path",
    "Payload",
    "Potential",
    "ReachableVolume",
    "Reaching",
    "Robot",
    "Snap",
    "StablePose",
    "StableWorkspace",
    "disks",
    "equilibrium",
    "follow",
    "frames",
    "max_payload",
    "potential",
    "reach",
    "reachable_volume",
    "rest",
    "robot",
    "stable_equilibrium",
    "stable_path",
    "stable_workspace",
    "tip_compliance",
    "tip_jacobian",
]
