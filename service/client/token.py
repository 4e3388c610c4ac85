"""The token by which a server knows a person: from the environment or from a private file."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from models.errors import InputError

VARIABLE = "TAUTLINE_TOKEN"
FILE_VARIABLE = "TAUTLINE_TOKEN_FILE"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,256}")
_OTHERS = 0o077


def find_token(environment: Mapping[str, str] = os.environ) -> str | None:
    """The token of ``TAUTLINE_TOKEN``, else of the token file; None where there is neither.

    The file is the one that ``TAUTLINE_TOKEN_FILE`` names, else ``token`` in the folder of the user's
    settings. One that others may read is refused. No error shows what may be a token.
    """
    if given := environment.get(VARIABLE):
        return _checked(given, VARIABLE)
    if named := environment.get(FILE_VARIABLE):
        return _read(Path(named))
    usual = token_file()
    return _read(usual) if usual.exists() else None


def token_file() -> Path:
    """Where a token is looked for when no variable says otherwise."""
    from platformdirs import user_config_path

    return user_config_path("tautline") / "token"


def _read(path: Path) -> str:
    try:
        with path.open(encoding="ascii") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read(1024)
    except OSError as error:
        raise InputError(f"the token cannot be read: {error.strerror}", str(path)) from None
    except UnicodeDecodeError:
        raise InputError("is not a token", str(path)) from None
    if os.name == "posix" and mode & _OTHERS:
        raise InputError(f"other users may read this token; run `chmod 600 {path}`", str(path))
    return _checked(text, str(path))


def _checked(text: str, place: str) -> str:
    token = text.strip()
    if not _TOKEN.fullmatch(token):
        raise InputError("is not a token; `tautline token create` on the server prints one", place)
    return token
