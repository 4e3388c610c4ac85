"""The first schema: studies, runs, leases, evaluations, logs, fronts, provenance, events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create all tables."""
    op.create_table(
        "evaluation",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("model_version", sa.Integer(), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("cost_class", sa.String(length=64), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("violation", sa.Float(), nullable=False),
        sa.Column("metrics", sa.JSON(), nullable=False),
        sa.Column("counters", sa.JSON(), nullable=False),
        sa.Column("warnings", sa.JSON(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=False),
        sa.Column("finished", sa.Float(), nullable=False),
        sa.CheckConstraint("state IN ('done', 'infeasible', 'failed')", name=op.f("ck_evaluation_state")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_evaluation")),
    )
    op.create_table(
        "study",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("definition", sa.JSON(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study")),
        sa.UniqueConstraint("name", name=op.f("uq_study_name")),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("study_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("layout", sa.String(length=64), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("reference_point", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint(
            "state IN ('draft', 'queued', 'running', 'pausing', 'paused', 'cancelling', 'cancelled', 'failed', 'diverged', 'done')",
            name=op.f("ck_run_state"),
        ),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_run_study_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    op.create_index(op.f("ix_run_study_id"), "run", ["study_id"], unique=False)
    op.create_index("uq_run_layout_seed", "run", ["study_id", "layout", "seed"], unique=True)
    op.create_table(
        "event",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("run_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("time", sa.Float(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_event_run_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
    )
    op.create_index(op.f("ix_event_run_id"), "event", ["run_id"], unique=False)
    op.create_table(
        "generation",
        sa.Column("run_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("computed", sa.Integer(), nullable=False),
        sa.Column("feasible", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("front_size", sa.Integer(), nullable=False),
        sa.Column("hypervolume", sa.Float(), nullable=True),
        sa.Column("least_violation", sa.Float(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("finished", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.id"], name=op.f("fk_generation_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "number", name=op.f("pk_generation")),
    )
    op.create_table(
        "provenance",
        sa.Column("run_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("started", sa.Float(), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.id"], name=op.f("fk_provenance_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "epoch", name=op.f("pk_provenance")),
    )
    op.create_table(
        "run_evaluation",
        sa.Column("run_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("ask_no", sa.Integer(), nullable=False),
        sa.Column("tell_no", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("point", sa.LargeBinary(), nullable=False),
        sa.Column("objectives", sa.LargeBinary(), nullable=False),
        sa.Column("violation", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["key"], ["evaluation.key"], name=op.f("fk_run_evaluation_key")),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.id"], name=op.f("fk_run_evaluation_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "ask_no", name=op.f("pk_run_evaluation")),
    )
    op.create_index(op.f("ix_run_evaluation_key"), "run_evaluation", ["key"], unique=False)
    op.create_table(
        "run_lease",
        sa.Column("run_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("process_started", sa.Float(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("expires", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_lease_run_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_run_lease")),
    )
    op.create_table(
        "front_member",
        sa.Column("run_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("ask_no", sa.Integer(), nullable=False),
        sa.Column("entered", sa.Integer(), nullable=False),
        sa.Column("left", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id", "ask_no"],
            ["run_evaluation.run_id", "run_evaluation.ask_no"],
            name=op.f("fk_front_member_run_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_id", "ask_no", name=op.f("pk_front_member")),
    )
