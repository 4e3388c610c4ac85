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
from models import load
from models.continuum_statics import ContinuumStatics, equilibrium
equilibrium(ContinuumStatics(), [0.0, 0.0, 0.0])
from models.continuum_dynamics import Drive, corotational_simulation, robot_of, simulation
for form in (simulation, corotational_simulation):
    for integrate in (form.simulate, form.simulate_explicitly):
        integrate(robot_of(), [Drive('slack')] * 3, 0.01, step=0.005)
cables = load('hybrid-cable-robot')
cables.evaluate(cables.resolve('constrained', {'bounds': True}), 'workspace', 0)"
}
echo "compiling kernels (once per version of the sources)"
{ compile continuum-statics && compile_others && compile continuum-kinematics; } &
compile hybrid-cable-robot
wait $! # fails when the first one did
