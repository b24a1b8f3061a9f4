"""The tables of a hall, their games and events, and the refused messages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "tables",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("online", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column(
            "since", sa.Float, nullable=False, comment="of being there, or lost; the hub's clock"
        ),
        sa.Column(
            "clock",
            sa.Float,
            nullable=False,
            server_default="0",
            comment="its clock less the hub's",
        ),
        sa.Column("version", sa.String(32), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("table_id", name="pk_tables"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column(
            "stored", sa.Integer, nullable=False, server_default="0", comment="without a gap"
        ),
        sa.Column("highest", sa.Integer, nullable=False, server_default="0", comment="with gaps"),
        sa.Column("touched", sa.Float, nullable=False, comment="last change; the hub's clock"),
        sa.Column("opened", sa.Float, nullable=False, comment="first heard of; the hub's clock"),
        sa.Column(
            "fault", sa.Text, nullable=False, server_default="", comment="why it does not add up"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.table_id"], name="fk_games_table_id"),
        sa.UniqueConstraint("table_id", "game", name="uq_games_table_id"),
    )
    op.create_index("ix_games_touched", "games", ["touched"])
    op.create_table(
        "events",
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("batch", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False, comment="the table's clock"),
        sa.Column("received", sa.Float, nullable=False, comment="the hub's clock"),
        sa.Column("event", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_events"),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name="fk_events_game_id", ondelete="CASCADE"
        ),
    )
    op.create_table(
        "refusals",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("topic", sa.String(200), nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("head", sa.Text, nullable=False, comment="the first bytes of it, in hexadecimal"),
        sa.PrimaryKeyConstraint("id", name="pk_refusals"),
    )
    op.create_index("ix_refusals_at", "refusals", ["at"])
