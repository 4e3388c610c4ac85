"""The database's tables. Arrays are little-endian float64 blobs; times are UTC seconds."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    false,
    text,
)

from studies.store.column_types import Finite, Id, Label, Words

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

study = Table(
    "study",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Label(64), nullable=False, unique=True),
    Column("definition", JSON, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("created", Finite, nullable=False),
    Column("branch_of", String(64)),
    # What may be changed afterwards; `revision` counts the changes.
    Column("owner", Label(64), nullable=False, server_default="", index=True),
    Column("visibility", String(16), nullable=False, server_default="private"),
    Column("archived", Boolean, nullable=False, server_default=false()),
    Column("revision", Integer, nullable=False, server_default="0"),
    Column("note", Words),  # the description as it was changed; null: the definition's
)

RUN_STATES = (
    "draft", "queued", "running", "pausing", "paused",
    "cancelling", "cancelled", "failed", "diverged", "done",
)  # fmt: skip

run = Table(
    "run",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("layout", String(64), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("state", String(16), nullable=False),
    Column("message", Words, nullable=False, default=""),
    Column("reference_point", LargeBinary),
    Column("deadline", Finite),  # set in the passing states; afterwards anyone may settle the run
    CheckConstraint(f"state IN {RUN_STATES}", name="state"),
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
    Column("counters", JSON, nullable=False),
    Column("warnings", JSON, nullable=False),
    Column("seconds", Finite, nullable=False),
    Column("worker", String(255), nullable=False),
    Column("finished", Finite, nullable=False),
    CheckConstraint("state IN ('done', 'infeasible', 'failed')", name="state"),
)

run_evaluation = Table(
    "run_evaluation",
    metadata,
    Column("run_id", Id, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("ask_no", Integer, primary_key=True),
    Column("tell_no", Integer, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("key", String(64), ForeignKey("evaluation.key"), nullable=False, index=True),
    Column("point", LargeBinary, nullable=False),
    Column("objectives", LargeBinary, nullable=False),
    Column("violation", Finite, nullable=False),
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
)

_STILL = text('"left" IS NULL')

# A design is on a run's front from generation `entered` until just before `left`.
front_member = Table(
    "front_member",
    metadata,
    Column("run_id", Id, primary_key=True),
    Column("ask_no", Integer, primary_key=True),
    Column("entered", Integer, nullable=False),
    Column("left", Integer),
    ForeignKeyConstraint(
        ["run_id", "ask_no"], ["run_evaluation.run_id", "run_evaluation.ask_no"], ondelete="CASCADE"
    ),
    # "left" is a word of SQL.
    Index("ix_front_member_now", "run_id", "ask_no", sqlite_where=_STILL, postgresql_where=_STILL),
)

provenance = Table(
    "provenance",
    metadata,
    Column("run_id", Id, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("epoch", Integer, primary_key=True),
    Column("started", Finite, nullable=False),
    Column("record", JSON, nullable=False),
)

event = Table(
    "event",
    metadata,
    Column("id", Id, primary_key=True),
    Column("run_id", Id, ForeignKey("run.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("time", Finite, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("message", Words, nullable=False),
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
    CheckConstraint("role IN ('viewer', 'editor', 'admin')", name="role"),
)

TOKEN_KINDS = ("token", "session", "login")

# What a bearer holds is not here: `digest` is its HMAC under the server's key. `account` is empty for the
# one person of a laptop without accounts, and so refers to no row.
token = Table(
    "token",
    metadata,
    Column("id", Label(32), primary_key=True),
    Column("account", Label(64), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("name", Words, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("scope", String(16), nullable=False),
    Column("created", Finite, nullable=False),
    Column("expires", Finite),
    Column("last_used", Finite),
    Column("revoked", Finite),
    Column("used", Finite),  # when a login link was exchanged: it works once
    CheckConstraint(f"kind IN {TOKEN_KINDS}", name="kind"),
    CheckConstraint("scope IN ('read', 'run', 'admin')", name="scope"),
)

# A request that may come twice, and the study that it made: written in one transaction with the study.
idempotency = Table(
    "idempotency",
    metadata,
    Column("account", Label(64), primary_key=True),
    Column("key", Label(255), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("study_id", Id, ForeignKey("study.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", Finite, nullable=False, index=True),
)
