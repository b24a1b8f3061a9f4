"""The assistant's questions, and what an answer may pick of their options."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

ANY = "any"
"""The answers that fit every question."""
QUESTIONS = frozenset(
    {ANY, "bare_raise", "reenvido", "which_bet", "no_quereis", "change_of_mind", "who", "whose"}
    | {"sure", "sure_ordago", "sure_accept", "which_said", "spoken_over", "cards_unclear"}
    | {"unheard", "proposal", "mano", "sure_undo", "holders", "new_deal"}
)
"""The codes of all questions."""


class Pick(StrEnum):
    """What an answer selects; the names are the keys of ``[answers.<question>]``."""

    YES = "yes"
    """The only option of the question."""
    NO = "no"
    """The only option of the question was not said."""
    DROP = "drop"
    """Nothing was meant, whatever was asked."""
    NOTED = "noted"
    """A player is doing it: he is putting his cards right."""
    FIRST = "first"
    SECOND = "second"
    STONES = "stones"
    """The option of {n} stones."""
    MORE = "more"
    """The option of most stones; ``FEWER``: of fewest."""
    FEWER = "fewer"
    BY = "by"
    """The raise by {n} stones, or by the number that was said."""
    UP_TO = "up_to"
    """The raise that makes {n} in all, or as many as were said."""
    PLAYER = "player"
    """The option that {player} said, or that is for his side."""
    SIDE = "side"
    """The option for {whose}."""
    US = "us"
    THEM = "them"
    BETTORS = "bettors"
    """The option for those who have bet at this lance; ``CALLERS``: for their rivals in it."""
    CALLERS = "callers"
    BLUE = "blue"
    """The option for the side that is blue on the page, the first of two; ``RED``: the other."""
    RED = "red"
    NEXT = "next"
    """The call belongs to the next lance."""
    UNDO = "undo"
    """The call before was not meant: this one replaces it."""
    ACCEPT = "accept"
    """The option that is this call, and so on."""
    REFUSE = "refuse"
    MUS = "mus"
    CUT = "cut"
    PASS = "pass"
    BET = "bet"
    ORDAGO = "ordago"
    HOLDS = "holds"
    LACKS = "lacks"
    ONLY = "only"
    """The option that each {player} holds the lance, and who has said so, but nobody else."""
    NOBODY = "nobody"
    """The option that nobody else holds it; ``EVERYBODY``: that all others do."""
    EVERYBODY = "everybody"
    BOTH = "both"
    """The option that both hold it, where there are no more than two who can."""
    APPLY = "apply"
    WAIVE = "waive"


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that waits, as far as the wordings of its answers depend on it.

    ``picks``: what people may answer.
    """

    code: str
    picks: frozenset[Pick]


EVERY = OpenQuestion("", frozenset(Pick))
"""All questions at once: whatever may be answered to any of them."""
