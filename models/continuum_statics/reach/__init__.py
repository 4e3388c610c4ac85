"""Where the tip can be brought without losing stability."""
