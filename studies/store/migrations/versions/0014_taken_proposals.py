"""Proposals that a run has taken, which nobody withdraws any more."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a column; stored proposals count as taken, because a run may hold them."""
    op.add_column("proposal", sa.Column("taken", sa.Boolean(), nullable=False, server_default=sa.true()))
