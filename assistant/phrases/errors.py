"""What can be wrong with a phrase file."""

from __future__ import annotations


class PhraseError(ValueError):
    """Phrases that cannot be used; its text is one sentence that names the phrase."""
