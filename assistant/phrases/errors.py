"""What can be wrong with a phrase file."""

from __future__ import annotations

from assistant.rules.errors import MusError


class PhraseError(MusError, ValueError):
    """Phrases that cannot be used; its text is one sentence that names the phrase."""
