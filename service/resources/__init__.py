"""Records that REST sends and takes, one file per noun; the client and the command line read the same."""
