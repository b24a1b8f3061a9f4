"""How large a tournament may be, and what its texts and numbers must be like."""

from __future__ import annotations

import unicodedata

from assistant.forms import short
from assistant.tournament.errors import TournamentError

MAX_PAIRS = 2_600
MAX_NUMBER = 999_999
"""The highest number of a pair, and the highest seed place."""
MAX_TEXT = 120
"""Letters in a name, or in who did something."""
MAX_REASON = 500
MAX_STONES = 9_999
MAX_JUEGOS = 15
MAX_ROUNDS = 60
MAX_SEED = 2**53 - 1
"""The highest seed of a draw: the highest number that a web page keeps exactly."""


def within(number: int, least: int, most: int, what: str, of: str) -> None:
    """Raise TournamentError for a number out of its span, in the words "what 1 to 9 of"."""
    if not least <= number <= most:
        of = f" {of}" if of else ""
        facts = {"what": what, "least": least, "most": most, "of": of, "number": short(number)}
        raise TournamentError("out_of_span", **facts)


def text(given: str, what: str, optional: bool = False, most: int = MAX_TEXT) -> None:
    """Raise TournamentError for a text that is missing, too long, or no line of text."""
    if not given.strip() and not (optional and not given):
        raise TournamentError("missing", what=what)
    if len(given) > most:
        raise TournamentError("too_long", what=what, most=most)
    if not given.isprintable():
        raise TournamentError("unreadable", what=what)


def reasoned(reason: str, by: str) -> None:
    """Raise TournamentError unless somebody gives a reason."""
    text(reason, "The reason", most=MAX_REASON)
    text(by, "Who did it")


def score(juegos: tuple[int, int], stones: tuple[int, int]) -> None:
    """Raise TournamentError for a result that no match has."""
    if juegos[0] == juegos[1]:
        raise TournamentError("no_winner")
    for won in juegos:
        within(won, 0, MAX_JUEGOS, "A pair wins", "juegos")
    for count in stones:
        within(count, 0, MAX_STONES, "A pair has", "stones")


def plain(given: str) -> str:
    """A text as people mean it: without accents, capitals and double spaces."""
    apart = unicodedata.normalize("NFD", given)
    letters = "".join(c for c in apart if not unicodedata.combining(c))
    return " ".join(letters.casefold().split())
