"""Progress of jobs: evaluations that they want, and that they have."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the counts; a stored job has none before it is worked on again."""
    op.add_column("run", sa.Column("wanted", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("run", sa.Column("evaluated", sa.Integer(), nullable=False, server_default="0"))
