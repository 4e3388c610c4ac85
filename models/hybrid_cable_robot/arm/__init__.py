"""The serial arm on the platform: kinematics, and what it asks of the cables."""
