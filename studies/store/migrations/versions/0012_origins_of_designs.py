"""Origin of each logged design, proposals, and notes of a search."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add columns and a table; stored designs were told in the order of asking, and nobody proposed them."""
    for name in ("asked", "asks", "rung", "proposal"):
        op.add_column("run_evaluation", sa.Column(name, sa.Integer()))
    op.add_column("generation", sa.Column("notes", sa.JSON(none_as_null=True)))
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "proposal",
        sa.Column("id", big, nullable=False),
        sa.Column("study_id", big, nullable=False),
        sa.Column("layout", sa.String(64), nullable=False),
        sa.Column("design", sa.JSON(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_proposal_study_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proposal")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_proposal_study_id", "proposal", ["study_id"])
