"""The hub's tables, the same in SQLite and PostgreSQL. ``migrations`` makes them, step by step."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

METADATA = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)

TABLES = Table(
    "tables",
    METADATA,
    Column("table_id", String(32), primary_key=True),
    Column("online", Boolean, nullable=False, server_default=false()),
    Column("since", Float, nullable=False, comment="of being there, or lost; the hub's clock"),
    Column("clock", Float, nullable=False, server_default="0", comment="its clock less the hub's"),
    Column("version", String(32), nullable=False, server_default=""),
)
"""The tables of the hall, and whether they are there."""

GAMES = Table(
    "games",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", String(32), ForeignKey("tables.table_id"), nullable=False),
    Column("game", String(64), nullable=False),
    Column("stored", Integer, nullable=False, server_default="0", comment="without a gap"),
    Column("highest", Integer, nullable=False, server_default="0", comment="with gaps"),
    Column("touched", Float, nullable=False, comment="last change; the hub's clock"),
    Column("opened", Float, nullable=False, comment="first heard of; the hub's clock"),
    Column("fault", Text, nullable=False, server_default="", comment="why it does not add up"),
    UniqueConstraint("table_id", "game"),
    Index(None, "touched"),
)
"""Every game of every table. Its events up to ``stored`` are all there."""

EVENTS = Table(
    "events",
    METADATA,
    Column("game_id", Integer, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("batch", Integer, nullable=False),
    Column("at", Float, nullable=False, comment="the table's clock"),
    Column("received", Float, nullable=False, comment="the hub's clock"),
    Column("event", Text, nullable=False),
)
"""The journals, as the tables wrote them."""

REFUSALS = Table(
    "refusals",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", Float, nullable=False),
    Column("topic", String(200), nullable=False),
    Column("code", String(16), nullable=False),
    Column("why", Text, nullable=False),
    Column("head", Text, nullable=False, comment="the first bytes of it, in hexadecimal"),
    Index(None, "at"),
)
"""What was sent and not taken, the latest only."""

TOURNAMENTS = Table(
    "tournaments",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("name", String(120), nullable=False),
    Column("opened", Float, nullable=False, comment="the hub's clock"),
    UniqueConstraint("name"),
)
"""The tournaments; what they are, their acts tell."""

ACTS = Table(
    "acts",
    METADATA,
    Column(
        "tournament_id", Integer, ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False, comment="the hub's clock"),
    Column("act", Text, nullable=False),
)
"""What was done in a tournament, in order: draws, results, corrections, each with its author."""

KEPT = Table(
    "kept",
    METADATA,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What all processes of a hall share: made once by the first, and never changed."""
