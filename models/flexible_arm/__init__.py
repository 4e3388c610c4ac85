"""Planar chains of elastic links that fall, hit the ground and rub on it."""
