"""Alembic's entry point. The caller brings the connection and its transaction."""

from __future__ import annotations

from alembic import context

from assistant.hall.hub.database import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite changes a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
