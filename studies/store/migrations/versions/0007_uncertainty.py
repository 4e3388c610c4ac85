"""Column of the tolerances of production, in evaluations of robots."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; what is stored was evaluated without tolerances."""
    op.add_column("evaluation", sa.Column("uncertainty", sa.JSON(none_as_null=True)))
