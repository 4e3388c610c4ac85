"""What the services do, asked of a server over REST."""

from service.client.client import Client

__all__ = ["Client"]
