"""Shapes followed while a tension or the payload rises: losses of stability, branches and jumps."""
