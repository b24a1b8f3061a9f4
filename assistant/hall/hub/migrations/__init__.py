"""The migrations of the hub's schema, for alembic."""
