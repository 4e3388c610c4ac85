"""Planar chain of elastic links whose ends hit the ground and rub on it.

After Yousefzadeh and Shafei, "Modeling and simulation of contact and friction forces in flexible robotic
arms", J. Applied and Computational Sciences in Mechanics, 2024. Each link bends as a Timoshenko beam in
assumed modes.
"""
