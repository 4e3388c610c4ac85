"""Cable-driven continuum robot: equilibrium, stability, snap-through and stable workspace.

After Hashemi-Pour Moosavi and Ehsani-Seresht (2021).
"""

from models.continuum.chain import Frames
from models.continuum_statics.equilibrium import Equilibrium, equilibrium, rest
from models.continuum_statics.model import MODEL
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.payload import Payload, max_payload
from models.continuum_statics.pose import StablePose, stable_equilibrium
from models.continuum_statics.presets import PRESETS
from models.continuum_statics.reachable_volume import ReachableVolume, reachable_volume
from models.continuum_statics.records import Event, Path, Snap
from models.continuum_statics.robot import Robot, disks, frames, robot_of
from models.continuum_statics.targets import Reaching, reach
from models.continuum_statics.tension_sweep import equilibrium_path, stable_path
from models.continuum_statics.tip import tip_compliance, tip_jacobian
from models.continuum_statics.workspace import StableWorkspace, stable_workspace

__all__ = [
    "MODEL",
    "PRESETS",
    "ContinuumStatics",
    "Equilibrium",
    "Event",
    "Frames",
    "Path",
    "Payload",
    "ReachableVolume",
    "Reaching",
    "Robot",
    "Snap",
    "StablePose",
    "StableWorkspace",
    "disks",
    "equilibrium",
    "equilibrium_path",
    "frames",
    "max_payload",
    "reach",
    "reachable_volume",
    "rest",
    "robot_of",
    "stable_equilibrium",
    "stable_path",
    "stable_workspace",
    "tip_compliance",
    "tip_jacobian",
]
