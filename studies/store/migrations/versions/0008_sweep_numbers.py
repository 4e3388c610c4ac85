"""The number of a deleted sweep is not given to another one."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make SQLite count on; PostgreSQL's sequences never give a number twice."""
    if op.get_bind().dialect.name != "sqlite":
        return
    with op.batch_alter_table(
        "sweep", recreate="always", table_kwargs={"sqlite_autoincrement": True}
    ) as batch:
        batch.alter_column("id", existing_type=sa.Integer(), autoincrement=True)
