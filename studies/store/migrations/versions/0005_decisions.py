"""Chosen designs with what led to them; notes, tags and favourites."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_RULES = ("topsis", "achievement", "pseudo-weights", "knee", "high-tradeoff", "judgement")
_KINDS = ("note", "tag", "favourite")


def upgrade() -> None:
    """Make the tables; stored studies have no decisions and no annotations."""
    _decisions()
    _annotations()


def _id() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _decisions() -> None:
    op.create_table(
        "decision",
        sa.Column("study_id", _id(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("layout", sa.String(length=64), nullable=False),
        sa.Column("rule", sa.String(length=32), nullable=False),
        sa.Column("preferences", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("candidates", sa.JSON(), nullable=False),
        sa.Column("author", sa.String(length=64), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.CheckConstraint(f"rule IN {_RULES}", name=op.f("ck_decision_rule")),
        sa.ForeignKeyConstraint(["key"], ["evaluation.key"], name=op.f("fk_decision_key")),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_decision_study_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("study_id", "number", name=op.f("pk_decision")),
    )
    op.create_index(op.f("ix_decision_key"), "decision", ["key"])


def _annotations() -> None:
    op.create_table(
        "annotation",
        sa.Column("id", _id(), nullable=False),
        sa.Column("study_id", _id(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("author", sa.String(length=64), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("changed", sa.Float(), nullable=False),
        sa.CheckConstraint(f"kind IN {_KINDS}", name=op.f("ck_annotation_kind")),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_annotation_study_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotation")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_annotation_key"), "annotation", ["key"])
    op.create_index("ix_annotation_study_id_key", "annotation", ["study_id", "key"])
    for kind, last in (("tag", "text"), ("favourite", "author")):
        of_kind = sa.text(f"kind = '{kind}'")
        op.create_index(
            f"uq_annotation_{kind}",
            "annotation",
            ["study_id", "key", last],
            unique=True,
            sqlite_where=of_kind,
            postgresql_where=of_kind,
        )
