"""Deadlines of passing states, branches, a lease for every run, events that keep their numbers."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add columns and indices; no row of a study changes."""
    op.add_column("study", sa.Column("branch_of", sa.String(length=64), nullable=True))
    op.add_column("run", sa.Column("deadline", sa.Float(), nullable=True))
    op.create_index("ix_run_state", "run", ["state"], unique=False)
    op.create_index(
        "ix_front_member_now",
        "front_member",
        ["run_id", "ask_no"],
        unique=False,
        sqlite_where=sa.text('"left" IS NULL'),
        postgresql_where=sa.text('"left" IS NULL'),
    )
    op.execute(
        "INSERT INTO run_lease (run_id, owner, host, pid, process_started, epoch, expires) "
        "SELECT id, '', '', 0, 0, 0, 0 FROM run WHERE id NOT IN (SELECT run_id FROM run_lease)"
    )
    if op.get_bind().dialect.name == "sqlite":  # PostgreSQL's sequences never give a number twice
        with op.batch_alter_table(
            "event", recreate="always", table_kwargs={"sqlite_autoincrement": True}
        ) as batch:
            batch.alter_column("id", existing_type=sa.Integer(), autoincrement=True)
