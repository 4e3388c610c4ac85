"""The workspace on a grid of cells: tests, statistics, symmetries, and the task."""
