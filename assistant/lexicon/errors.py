"""What can be wrong with a lexicon file."""

from __future__ import annotations

from assistant.rules.errors import MusError


class LexiconError(MusError, ValueError):
    """A lexicon that cannot be used: one sentence that says where and what to do."""
