"""Models of the operator's own in the children of a server, which its command line has named.

Neither a study nor a request names code: a child loads what the command line loaded, and nothing else.
"""

from __future__ import annotations

import json
import sys

from errors import TautlineError
from models.model_source import ModelSource
from models.own_model import load_source


def load_given() -> None:
    """Load the models whose sources stand in the first line of standard input."""
    for given in json.loads(sys.stdin.buffer.readline()):
        files = tuple((name, digest) for name, digest in given.pop("files"))
        try:
            load_source(ModelSource(**given, files=files))
        except TautlineError as error:
            sys.stderr.write(f"{error}\n")
            sys.exit(1)
