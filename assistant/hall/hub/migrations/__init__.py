"""The steps that made the hub's schema what it is, for alembic."""
