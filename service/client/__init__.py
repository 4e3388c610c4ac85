"""Tautline against a server: the same verbs as on a store, over REST."""

from service.client.client import Client

__all__ = ["Client"]
