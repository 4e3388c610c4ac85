"""The server's key, which signs tokens: made when missing, readable only by its owner."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from platformdirs import user_data_path

from errors import InputError
from service.logs import logger

BYTES = 32
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_PLACE = ("secret_file",)


def default_secret_file() -> Path:
    """The file of the server's key unless the settings name another one."""
    return user_data_path("tautline", appauthor=False) / "server.key"


def server_key(file: Path | None = None) -> bytes:
    """The key in ``file``; a new one is made where there is none.

    Raises ``InputError`` when others may read it, or when it is no key of ours.
    """
    path = default_secret_file() if file is None else file
    try:
        if not path.exists():
            _make(path)
        return _read(path)
    except OSError as error:
        raise InputError(f"the key file '{path}' cannot be used: {error.strerror}", _PLACE) from None


def server_key_or_passing(file: Path | None) -> bytes:
    """The key in ``file``; without a file, where none can be kept, a key for this process alone."""
    try:
        return server_key(file)
    except InputError as error:
        if file is not None or default_secret_file().exists():
            raise
        told = "tokens and sessions end with this server: name a file with --secret-file"
        logger().warning(told, why=str(error))
        return secrets.token_bytes(BYTES)


def _make(path: Path) -> None:
    """Write a new key; where another process was first, its key stays."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    mine = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    handle = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(secrets.token_hex(BYTES) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        try:
            os.link(mine, path)  # fails where the file is there, unlike a renaming
        except FileExistsError:
            return
    finally:
        mine.unlink()


def _read(path: Path) -> bytes:
    with path.open("rb") as stream:
        if os.name == "posix" and os.fstat(stream.fileno()).st_mode & _OTHERS:
            raise InputError(f"other users may read the key file '{path}'; run `chmod 600 {path}`", _PLACE)
        text = stream.read(4 * BYTES)
    try:
        key = bytes.fromhex(text.decode("ascii").strip())
    except ValueError:
        key = b""
    if len(key) != BYTES:
        raise InputError(
            f"'{path}' does not hold a key (64 hexadecimal digits); name a file that does not exist yet, and "
            "a key is made there",
            _PLACE,
        )
    return key
