"""The REST interface: routes, and what stands before them."""
