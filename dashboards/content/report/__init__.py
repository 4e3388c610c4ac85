"""Reports: what they are made of."""
