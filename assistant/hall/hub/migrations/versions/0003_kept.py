"""Values that all processes of a hall share: the keys of its page."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make it."""
    op.create_table(
        "kept",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_kept"),
    )
