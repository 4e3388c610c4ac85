"""References to accounts and branches, checks of names, no reserved word, indices for what is asked."""

import json

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_KINDS = ("", "model_error", "non_finite", "timeout", "out_of_memory", "worker_lost", "cancelled")
_EVENTS = (
    "draft", "queued", "running", "pausing", "paused", "cancelling", "cancelled", "failed", "diverged", "done",
    "generation",
)  # fmt: skip


def upgrade() -> None:
    """Change the tables; the rows of studies, runs, logs and fronts stay as they are."""
    _studies()
    _tokens()
    _evaluations()
    _events()
    op.drop_index("ix_run_study_id", "run")
    op.drop_column("run_evaluation", "tell_no")
    op.drop_index("ix_front_member_now", "front_member")
    op.alter_column("front_member", "left", new_column_name="exited")
    now = sa.text("exited IS NULL")
    op.create_index(
        "ix_front_member_now", "front_member", ["run_id", "ask_no"], sqlite_where=now, postgresql_where=now
    )


def _studies() -> None:
    name = sa.String(length=64)
    with op.batch_alter_table("study") as batch:
        batch.alter_column("owner", existing_type=name, nullable=True, server_default=None)
    op.execute("UPDATE study SET owner = NULL WHERE owner NOT IN (SELECT name FROM account)")
    op.execute("UPDATE study SET branch_of = NULL WHERE branch_of NOT IN (SELECT name FROM study)")
    with op.batch_alter_table("study") as batch:
        batch.create_foreign_key(op.f("fk_study_owner"), "account", ["owner"], ["name"], ondelete="SET NULL")
        batch.create_foreign_key(
            op.f("fk_study_branch_of"), "study", ["branch_of"], ["name"], ondelete="SET NULL"
        )
        batch.create_check_constraint(op.f("ck_study_visibility"), "visibility IN ('private', 'shared')")
    op.create_index("ix_study_created", "study", ["created"])
    op.create_index("ix_study_branch_of", "study", ["branch_of"])


def _tokens() -> None:
    # A token of no account lets a laptop's one person in: one whose account is missing may not become such.
    op.execute("DELETE FROM token WHERE account <> '' AND account NOT IN (SELECT name FROM account)")
    with op.batch_alter_table("token") as batch:
        batch.alter_column("account", existing_type=sa.String(length=64), nullable=True)
    op.execute("UPDATE token SET account = NULL WHERE account = ''")
    with op.batch_alter_table("token") as batch:
        batch.create_foreign_key(
            op.f("fk_token_account"), "account", ["account"], ["name"], ondelete="CASCADE"
        )


def _evaluations() -> None:
    with op.batch_alter_table("evaluation") as batch:
        batch.create_check_constraint(op.f("ck_evaluation_kind"), f"kind IN {_KINDS}")
    if op.get_bind().dialect.name == "postgresql":
        _repair_warnings()
        for table, column in (
            ("evaluation", "counters"),
            ("evaluation", "warnings"),
            ("provenance", "record"),
        ):
            op.alter_column(
                table, column, type_=JSONB(), existing_nullable=False, postgresql_using=f"{column}::jsonb"
            )


def _repair_warnings() -> None:
    """Put a question mark for NUL and half characters, which JSONB refuses."""
    connection = op.get_bind()
    rows = connection.exec_driver_sql(
        r"SELECT key, warnings::text FROM evaluation WHERE warnings::text ~ '\\u(0000|[dD][89a-fA-F])'"
    )
    for key, written in rows.all():
        texts = [
            text.replace("\0", "?").encode("utf-8", "replace").decode("utf-8") for text in json.loads(written)
        ]
        connection.execute(
            sa.text("UPDATE evaluation SET warnings = CAST(:texts AS json) WHERE key = :key"),
            {"texts": json.dumps(texts), "key": key},
        )


def _events() -> None:
    last = _last_event()
    with op.batch_alter_table("event", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.create_check_constraint(op.f("ck_event_kind"), f"kind IN {_EVENTS}")
    if last is not None:  # the new table would give out the numbers of deleted events again
        op.execute("DELETE FROM sqlite_sequence WHERE name = 'event'")
        insert = sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES ('event', :last)")
        op.execute(insert.bindparams(last=last))


def _last_event() -> int | None:
    """The greatest number that SQLite ever gave to an event; None on PostgreSQL, which keeps its sequence."""
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return None
    query = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'event'"
    return connection.exec_driver_sql(query).scalar_one()
