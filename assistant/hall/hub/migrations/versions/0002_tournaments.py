"""Tournaments and their acts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("opened", sa.Float, nullable=False, comment="the hub's clock"),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("name", name="uq_tournaments_name"),
    )
    op.create_table(
        "acts",
        sa.Column("tournament_id", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("at", sa.Float, nullable=False, comment="the hub's clock"),
        sa.Column("act", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "seq", name="pk_acts"),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_acts_tournament_id",
            ondelete="CASCADE",
        ),
    )
