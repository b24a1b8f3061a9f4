"""What ends a command with one sentence and exit code 2."""

from __future__ import annotations

from assistant.rules.errors import MusError


class UsageError(MusError):
    """The command cannot be done as it was asked; the text says what to do instead."""
