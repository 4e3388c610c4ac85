"""The REST interface: routes and middleware."""
