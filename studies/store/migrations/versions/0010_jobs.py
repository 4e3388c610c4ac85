"""Jobs are runs that search nothing; their leases take the place of those of sweeps."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Mark all stored runs as searches, and drop the leases of sweeps, which are asked for again as jobs."""
    op.add_column("run", sa.Column("kind", sa.String(16), nullable=False, server_default="search"))
    op.add_column("run", sa.Column("request", sa.JSON()))
    op.add_column("run", sa.Column("account", sa.String(64), nullable=False, server_default=""))
    op.drop_table("sweep_lease")
