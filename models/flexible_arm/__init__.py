"""Planar chain of elastic links, free or pinned, whose link ends may hit the ground and rub on it.

After Yousefzadeh and Shafei, "Modeling and simulation of contact and friction forces in flexible robotic
arms", Journal of Applied and Computational Sciences in Mechanics, 2024. Each link bends as a Timoshenko beam
in assumed modes.
"""
