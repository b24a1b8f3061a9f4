"""What was heard too faintly to move stones, or answers itself: whether to ask.

No I/O. A wrong stone is worse than a question; docs/ear.md tells where the limits are from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.language.lexicon import Hearing, Lexicon, context_of
from assistant.messages import Accepted, Ask, Command, Heard, Outcome, Told
from assistant.rules.calls import (
    Accept,
    Bet,
    Call,
    Cut,
    Declare,
    Mus,
    Ordago,
    Pass,
    Place,
    Raise,
    Reenvido,
    Refuse,
    ShowHand,
)
from assistant.rules.events import BetRefused, Retracted
from assistant.rules.state import State
from assistant.table.asked import Doubt, Outcomes, Ways

WANTED = 0.90
"""Probability below which a "quiero" is asked for in noise, which may swallow a "no"."""
STONES = (Bet, Raise, Reenvido, Ordago, Accept, Refuse, Place)
"""Calls that stake stones, or move them."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What of an utterance counts: calls that are clear, then perhaps a question."""

    outcomes: Outcomes
    doubt: Doubt | None = None


@dataclass(frozen=True, slots=True)
class Scale:
    """Weighs what was heard, at the table as it stands: its state, and the last record's seq.

    ``denied``: whether a call was just said not to be meant, and what else it may be (see
    ``expected.Denied``); ``noisy``: the room is nearly as loud.
    """

    state: State
    seq: int
    hearing: Hearing
    denied: Callable[[Outcome, int], tuple[Call, Call] | None] = lambda *_: None
    noisy: bool = False

    def weigh(
        self,
        ways: Ways,
        end: float,
        *,
        certain: int = 0,
        cut: bool = False,
        disputed: bool = False,
        answers: Doubt | None = None,
    ) -> Weighed:
        """The likeliest of the ways, up to the first call in it that has to be asked for.

        Each call is weighed among the ways that agree in all before it. ``end``: the stream time at
        which all had been said; ``certain``: how many of the first calls need no asking; ``cut``:
        the last may have gone on; ``disputed``: so may each that stakes stones be another;
        ``answers``: a question that is answered by saying a call again.
        """
        likeliest = max(ways, key=ways.__getitem__)
        state, seq = self.state, self.seq
        for at, outcome in enumerate(likeliest):
            choice = _Choice(at, outcome, ways, likeliest)
            unsure = disputed or (cut and at == len(likeliest) - 1) or _answers_itself(outcome)
            ask = None
            if at >= certain:
                either = self.denied(outcome, seq)
                asked = choice.ask(state, self.hearing, self.noisy, unsure=unsure)
                ask = Ask("which_said", either) if either else asked
            if ask and not (answers and answers.repeats(ask)):
                doubt = Doubt(seq, end, ask, tuple(map(choice.after, ask.options)))
                return Weighed((*likeliest[:at], ask), doubt)
            if isinstance(outcome, Accepted):
                seq += len(outcome.events)
                if not any(isinstance(event, Retracted) for event in outcome.events):
                    state = outcome.after or state
        return Weighed(likeliest)


def talk_share(heard: Heard, lexicon: Lexicon, state: State) -> float:
    """How probable it is that advice or the like was said, which a call may sound like."""
    context = context_of(state)
    return sum(
        way.probability for way in heard.hypotheses if lexicon.is_known_talk(way.words, context)
    )


def commands_unsurely(ways: Ways, hearing: Hearing) -> bool:
    """Whether the assistant would obey what may as well have been something else.

    "Tengo la una" can sound like "pausa", and after that no call counts; and a piece of talk like
    "deshaz", which takes back what was right.
    """
    likeliest = max(ways, key=ways.__getitem__)
    if Told(Command.PAUSE) in likeliest:
        return ways[likeliest] < hearing.dear
    takes_back = any(
        isinstance(one, Accepted) and one.call in (Command.UNDO, Command.REDO) for one in likeliest
    )
    return takes_back and ways[likeliest] < hearing.faint


