"""The generated kernels: one module each, written by ``python -m models.hybrid_cable_robot.simd.generate``."""
