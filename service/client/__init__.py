"""A client that calls the services of a server over REST."""

from service.client.client import Client

__all__ = ["Client"]
