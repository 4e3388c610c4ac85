"""The serial arm: kinematics, posture, mass and dynamics."""
