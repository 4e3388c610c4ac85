"""Studies checked against their model: one problem per layout, ready to be searched."""