@dataclass(frozen=True, slots=True)
class _Choice:
    """One place of the likeliest way, and what the ways that agree so far have in that place."""

    at: int
    outcome: Outcome
    ways: Ways
    likeliest: Outcomes

    def ask(self, state: State, hearing: Hearing, noisy: bool, *, unsure: bool) -> Ask | None:
        """What to ask before this may count; None where it is clear enough.

        What is ``unsure`` may be another call, or nobody's: the voice cut it off, two ears do not
        agree, or one breath bets and answers.
        """
        call = call_of(self.outcome)
        if call is None:
            return None
        probability = sum([share for outcome, share in self._here() if outcome == self.outcome])
        if rival := self._rival(call):
            other, share = rival
            if share > hearing.rival * probability:
                return Ask("which_said", (call, other))
        least, ask = _asked_below(call, self.outcome, state, hearing)
        if noisy and isinstance(call, Accept) and ask.code == "sure":
            least, ask = max(least, WANTED), Ask("which_said", (call, Refuse()))
        if probability < least or (unsure and _stakes(call, self.outcome)):
            return ask
        return None

    def after(self, option: Call) -> Ways:
        """What the utterance comes to from here on if this is what was said."""
        left = {way[self.at :]: share for way, share in self._alike() if way[self.at :]}
        chosen = {way: share for way, share in left.items() if call_of(way[0]) == option}
        total = sum(chosen.values())
        if not total > 0.0:  # nothing sounded like an opposite that is asked for
            return {}
        return {way: share / total for way, share in chosen.items()}

    def _alike(self) -> list[tuple[Outcomes, float]]:
        before = self.likeliest[: self.at]
        return [(way, share) for way, share in self.ways.items() if way[: self.at] == before]

    def _here(self) -> list[tuple[Outcome, float]]:
        return [(way[self.at], share) for way, share in self._alike() if len(way) > self.at]

    def _rival(self, call: Call) -> tuple[Call, float] | None:
        """The likeliest call that would say the opposite, or other stones, and how probable.

        Noise swallows a "no", and "veinte" sounds like "treinta".
        """
        rivals: dict[Call, float] = {}
        for outcome, share in self._here():
            other = call_of(outcome)
            if other is not None and differ(call, other):
                rivals[other] = rivals.get(other, 0.0) + share
        if not rivals:
            return None
        return max(rivals, key=rivals.__getitem__), sum(rivals.values())


def _asked_below(call: Call, outcome: Outcome, state: State, hearing: Hearing) -> tuple[float, Ask]:
    """How probable a call must be not to be asked for, and how it is asked for.

    An órdago, or the answer to one, may end the game by one word; other bets and answers are
    stones, and "paso" is an answer where a bet waits for one; the rest is soon put right, and
    asked for only where it was hardly heard. Four cards are many words, likely as a whole though
    each way to say them is not; the screen shows them.
    """
    if isinstance(call, Ordago):
        return hearing.dear, Ask("sure_ordago", (call,))
    if isinstance(call, Accept) and state.pending is not None and state.pending.ordago:
        return hearing.dear, Ask("sure_accept", (call,))
    if isinstance(call, ShowHand):
        return 0.0, Ask("sure", (call,))
    least = hearing.sure if _stakes(call, outcome) else hearing.faint
    return least, Ask("sure", (call,))


def _answers_itself(outcome: Outcome) -> bool:
    """Whether a bet and its answer came in one breath, so perhaps from one mouth."""
    return isinstance(outcome, Accepted) and outcome.one_breath


def _stakes(call: Call, outcome: Outcome) -> bool:
    """Whether stones are staked or moved by it."""
    return isinstance(call, STONES) or _refuses(outcome)


def _refuses(outcome: Outcome) -> bool:
    """Whether a bet is refused by it, in whatever words, and not only taken to be."""
    for event in outcome.events if isinstance(outcome, Accepted) else ():
        if isinstance(event, BetRefused) and not event.implied:
            return True
    return False


def differ(call: Call, other: Call) -> bool:
    """Whether two calls answer the same thing differently, or stake different stones."""
    match call, other:
        # Where a bet can be accepted, "paso" refuses it.
        case (Accept(), Refuse() | Pass()) | (Refuse() | Pass(), Accept()):
            return True
        case (Ordago(), _) | (_, Ordago()):
            return type(call) is not type(other)
        case (Mus(), Cut() | Pass()) | (Cut() | Pass(), Mus()):
            return True
        case (Bet() | Raise() | Reenvido(), Pass() | Refuse()):
            return True
        case (Pass() | Refuse(), Bet() | Raise() | Reenvido()):
            return True
        case Declare(), Declare():
            return call.holds != other.holds
        case (Bet(stones=one), Bet(stones=two)) | (Raise(stones=one), Raise(stones=two)):
            return one != two
        case _:
            return False


def call_of(outcome: Outcome) -> Call | None:
    """The call that is accepted; a command is none."""
    if isinstance(outcome, Accepted) and isinstance(outcome.call, Call):
        return outcome.call
    return None
