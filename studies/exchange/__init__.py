"""Robots as files of other programs: written in :mod:`formats`, read in :mod:`robot_files`."""
