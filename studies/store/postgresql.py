"""PostgreSQL: durable, with a limit on everything that could wait for ever."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError

from errors import InputError, StoreError

OLDEST_SERVER = 14
"""The oldest major version that is supported (and still maintained by its makers)."""

_ADDRESS = {
    "connect_timeout": 10,
    # A server that went away without a word is noticed within half a minute.
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
    "application_name": "tautline",
}
_SESSION = (
    "SET SESSION lock_timeout = '10s'",
    "SET SESSION statement_timeout = '300s'",
    # Well below the patience of those who wait for the locks of a process that hangs.
    "SET SESSION idle_in_transaction_session_timeout = '20s'",
    "SET SESSION timezone = 'UTC'",
)
_DURABLE = {"on", "remote_apply", "remote_write", "local"}


def postgresql_engine(url: URL, options: dict[str, Any]) -> Engine:
    """An engine whose connections are durable and never wait for ever; the server is tried at once."""
    given = {**_ADDRESS, **{name: value for name, value in url.query.items() if name in _ADDRESS}}
    try:
        engine = create_engine(url, pool_pre_ping=True, connect_args=given, **options)
    except ImportError:
        raise InputError("PostgreSQL needs psycopg: pip install 'psycopg[binary]'", ("store",)) from None
    except ArgumentError as error:
        raise InputError(f"cannot be used: {error}", ("store",)) from None
    event.listen(engine, "connect", _on_connect)
    try:
        engine.connect().close()
    except DBAPIError as error:
        engine.dispose()
        raise _no_connection(url, error) from None
    return engine


def _on_connect(connection: Any, _: Any) -> None:
    """Set the limits; refuse a server that would lose what it acknowledged."""
    with connection.cursor() as cursor:
        for statement in _SESSION:
            cursor.execute(statement)
        cursor.execute("SHOW synchronous_commit")
        if cursor.fetchone()[0] not in _DURABLE:
            cursor.execute("SET SESSION synchronous_commit = 'on'")
        cursor.execute("SHOW fsync")
        durable = cursor.fetchone()[0] == "on"
        version = connection.info.server_version // 10_000
    connection.commit()
    if not durable:
        raise StoreError(
            "the PostgreSQL server runs with fsync = off and may lose what it acknowledged; "
            "switch it on in postgresql.conf"
        )
    if version < OLDEST_SERVER:
        raise StoreError(f"the server is PostgreSQL {version}; Tautline needs {OLDEST_SERVER} or newer")


def _no_connection(url: URL, error: DBAPIError) -> InputError:
    """Reason why the server was not reached, in one line without the password."""
    text = " ".join(str(error.orig).split())
    if url.password:
        text = text.replace(str(url.password), "***")
    place = f"{url.host or 'this machine'}, database '{url.database or url.username or ''}'"
    advice = "check host, port, user, password and that the server runs"
    if "does not exist" in text and "database" in text:
        advice = f"make it with `createdb {url.database}`"
    elif "password" in text:
        advice = "check user and password (also in ~/.pgpass or the variable PGPASSWORD)"
    return InputError(f"no connection to PostgreSQL at {place}: {text}; {advice}", ("store",))
