"""Webhooks: how far each address is in the events, and what failed."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table; nobody was told of anything."""
    op.create_table(
        "webhook",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("event", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due", sa.Float(53), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("delivered", sa.Integer(), nullable=False),
        sa.Column("dropped", sa.Integer(), nullable=False),
        sa.Column("tried", sa.Float(53)),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook")),
    )
