"""The organisers' book: telephones, fees, and who paid; it is no part of any tournament's acts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make it."""
    fee = sa.Column(
        "fee", sa.Integer, nullable=False, server_default="0", comment="of a pair, in cents"
    )
    op.add_column("tournaments", fee)
    op.create_table(
        "contacts",
        sa.Column("tournament_id", sa.Integer, nullable=False),
        sa.Column("pair", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("telephone", sa.String(80), nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "pair", name="pk_contacts"),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_contacts_tournament_id",
            ondelete="CASCADE",
        ),
    )
    op.create_table(
        "payments",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("tournament_id", sa.Integer, nullable=False),
        sa.Column("pair", sa.Integer, nullable=False),
        sa.Column("cents", sa.Integer, nullable=True, comment="in all; none: it was taken back"),
        sa.Column("by", sa.String(120), nullable=False),
        sa.Column("at", sa.Float, nullable=False, comment="the hub's clock"),
        sa.PrimaryKeyConstraint("id", name="pk_payments"),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_payments_tournament_id",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_payments_tournament_id", "payments", ["tournament_id"])
