"""Leases of sweeps, so that two processes do not compute one of them at once."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, with a lease that nobody has held for each stored sweep."""
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "sweep_lease",
        sa.Column("sweep_id", big, nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("process_started", sa.Float(53), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("expires", sa.Float(53), nullable=False),
        sa.ForeignKeyConstraint(
            ["sweep_id"], ["sweep.id"], name=op.f("fk_sweep_lease_sweep_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sweep_id", name=op.f("pk_sweep_lease")),
    )
    op.execute(
        "INSERT INTO sweep_lease (sweep_id, owner, host, pid, process_started, epoch, expires) "
        "SELECT id, '', '', 0, 0.0, 0, 0.0 FROM sweep"
    )
