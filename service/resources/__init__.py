"""Records that REST sends and takes, one file per noun; the client and the command line read the same.

Their modules do not postpone annotations: pydantic would compile each of 800 texts at every start.
"""
