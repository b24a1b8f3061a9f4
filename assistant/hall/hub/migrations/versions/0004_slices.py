"""Slices of tables, counters of changes, leases, the board's views; partitions of events."""

from __future__ import annotations

from zlib import crc32

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

SLICES, PARTITIONS = 64, 16


def upgrade() -> None:
    """Make them."""
    for table in ("tables", "games"):
        op.add_column(table, sa.Column("slice", sa.Integer, nullable=False, server_default="0"))
    op.add_column(
        "tables",
        sa.Column(
            "shown", sa.BigInteger, nullable=False, server_default="0", comment="see slices.shown"
        ),
    )
    op.add_column(
        "tables",
        sa.Column("game", sa.String(64), nullable=False, server_default="", comment="its newest"),
    )
    op.add_column(
        "tables",
        sa.Column(
            "lag",
            sa.Integer,
            nullable=False,
            server_default="0",
            comment="events that are missing",
        ),
    )
    for name, comment in (("fault", "of its newest game"), ("brief", "its game as shown, as JSON")):
        op.add_column(
            "tables", sa.Column(name, sa.Text, nullable=False, server_default="", comment=comment)
        )
    op.add_column(
        "games",
        sa.Column(
            "change", sa.BigInteger, nullable=False, server_default="0", comment="see slices.change"
        ),
    )
    op.create_index("ix_tables_slice", "tables", ["slice", "shown"])
    op.create_index("ix_games_slice", "games", ["slice", "change"])
    op.create_table(
        "slices",
        sa.Column("slice", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("change", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("shown", sa.BigInteger, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("slice", name="pk_slices"),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("owner", sa.String(64), nullable=False, server_default=""),
        sa.Column(
            "until", sa.Float, nullable=False, server_default="0", comment="the database's clock"
        ),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )
    op.create_table(
        "processes",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("work", sa.String(32), nullable=False),
        sa.Column("seen", sa.Float, nullable=False, comment="the database's clock"),
        sa.PrimaryKeyConstraint("name", "work", name="pk_processes"),
    )
    op.create_table(
        "scored",
        sa.Column("tournament_id", sa.Integer, nullable=False),
        sa.Column(
            "told", sa.Text, nullable=False, comment="JSON: results in doubt, games that were left"
        ),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_scored"),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_scored_tournament_id",
            ondelete="CASCADE",
        ),
    )
    _slice()
    if op.get_bind().dialect.name == "postgresql":
        _part()


def _slice() -> None:
    """Store the slice of each table and of each of its games."""
    connection = op.get_bind()
    tables = [name for (name,) in connection.execute(sa.text("SELECT table_id FROM tables"))]
    rows = [{"table": name, "slice": crc32(name.encode()) % SLICES} for name in tables]
    for table in ("tables", "games") if rows else ():
        changed = sa.text(f"UPDATE {table} SET slice = :slice WHERE table_id = :table")
        connection.execute(changed, rows)


def _part() -> None:
    """Move the events into partitions; SQLite has none."""
    op.execute("ALTER TABLE events RENAME TO events_whole")
    op.execute("ALTER INDEX pk_events RENAME TO pk_events_whole")
    op.execute("ALTER TABLE events_whole DROP CONSTRAINT fk_events_game_id")
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
        postgresql_partition_by="HASH (game_id)",
    )
    for number in range(PARTITIONS):
        op.execute(
            f"CREATE TABLE events_{number} PARTITION OF events "
            f"FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})"
        )
    op.execute(
        "INSERT INTO events (game_id, seq, batch, at, received, event) "
        "SELECT game_id, seq, batch, at, received, event FROM events_whole"
    )
    op.execute("DROP TABLE events_whole")
