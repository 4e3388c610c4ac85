"""The database's tables. Arrays are little-endian float64 blobs; times are UTC seconds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Connection,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    false,
    literal,
    text,
    true,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import JSONB

from studies.decision_records import DecisionRule
from studies.records import (
    AnnotationKind,
    EvaluationState,
    EventKind,
    FailureKind,
    Role,
    RunState,
    Scope,
    SweepMode,
    TokenKind,
    Visibility,
)
from studies.store.column_types import AccountName, Finite, Id, Label, Words

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

# PostgreSQL's JSONB forgets the order of keys, the sign of -0.0 and that 1e16 is a float. Columns whose
# order or bits matter are JSON, which keeps the text as it was written: a definition, whose variables are the
# search's coordinates in their order, and the parameters and metrics from which a run is replayed.
Document = JSON().with_variant(JSONB(), "postgresql")


def _one_of(column: str, names: Any) -> CheckConstraint:
    """A CHECK that a column holds one of the names of a ``Literal``."""
    return CheckConstraint(f"{column} IN {get_args(names)}", name=column)


study = Table(
    "study",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Label(64), nullable=False, unique=True),
    Column("definition", JSON, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("created", Finite, nullable=False, index=True),  # lists are sorted by it
    Column("branch_of", Label(64), ForeignKey("study.name", ondelete="SET NULL"), index=True),
    # What may be changed afterwards; `revision` counts the changes.
    Column("owner", AccountName(64), ForeignKey("account.name", ondelete="SET NULL"), index=True),
    Column("visibility", String(16), nullable=False, server_default="private"),
    Column("archived", Boolean, nullable=False, server_default=false()),
    Column("revision", Integer, nullable=False, server_default="0"),
    Column("note", Words),  # the description as it was changed; null: the definition's
    _one_of("visibility", Visibility),
)

run = Table(
    "run",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id", ondelete="CASCADE"), nullable=False),
    Column("layout", String(64), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("state", String(16), nullable=False),
    Column("message", Words, nullable=False, default=""),
    Column("reference_point", LargeBinary),
    Column("deadline", Finite),  # set in the passing states; afterwards anyone may settle the run
    # A job is a run that searches nothing: it evaluates what `request` says, for `account`. Its layout is its
    # kind and the digest of the request, so that the same question is one job.
    Column("kind", String(16), nullable=False, server_default="search"),
    Column("request", JSON(none_as_null=True)),
    Column("account", Label(64), nullable=False, server_default=""),
    Column("wanted", Integer, nullable=False, server_default="0"),  # evaluations that answer a job's request,
    Column("evaluated", Integer, nullable=False, server_default="0"),  # and those of them that it has
    _one_of("state", RunState),
    Index("ix_run_state", "state"),
    Index("uq_run_layout_seed", "study_id", "layout", "seed", unique=True),
)

# Every run has a lease from the start; epoch 0 and expiry 0 say that nobody ever held it.
run_lease = Table(
    "run_lease",
    metadata,
    Column("run_id", Id, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("host", String(255), nullable=False),
    Column("pid", Integer, nullable=False),
    Column("process_started", Finite, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("expires", Finite, nullable=False),
)

evaluation = Table(
    "evaluation",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("model", String(200), nullable=False),
    Column("model_version", Integer, nullable=False),
    Column("parameters", JSON, nullable=False),
    Column("cost_class", String(64), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("state", String(16), nullable=False),
    Column("kind", String(16), nullable=False, default=""),
    Column("reason", Words, nullable=False, default=""),
    Column("violation", Finite, nullable=False),
    Column("metrics", JSON, nullable=False),
    Column("counters", Document, nullable=False),
    Column("warnings", Document, nullable=False),
    Column("seconds", Finite, nullable=False),
    Column("worker", String(255), nullable=False),
    Column("finished", Finite, nullable=False),
    Column("uncertainty", JSON(none_as_null=True)),  # null: the design as it is, without tolerances
    _one_of("state", EvaluationState),
    _one_of("kind", FailureKind),
)

run_evaluation = Table(
    "run_evaluation",
    metadata,
    Column("run_id", Id, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("ask_no", Integer, primary_key=True),
    Column("generation", Integer, nullable=False),
    Column("key", String(64), ForeignKey("evaluation.key"), nullable=False, index=True),
    Column("point", LargeBinary, nullable=False),
    Column("objectives", LargeBinary, nullable=False),
    Column("violation", Finite, nullable=False),
    # Fields of studies.records.Origin; null: told in the order of asking, at full resolution, by the search.
    Column("asked", Integer),
    Column("asks", Integer),
    Column("rung", Integer),
    Column("proposal", Integer),
)

# A design that somebody put into a study at work: every run of the layout evaluates it.
proposal = Table(
    "proposal",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("layout", String(64), nullable=False),
    Column("design", JSON, nullable=False),  # a value by the path of each variable
    Column("author", Words, nullable=False),
    Column("created", Finite, nullable=False),
    Column("taken", Boolean, nullable=False, server_default=true()),  # a run has begun to evaluate it
    sqlite_autoincrement=True,  # an id is never given out twice: a run goes on after the last one it took
)

generation = Table(
    "generation",
    metadata,
    Column("run_id", Id, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("asked", Integer, nullable=False),
    Column("computed", Integer, nullable=False),
    Column("feasible", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("front_size", Integer, nullable=False),
    Column("hypervolume", Finite),
    Column("least_violation", Finite, nullable=False),
    Column("seconds", Finite, nullable=False),
    Column("finished", Finite, nullable=False),
    Column("notes", JSON(none_as_null=True)),  # what the search says of itself; null: nothing
)

_STILL = text("exited IS NULL")

# A design is on a run's front from generation `entered` until just before `exited`.
front_member = Table(
    "front_member",
    metadata,
    Column("run_id", Id, primary_key=True),
    Column("ask_no", Integer, primary_key=True),
    Column("entered", Integer, nullable=False),
    Column("exited", Integer),
    ForeignKeyConstraint(
        ["run_id", "ask_no"], ["run_evaluation.run_id", "run_evaluation.ask_no"], ondelete="CASCADE"
    ),
    Index("ix_front_member_now", "run_id", "ask_no", sqlite_where=_STILL, postgresql_where=_STILL),
)

provenance = Table(
    "provenance",
    metadata,
    Column("run_id", Id, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("epoch", Integer, primary_key=True),
    Column("started", Finite, nullable=False),
    Column("record", Document, nullable=False),
)

event = Table(
    "event",
    metadata,
    Column("id", Id, primary_key=True),
    Column("run_id", Id, ForeignKey("run.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("time", Finite, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("message", Words, nullable=False),
    _one_of("kind", EventKind),
    sqlite_autoincrement=True,  # an id is never given out twice, so that a reader can go on after it
)

account = Table(
    "account",
    metadata,
    Column("name", Label(64), primary_key=True),
    Column("password", String(255)),  # argon2's text; null: nobody can log in by password
    Column("role", String(16), nullable=False),
    Column("created", Finite, nullable=False),
    Column("disabled", Boolean, nullable=False),
    _one_of("role", Role),
)

# What a bearer holds is not here: `digest` is its HMAC under the server's key. `account` is null for the
# one person of a laptop without accounts. So the tokens of a deleted account go with it.
token = Table(
    "token",
    metadata,
    Column("id", Label(32), primary_key=True),
    Column("account", AccountName(64), ForeignKey("account.name", ondelete="CASCADE"), index=True),
    Column("kind", String(16), nullable=False),
    Column("name", Words, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("scope", String(16), nullable=False),
    Column("created", Finite, nullable=False),
    Column("expires", Finite),
    Column("last_used", Finite),
    Column("revoked", Finite),
    Column("used", Finite),  # when a login link was exchanged: it works once
    _one_of("kind", TokenKind),
    _one_of("scope", Scope),
)

# A request that may come twice, and the study that it made: written in one transaction with the study.
# `account` is a part of the key and so not null; it is empty for the one person of a laptop.
idempotency = Table(
    "idempotency",
    metadata,
    Column("account", Label(64), primary_key=True),
    Column("key", Label(255), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("study_id", Id, ForeignKey("study.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", Finite, nullable=False, index=True),
)

# Decisions of a study form one line: number 2 takes the place of number 1, and both are kept. A row is never
# changed, and goes with its study alone. So `author` is a name that outlives its account; without accounts it
# is the operating system's user, and empty in rows of earlier versions.
decision = Table(
    "decision",
    metadata,
    Column("study_id", Id, ForeignKey("study.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("key", String(64), ForeignKey("evaluation.key"), nullable=False, index=True),
    Column("layout", String(64), nullable=False),
    Column("rule", String(32), nullable=False),
    Column("preferences", JSON, nullable=False),
    Column("reason", Words, nullable=False),
    Column("candidates", JSON, nullable=False),
    Column("author", Label(64), nullable=False),
    Column("created", Finite, nullable=False),
    _one_of("rule", DecisionRule),
)

_TAG, _FAVOURITE = text("kind = 'tag'"), text("kind = 'favourite'")

# What people write beside designs and studies. `key` is empty where it is of the study as a whole; it and
# `author` are parts of keys, and so not null. A tag stands once for all, a favourite is one person's.
annotation = Table(
    "annotation",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id", ondelete="CASCADE"), nullable=False),
    Column("key", Label(64), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("text", Words, nullable=False),
    Column("author", Label(64), nullable=False),
    Column("created", Finite, nullable=False),
    Column("changed", Finite, nullable=False),
    _one_of("kind", AnnotationKind),
    Index("ix_annotation_study_id_key", "study_id", "key"),
    Index(
        "uq_annotation_tag",
        "study_id",
        "key",
        "text",
        unique=True,
        sqlite_where=_TAG,
        postgresql_where=_TAG,
    ),
    Index(
        "uq_annotation_favourite",
        "study_id",
        "key",
        "author",
        unique=True,
        sqlite_where=_FAVOURITE,
        postgresql_where=_FAVOURITE,
    ),
    sqlite_autoincrement=True,  # an id in somebody's hands never means another annotation
)

# A grid of conditions under which the front of a study is evaluated again, or its search is repeated. What
# it found are evaluations, and studies for a search: the rows say which ones.
sweep = Table(
    "sweep",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id", ondelete="CASCADE"), nullable=False),
    Column("mode", String(16), nullable=False),
    Column("grid", JSON, nullable=False),  # parameters in the order in which they were given
    Column("digest", String(64), nullable=False),  # of the study's name, the mode and the grid
    Column("owner", AccountName(64), ForeignKey("account.name", ondelete="SET NULL"), index=True),
    Column("created", Finite, nullable=False),
    _one_of("mode", SweepMode),
    Index("uq_sweep_study_digest", "study_id", "digest", unique=True),
    sqlite_autoincrement=True,  # who waits for a sweep that is deleted never gets the map of another one
)

# The study that searches under one condition of a sweep. Without its sweep it is a study like any other.
sweep_study = Table(
    "sweep_study",
    metadata,
    Column("sweep_id", Id, ForeignKey("sweep.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id", ondelete="CASCADE"), nullable=False, index=True),
)

# An address that a server tells of the ends of runs: how far it is in the events, and what failed. `id` is
# the digest of the address, which may hold a secret; `address` is what may be shown of it.
webhook = Table(
    "webhook",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("address", Words, nullable=False),
    Column("event", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due", Finite, nullable=False),
    Column("problem", Words, nullable=False),
    Column("delivered", Integer, nullable=False),
    Column("dropped", Integer, nullable=False),
    Column("tried", Finite),
)


_PER_STATEMENT = 500


def insert_of(dialect: str, table: Table) -> Any:
    """An INSERT that knows ``ON CONFLICT``."""
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)


def insert_first(connection: Connection, table: Table, row: dict[str, Any]) -> bool:
    """Insert a row unless its key is there already; whether it was inserted."""
    statement = insert_of(connection.dialect.name, table).values(**row).on_conflict_do_nothing()
    return connection.execute(statement.returning(literal(1))).first() is not None


def chunks(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Pieces small enough to name each item in one statement."""
    return (items[start : start + _PER_STATEMENT] for start in range(0, len(items), _PER_STATEMENT))
