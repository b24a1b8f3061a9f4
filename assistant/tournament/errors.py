"""What can go wrong with a tournament."""

from assistant.rules.errors import MusError


class TournamentError(MusError, ValueError):
    """An act that cannot be, or not now; its text is one sentence that says what to do."""
