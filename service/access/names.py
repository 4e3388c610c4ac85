"""Names of accounts: plain, so that they look alike in addresses, files and logs."""

from __future__ import annotations

import re

from models.errors import InputError

ACCOUNT_NAME = r"[a-z0-9][a-z0-9._-]{0,63}"


def check_account_name(name: str, place: str = "name") -> None:
    """Raise ``InputError`` for what cannot be an account's name."""
    if not re.fullmatch(ACCOUNT_NAME, name):
        raise InputError(
            f"'{name}' is not an account name: use 1 to 64 characters of a-z, 0-9, '.', '_' and '-', with a "
            "letter or digit first",
            place,
        )
