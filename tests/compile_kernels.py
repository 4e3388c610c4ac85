"""Compiles the kernels, once per version of the sources, so that no test waits for them: two back-ends at a time."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor


def hybrid_cable_robot() -> None:
    from models import load

    model = load("hybrid-cable-robot")
    for cost_class in ("all", "clearance", "orientation"):
        model.prepare(cost_class)
    # Kernels that no study needs at first, but many tests; so below.
    model.evaluate(model.resolve("constrained", {"cells": 4, "orientations": "certified"}), "workspace", 0)
    model.evaluate(model.resolve("constrained", {"bounds": True}), "workspace", 0)
    model.evaluate(model.resolve("constrained", {"cells": 8}), "detail", 0)
    model.evaluate(model.resolve("constrained", {"cells": 8, "axial_stiffness": 400.0}), "workspace", 0)
    model.evaluate(model.resolve("constrained", {"cells": 8, "pulley_radius": 0.02}), "workspace", 0)


def continuum_statics() -> None:
    import numpy as np

    from models import load
    from models.continuum_statics import ContinuumStatics, equilibrium

    load("continuum-statics").prepare("all")
    robot = ContinuumStatics()
    equilibrium(robot, np.zeros(3))
    equilibrium(robot, np.zeros(3), start=np.zeros((robot.disks, 3)))


def continuum_kinematics() -> None:
    from models import load
    from models.continuum_kinematics import forward, inverse, robot_from_limits

    load("continuum-kinematics").prepare("all")
    robot = robot_from_limits([[0.1, 0.1]], [1.0], 10, 0.01)
    inverse(forward([[0.1, 0.3, 0.0]]), robot, method="pseudo-inverse")


def continuum_dynamics() -> None:
    import numpy as np

    from models import load
    from models.continuum_dynamics import ContinuumDynamics, Drive, robot_of
    from models.continuum_dynamics.relative.motion_kernels import evaluate_motion
    from tests.oracles.runge_kutta import simulate_corotational, simulate_relative

    load("continuum-dynamics").prepare("all")
    robot = robot_of(ContinuumDynamics())
    count = 3 * len(robot.masses)
    q, v, a = np.zeros((3, count))
    evaluate_motion(robot, q, v, a, np.empty((count, count)), np.empty(count), np.empty(4))
    drives = [Drive("slack")] * 3
    simulate_relative(robot, drives, 1e-2, step=5e-3)
    simulate_corotational(robot, drives, 2e-5, step=1e-5)


def flexible_arm() -> None:
    import numpy as np

    from models import load
    from models.flexible_arm.chain_kernels import chain_scratch
    from tests.models.flexible_arm.arms import arm, contact
    from tests.models.flexible_arm.kernel_entries import evaluate_chain, fill_contact_forces

    load("flexible-arm").prepare("all")
    # Parts of the model's kernels, which tests call by themselves.
    chain = arm()
    ends, z = np.zeros((len(chain.lengths) + 1, 2)), np.zeros(int(chain.offsets[-1]))
    evaluate_chain(chain, z, z, ends, chain_scratch(chain), ends.copy(), ends.copy(), np.empty_like(z))
    fill_contact_forces(
        contact(), ends, ends, np.ones(len(ends)), np.empty(len(ends)), np.empty((len(ends), 6))
    )


BACK_ENDS: tuple[Callable[[], None], ...] = (
    continuum_dynamics,
    hybrid_cable_robot,
    flexible_arm,
    continuum_statics,
    continuum_kinematics,
)
"""Back-ends that take longest come first, so that both cores are busy to the end."""


if __name__ == "__main__":
    print("compiling kernels (once per version of the sources)", flush=True)
    with ProcessPoolExecutor(2) as pool:
        for compiled in [pool.submit(compile_back_end) for compile_back_end in BACK_ENDS]:
            compiled.result()
