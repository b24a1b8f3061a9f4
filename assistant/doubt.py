"""What was heard too faintly to move stones: whether to ask, what was asked, what answers it.

Rank 2, no I/O. A wrong stone is worse than a question; docs/ear.md tells where the limits are from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assistant.lexicon import Hearing, Lexicon, Why
from assistant.messages import Accepted, Ask, Heard, Hypothesis, Ignored, Outcome
from assistant.rules.calls import Accept, Bet, Call, Declare, Ordago, Raise, Reenvido, Refuse
from assistant.rules.state import State

Outcomes = tuple[Outcome, ...]

STONES = (Bet, Raise, Reenvido, Accept, Refuse)
"""Calls that stake stones, or move them."""
ANSWERED_WITHIN = 10.0
"""Seconds after a call was asked for in which a yes, a no or the call itself is the answer."""
LIKELY = 0.5
"""Probability above which a yes or a no to the question is one."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What was asked because it was heard too faintly, and what it would do.

    ``seq``: the last record when it was asked; ``at``: the stream time, in seconds, at which the
    call had been said.
    """

    seq: int
    at: float
    ask: Ask
    outcomes: Outcomes

    @classmethod
    def about(cls, heard: Heard, seq: int, ask: Ask, outcomes: Outcomes) -> Doubt:
        """The doubt that an utterance leaves behind."""
        return cls(seq, max((word.end for word in heard.words), default=0.0), ask, outcomes)

    def stands(self, heard: Heard, seq: int) -> bool:
        """Whether an utterance may answer it: soon after it, and nothing happened since."""
        said = heard.words[0].start if heard.words else self.at
        return seq == self.seq and said - self.at < ANSWERED_WITHIN

    def repeats(self, ask: Ask) -> bool:
        """Whether the same would be asked again: two calls, whichever sounded likelier now."""
        return ask.code == self.ask.code and set(ask.options) == set(self.ask.options)

    def answer(self, heard: Heard, lexicon: Lexicon) -> Outcomes | None:
        """What a bare yes or no to the question comes to; None where it is no such answer.

        Who says no to "¿Has dicho «Quiero»?" has not refused the bet. Where the question offers
        two calls ("¿quiero, o no quiero?"), one of them is the answer.
        """
        if len(self.ask.options) != 1:
            return None
        ways = heard.hypotheses or (Hypothesis(heard.words, 1.0),)
        if sum(way.probability for way in ways if lexicon.is_yes(way.words)) > LIKELY:
            return self.outcomes
        if sum(way.probability for way in ways if lexicon.is_no(way.words)) > LIKELY:
            return (Ignored(Why.TALK, heard.text),)
        return None


def asked_first(
    state: State, likeliest: Outcomes, mass: Mapping[Outcomes, float], hearing: Hearing
) -> Ask | None:
    """What to ask before the likeliest of all readings may count; None where it is clear enough.

    ``mass``: the probability of every reading that is allowed now.
    """
    calls = _calls(likeliest)
    if calls and (rival := _rival(calls[0], mass)):
        other, probability = rival
        if probability > hearing.rival * mass[likeliest]:
            return Ask("which_said", (calls[0], other))
    for call in calls:
        least, ask = _asked_below(call, state, hearing)
        if mass[likeliest] < least:
            return ask
    return None


def _asked_below(call: Call, state: State, hearing: Hearing) -> tuple[float, Ask]:
    """How probable a call must be not to be asked for, and how it is asked for.

    An órdago, or the answer to one, may end the game by one word; other bets and answers are
    stones; the rest is soon put right.
    """
    if isinstance(call, Ordago):
        return hearing.dear, Ask("sure_ordago", (call,))
    if isinstance(call, Accept) and state.pending is not None and state.pending.ordago:
        return hearing.dear, Ask("sure_accept", (call,))
    return hearing.sure if isinstance(call, STONES) else 0.0, Ask("sure", (call,))


def _rival(call: Call, mass: Mapping[Outcomes, float]) -> tuple[Call, float] | None:
    """The likeliest call that would say the opposite, or other stones, and how probable that is.

    Noise swallows a "no", and "veinte" sounds like "treinta".
    """
    rivals: dict[Call, float] = {}
    for outcomes, probability in mass.items():
        for other in _calls(outcomes)[:1]:
            if _differ(call, other):
                rivals[other] = rivals.get(other, 0.0) + probability
    if not rivals:
        return None
    return max(rivals, key=rivals.__getitem__), sum(rivals.values())


def _differ(call: Call, other: Call) -> bool:
    """Whether two calls answer the same thing differently, or stake different stones."""
    match call, other:
        case (Accept(), Refuse()) | (Refuse(), Accept()):
            return True
        case Declare(), Declare():
            return call.holds != other.holds
        case (Bet(stones=one), Bet(stones=two)) | (Raise(stones=one), Raise(stones=two)):
            return one != two
        case _:
            return False


def _calls(outcomes: Iterable[Outcome]) -> list[Call]:
    """The calls among the outcomes that are accepted; commands are none."""
    accepted = (outcome.call for outcome in outcomes if isinstance(outcome, Accepted))
    return [call for call in accepted if isinstance(call, Call)]
