"""The context of words: the few facts of the table's state that decide what words mean."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from assistant.language.lexicon.questions import OpenQuestion
from assistant.rules.phases import BETTING, Phase
from assistant.rules.state import State, once_a_state


class Moment(StrEnum):
    """When a phrase may be said; the names are those of ``when`` in a lexicon file."""

    MUS = "mus"
    DISCARD = "discard"
    OPEN = "open"
    BET = "bet"
    PARES = "pares?"
    JUEGO = "juego?"
    SHOWDOWN = "showdown"
    COUNT = "count"
    OVER = "over"


class Needs(StrEnum):
    """A condition of a phrase; the names are those of ``needs`` in a lexicon file."""

    ORDAGO = "ordago"
    """The bet that waits for its answer is an órdago."""
    STONES = "stones"
    """The bet that waits for its answer is one of stones, and no órdago."""
    PROPOSAL = "proposal"
    """An article waits for the table to say whether it is applied."""


@dataclass(frozen=True, slots=True)
class Context:
    """Where the deal stands, and who plays. Seats count from 1.

    pending   a bet waits for its answer; ``ordago``: and it is an órdago
    mano      the seat that speaks first
    seats     the players' names; ``sides``: how many sides they form, seat by seat in turn
    proposal  an article waits for the table's decision
    question  what the assistant has asked, if it waits for the answer
    """

    phase: Phase
    pending: bool = False
    mano: int = 1
    seats: tuple[str, ...] = ()
    sides: int = 2
    ordago: bool = False
    proposal: bool = False
    question: OpenQuestion | None = None
    moment: Moment = field(init=False, compare=False)
    """The moment of the deal: the betting phases differ only by a bet that is pending."""

    def __post_init__(self) -> None:
        """Find the moment."""
        betting = Moment.BET if self.pending else Moment.OPEN
        moment = betting if self.phase in BETTING else Moment(self.phase.value)
        object.__setattr__(self, "moment", moment)  # past the frozen class

    def has(self, need: Needs | None) -> bool:
        """Whether a phrase's need is met."""
        match need:
            case None:
                return True
            case Needs.ORDAGO:
                return self.ordago
            case Needs.STONES:
                return self.pending and not self.ordago
            case Needs.PROPOSAL:
                return self.proposal


def context_of(state: State, question: OpenQuestion | None = None) -> Context:
    """The context that a state gives; ``question``: it waits for its answer.

    Before the first deal the table talks as in the mus, if nobody waits to name mano (R04).
    """
    context = _unasked(state)
    return replace(context, question=question) if question else context


@once_a_state
def _unasked(state: State) -> Context:
    bet = state.pending
    return Context(
        phase=Phase.MUS if state.deal == 0 else state.phase,
        pending=bet is not None,
        mano=state.mano,
        seats=state.seats,
        sides=state.sides,
        ordago=bet is not None and bet.ordago,
        proposal=bool(state.incidents.proposals),
    )
