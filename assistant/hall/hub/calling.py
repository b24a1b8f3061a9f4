"""What a table is told of the match that was called to it: who plays, how long, by which rules."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.hall.hub.wire import MOST_LETTERS, VERSION, WireError, body_of, packed, whole
from assistant.hall.tournament.errors import TournamentError
from assistant.hall.tournament.house_rules import check_rules, plays_by, table_profile
from assistant.rules.profile import Profile, Sides

WITH_RULES = 2
"""The version of a message that brings rules. A table that knows none of them would seat its
players and let them play by others: so it refuses the message, and says that it is too old. Without
rules the message is as it always was."""


@dataclass(frozen=True, slots=True)
class Called:
    """A match that was called to a table: who sits at seats 1 to 4, and how many juegos win it.

    ``rules`` are those of its tournament; "": it is played by the table's own.
    """

    match: str
    seats: tuple[str, str, str, str]
    juegos: int
    rules: str = ""

    def profile(self, usual: Profile) -> Profile:
        """The house rules of the match at a table that plays by ``usual`` elsewhere."""
        profile = table_profile(usual, self.rules) if self.rules else usual
        return replace(profile, juegos=self.juegos, vacas=1, sides=Sides.TWO)

    def allows(self, profile: Profile) -> bool:
        """Whether a game by these house rules may be the match."""
        return plays_by(profile, self.rules)


def pack_called(called: Called) -> bytes:
    """What a table is told of its match, as it is sent."""
    body = {"match": called.match, "seats": list(called.seats), "juegos": called.juegos}
    if called.rules:
        return packed({"v": WITH_RULES, **body, "rules": called.rules})
    return packed({"v": VERSION, **body})


def read_called(payload: bytes) -> Called:
    """Check what a table is told of its match. Raises WireError."""
    body = body_of(payload, WITH_RULES)
    match, seats, juegos = body.get("match"), body.get("seats"), body.get("juegos")
    if type(match) is not str or len(match) > MOST_LETTERS or not match.isprintable():
        raise WireError("malformed", "A match has a name.")
    if type(seats) is not list or len(seats) != 4:
        raise WireError("malformed", "Four play a match.")
    for name in seats:
        if type(name) is not str or not 0 < len(name) <= MOST_LETTERS or not name.isprintable():
            raise WireError("malformed", "A player has a name.")
    one, two, three, four = seats
    return Called(match, (one, two, three, four), whole(juegos, 1), _rules(body.get("rules", "")))


def _rules(rules: object) -> str:
    if type(rules) is not str:
        raise WireError("malformed", "The rules of a match are a text.")
    try:
        check_rules(rules)
    except TournamentError as error:
        raise WireError("malformed", f"The rules of the match: {error}") from None
    return rules
