"""Routes, a file for each kind of thing; each offers ``router``."""
