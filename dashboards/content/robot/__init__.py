"""Robots before any search: as files give them, and the study files made of them."""
