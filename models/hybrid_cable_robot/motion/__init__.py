"""Motion of the robot over time, on a trajectory or from its winches."""
