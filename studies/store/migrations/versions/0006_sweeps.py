"""Sweeps: grids of conditions for the front of a study or for its search, and the studies that search."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables; stored studies have no sweeps."""
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "sweep",
        sa.Column("id", big, nullable=False),
        sa.Column("study_id", big, nullable=False),
        sa.Column("mode", sa.String(16), nullable=False),
        sa.Column("grid", sa.JSON(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("owner", sa.String(64)),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.CheckConstraint("mode IN ('reevaluate', 'search')", name=op.f("ck_sweep_mode")),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_sweep_study_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["owner"], ["account.name"], name=op.f("fk_sweep_owner"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sweep")),
    )
    op.create_index("ix_sweep_owner", "sweep", ["owner"])
    op.create_index("uq_sweep_study_digest", "sweep", ["study_id", "digest"], unique=True)
    op.create_table(
        "sweep_study",
        sa.Column("sweep_id", big, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("study_id", big, nullable=False),
        sa.ForeignKeyConstraint(
            ["sweep_id"], ["sweep.id"], name=op.f("fk_sweep_study_sweep_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_sweep_study_study_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sweep_id", "number", name=op.f("pk_sweep_study")),
    )
    op.create_index("ix_sweep_study_study_id", "sweep_study", ["study_id"])
