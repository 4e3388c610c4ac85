#!/bin/sh
# Compiles the kernels, once per version of the sources, so that no test waits for them.
set -eu
: "${PYTHON:=.venv/bin/python}"
compile() {
    "$PYTHON" -c "import models; models.load('$1').prepare('all')"
}
# What no study needs at first, but many tests.
compile_others() {
    "$PYTHON" -c "
import numpy as np
from models import load
from models.continuum_statics import ContinuumStatics, equilibrium
equilibrium(ContinuumStatics(), [0.0, 0.0, 0.0])
equilibrium(ContinuumStatics(), [0.0, 0.0, 0.0], start=np.zeros((ContinuumStatics().segments, 3)))
from models.continuum_dynamics import Drive, corotational_simulation, robot_of, simulation
from models.continuum_dynamics.motion_kernels import evaluate_motion
robot = robot_of()
count = 3 * len(robot.masses)
evaluate_motion(robot, *np.zeros((3, count)), np.empty((count, count)), np.empty(count), np.empty(4))
for form, step in ((simulation, 5e-3), (corotational_simulation, 1e-5)):
    for integrate in (form.simulate, form.simulate_explicitly):
        integrate(robot, [Drive('slack')] * 3, 2 * step, step=step)
cables = load('hybrid-cable-robot')
cables.evaluate(cables.resolve('constrained', {'bounds': True}), 'workspace', 0)
cables.evaluate(cables.resolve('constrained', {'cells': 8}), 'detail', 0)"
}
echo "compiling kernels (once per version of the sources)"
{ compile continuum-statics && compile_others && compile continuum-kinematics && compile continuum-dynamics && \
    compile flexible-arm; } &
compile hybrid-cable-robot
wait $! # fails when the first one did
