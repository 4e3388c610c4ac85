"""Owners and notes of studies, accounts, tokens, requests that may come twice."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add columns and tables; no row of a study changes."""
    columns = (
        sa.Column("owner", sa.String(length=64), server_default="", nullable=False),
        sa.Column("visibility", sa.String(length=16), server_default="private", nullable=False),
        sa.Column("archived", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("revision", sa.Integer(), server_default="0", nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
    )
    for column in columns:
        op.add_column("study", column)
    op.create_index("ix_study_owner", "study", ["owner"], unique=False)
    _accounts()
    _tokens()
    _requests()


def _accounts() -> None:
    op.create_table(
        "account",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("password", sa.String(length=255), nullable=True),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.CheckConstraint("role IN ('viewer', 'editor', 'admin')", name=op.f("ck_account_role")),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_account")),
    )


def _tokens() -> None:
    op.create_table(
        "token",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("scope", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("expires", sa.Float(), nullable=True),
        sa.Column("last_used", sa.Float(), nullable=True),
        sa.Column("revoked", sa.Float(), nullable=True),
        sa.Column("used", sa.Float(), nullable=True),
        sa.CheckConstraint("kind IN ('token', 'session', 'login')", name=op.f("ck_token_kind")),
        sa.CheckConstraint("scope IN ('read', 'run', 'admin')", name=op.f("ck_token_scope")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
    )
    op.create_index("ix_token_account", "token", ["account"], unique=False)


def _requests() -> None:
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "idempotency",
        sa.Column("account", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("study_id", number, nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_idempotency_study_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account", "key", name=op.f("pk_idempotency")),
    )
    op.create_index("ix_idempotency_study_id", "idempotency", ["study_id"], unique=False)
    op.create_index("ix_idempotency_created", "idempotency", ["created"], unique=False)
