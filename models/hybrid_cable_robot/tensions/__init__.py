"""Tensions that balance a wrench, and the rules that choose one."""
