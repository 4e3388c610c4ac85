"""Whether the cables can hold a set of wrenches, and by how much."""
