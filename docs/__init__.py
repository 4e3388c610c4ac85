"""The documentation and what builds it: ``python -m docs.build``."""
