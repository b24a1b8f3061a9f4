"""Doubtful calls and hands: which of them count, and which the table is asked about first.

No I/O. Calls are judged by their probability, and so is a hand that is named at the showdown.
A wrong stone is worse than a question; docs/ear.md says where the limits come from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from assistant.language.lexicon import Hearing, Lexicon, TalkReason, context_of
from assistant.messages import Accepted, Ask, CardsUnclear, Command, Heard, Ignored, Outcome, Told
from assistant.rules.calls import (
    Accept,
    Bet,
    Call,
    ClaimLance,
    CorrectBet,
    Cut,
    Declare,
    Mus,
    NextDeal,
    Ordago,
    Pass,
    Place,
    Raise,
    Reenvido,
    Refuse,
    ShowHand,
)
from assistant.rules.engine import missing_hands
from assistant.rules.events import (
    BetRefused,
    ClaimDisproved,
    DeclarationDisproved,
    Event,
    HandShown,
    How,
)
from assistant.rules.hands import HandValue, value
from assistant.rules.phases import BEFORE_LANCES, Lance
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.table.asked import Doubt, Outcomes, Ways

# ---- Calls: heard too faintly to move stones, or answering themselves ---------------------------


WANTED = 0.90
"""Probability below which a "quiero" is checked in noise, because noise may swallow a "no"."""
MANY, RARE = 10, 0.1
"""MANY: stones of a bet, or of its answer, above which much depends on it. RARE: how much rarer
such bets are than others; estimated, not measured. "Dos más", taken for "veintidós más", costs the
game. So beside a rare bet a rival reading needs only RARE times ``rival`` to cause a question."""
STONES = (Bet, Raise, Reenvido, Ordago, Accept, Refuse, Place)
"""Calls that stake stones, or move them."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """The result for an utterance: the calls that count, and after them perhaps a question."""

    outcomes: Outcomes
    doubt: Doubt | None = None


@dataclass(frozen=True, slots=True)
class Scale:
    """Weighs an utterance at the table as it stands: its state, and the seq of the last record.

    ``denied``: whether somebody has just said that a call was not meant, and what else it may be
    (see ``expected.Denied``); ``noisy``: the room is nearly as loud as the voice.
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
        beside: Sequence[Call] = (),
    ) -> Weighed:
        """The likeliest of the ways, up to the first call that the table has to be asked about.

        Each call is compared with the ways that agree in everything before it. ``end``: the stream
        time at which the utterance ended; ``certain``: how many of the first calls need no
        question; ``cut``: the last call may have gone on; ``disputed``: each call that stakes
        stones may be another; ``answers``: an open question, which saying the call again answers;
        ``beside``: single calls that either hearing considered, as rivals of a rare bet.
        """
        likeliest = max(ways, key=ways.__getitem__)
        state, seq = self.state, self.seq
        for at, outcome in enumerate(likeliest):
            choice = _Choice(at, outcome, ways, likeliest, beside)
            unsure = disputed or (cut and at == len(likeliest) - 1) or _answers_itself(outcome)
            ask = None
            if at >= certain:
                either = self.denied(outcome, seq)
                asked = choice.ask(state, self.hearing, self.noisy, unsure=unsure)
                ask = Ask("which_said", either) if either else asked
            if ask and not (answers and self._is_answered(ask, answers)):
                doubt = Doubt(seq, end, ask, tuple(map(choice.after, ask.options)))
                return Weighed((*likeliest[:at], ask), doubt)
            if isinstance(outcome, Accepted):
                seq += len(outcome.events)
                state = outcome.after or state
        return Weighed(likeliest)

    def _is_answered(self, ask: Ask, answers: Doubt) -> bool:
        """Whether a doubtful call answers the open question all the same.

        A great bet beside a usual one is never the answer to another question.
        """
        here = Lance.GRANDE if self.state.phase in BEFORE_LANCES else self.state.lance
        if not answers.rules_out(ask, here):
            return answers.repeats(ask, here)
        one, other = ask.options
        return _rare_stones(other) or not _rare_stones(one)


def talk_share(heard: Heard, lexicon: Lexicon, state: State) -> float:
    """The probability that an utterance is known table talk, such as advice.

    Advice may sound like a call.
    """
    context = context_of(state)
    return sum(
        way.probability for way in heard.hypotheses if lexicon.is_known_talk(way.words, context)
    )


def commands_unsurely(ways: Ways, hearing: Hearing) -> bool:
    """Whether the likeliest way is a command to the assistant, but not surely enough to obey.

    "Tengo la una" can sound like "pausa", after which no call counts. A piece of talk can sound
    like "deshaz", which takes back what was right.
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
    """One call of the likeliest way, and its rivals: the ways that agree in all calls before it."""

    at: int
    outcome: Outcome
    ways: Ways
    likeliest: Outcomes
    beside: Sequence[Call] = ()

    def ask(self, state: State, hearing: Hearing, noisy: bool, *, unsure: bool) -> Ask | None:
        """What to ask before this call may count; None if it is clear enough.

        An ``unsure`` call may be another one, or nobody's: the assistant's voice cut it off, two
        models do not agree, or one breath both bets and answers.
        """
        call = call_of(self.outcome)
        if call is None:
            return None
        probability = sum([share for outcome, share in self._here() if outcome == self.outcome])
        if rival := self._rival(call):
            other, share = rival
            if share > hearing.rival * probability:
                return Ask("which_said", (call, other))
        if _rare_stones(call):
            for other in self.beside:
                if differ(call, other) and not _rare_stones(other):
                    return Ask("which_said", (call, other))
        least, ask = _asked_below(call, self.outcome, state, hearing)
        if noisy and isinstance(call, Accept) and ask.code == "sure":
            least, ask = max(least, WANTED), Ask("which_said", (call, Refuse()))
        if probability < least or (unsure and _stakes(call, self.outcome)):
            return ask
        return None

    def after(self, option: Call) -> Ways:
        """What the utterance leads to from here on if this option was said."""
        left = {way[self.at :]: share for way, share in self._alike() if way[self.at :]}
        chosen = {way: share for way, share in left.items() if call_of(way[0]) == option}
        total = sum(chosen.values())
        if not total > 0.0:  # the option is an opposite that nothing sounded like
            return {}
        return {way: share / total for way, share in chosen.items()}

    def _alike(self) -> list[tuple[Outcomes, float]]:
        before = self.likeliest[: self.at]
        return [(way, share) for way, share in self.ways.items() if way[: self.at] == before]

    def _here(self) -> list[tuple[Outcome, float]]:
        return [(way[self.at], share) for way, share in self._alike() if len(way) > self.at]

    def _rival(self, call: Call) -> tuple[Call, float] | None:
        """The likeliest call with the opposite meaning or other stones, and the sum for all such.

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


def is_rare(outcomes: Outcomes) -> bool:
    """Whether a reading has a bet of more stones than people usually bet."""
    return any(_rare_stones(call_of(outcome)) for outcome in outcomes)


def _rare_stones(call: Call | None) -> bool:
    return isinstance(call, Bet | Raise) and (call.stones or 0) > MANY


def _asked_below(call: Call, outcome: Outcome, state: State, hearing: Hearing) -> tuple[float, Ask]:
    """The probability below which the table is asked about a call, and the question.

    An órdago, or the answer to one, may end the game with one word. Other bets and answers cost
    stones; "paso" is an answer while a bet waits. The other calls are soon corrected, so the table
    is asked about them only if they were hardly heard. A hand is never asked about here: its four
    cards can be said in many ways, so it may be likely although no single way is, and the screen
    shows it.
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
    """Whether a call stakes stones or moves them."""
    return isinstance(call, STONES) or _refuses(outcome)


def _refuses(outcome: Outcome) -> bool:
    """Whether an outcome refuses a bet, in whatever words. An implied refusal does not count."""
    for event in outcome.events if isinstance(outcome, Accepted) else ():
        if isinstance(event, BetRefused) and not event.implied:
            return True
    return False


def differ(call: Call, other: Call) -> bool:
    """Whether two calls answer the same thing differently, or stake different stones.

    "Mano Este" and "mano Oeste" differ, too, because the mano wins every tie; and so do claims for
    two sides, because the claimant gets stones.
    """
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
        case NextDeal(mano=int(one)), NextDeal(mano=int(two)):
            return one != two
        case ClaimLance(), ClaimLance():
            return replace(call, seat=None) != replace(other, seat=None)
        case _:
            return False


def call_of(outcome: Outcome) -> Call | None:
    """The accepted call of an outcome; None if there is none, or if it is a command."""
    if isinstance(outcome, Accepted) and isinstance(outcome.call, Call):
        return outcome.call
    return None


# ---- A hand named aloud at the showdown ---------------------------------------------------------
# The sound says which four cards it may have been. What the players declared, and the cards that
# are open already, say which of those are possible.


CONTRADICTS_DECLARED = 0.02
"""The probability that a player's cards contradict his declaration; then he is warned (R47)."""
HAND_TAKEN = 0.9
"""The least probability of a hand that is taken without a question. A wrong hand costs stones, a
question three seconds; scripts/lab/bench_stream.py counts both."""
HAND_HEARD, HAND_TWICE = 0.3, 0.75
"""HAND_HEARD: the least share of a hand in the first hearing, which knows every word, if it counts
as heard twice. HAND_TWICE: the least probability of such a hand that is taken (docs/ear.md)."""
HAND_ASKED = 0.25
"""The least probability of a hand that the table is asked about; a less likely one is ignored."""
HAND_NEXT = 0.4
"""After a hand was denied: the least probability, among the others, of the next likely hand that is
asked about. If it is less likely, the player had better name his cards again."""
NAMED_AGAIN = 30.0
"""Seconds in which a hand that is named again is the same one."""
NOT_HEARD = 0.02
"""The probability that a hand was said although no hypothesis has it."""
HAND_CLEAR = -1.2
"""Margin, in nats, from which a hand needs no question (docs/ear.md)."""

WaysOf = Callable[[Heard], dict[Outcomes, float]]
"""Utterance -> the outcomes that its hypotheses lead to at the table, with their probabilities."""


class NamedHands:
    """Weighs the hands that are named aloud at the showdown.

    A player whose cards were not understood names them again. So earlier utterances count, too,
    and a hand that he has denied is excluded. After a denial the table is asked about the next
    likely hand.
    """

    def __init__(self) -> None:
        self._denied: set[HandValue] = set()
        self._before: list[tuple[float, Mapping[HandValue, float]]] = []
        """For each naming since the table last moved, its time and the probability of each hand."""
        self._ways: dict[HandValue, tuple[float, Outcomes, ShowHand]] = {}
        """For each hand named since then, the likeliest way in which it was heard."""
        self._may_ask_on = False

    def deny(self, ask: Ask, profile: Profile) -> None:
        """Exclude a hand to which somebody said no: the table is not asked about it again."""
        shown = (option.cards for option in ask.options if isinstance(option, ShowHand))
        self._denied.update(value(cards, profile) for cards in shown if cards)

    def take_back(self, events: Sequence[Event], profile: Profile) -> None:
        """Exclude a hand that the table took back with these events."""
        shown = (event.cards for event in events if isinstance(event, HandShown))
        self._denied.update(value(cards, profile) for cards in shown)

    def forget(self) -> None:
        """Forget all hands, because the table has moved: the next hand is another player's."""
        self._denied.clear()
        self._before.clear()
        self._ways.clear()
        self._may_ask_on = False

    def weigh(
        self, heard: Heard, seq: int, profile: Profile, doubt: Doubt | None, ways: WaysOf
    ) -> Weighed | None:
        """What a named hand leads to; None if no hand was named.

        Hands of the same worth count together: with eight reyes a tres is a rey. ``seq``: the
        table's last record; ``doubt``: an open question, which the same hand said again answers.
        """
        if heard.narrowed is None:
            return None
        found = ways(replace(heard, hypotheses=heard.narrowed.hypotheses))
        shares: dict[HandValue, float] = {}
        for outcomes, share in found.items():
            if (call := _shown(outcomes)) is None:
                continue
            worth = value(call.cards, profile)
            share *= CONTRADICTS_DECLARED if _contradicts(outcomes) else 1.0
            shares[worth] = shares.get(worth, 0.0) + share
            if share > self._ways.get(worth, (0.0,))[0]:
                self._ways[worth] = share, outcomes, call
        if not any(worth not in self._denied for worth in shares):
            return None
        self._before = [one for one in self._before if heard.end - one[0] <= NAMED_AGAIN]
        self._before.append((heard.end, shares))
        self._may_ask_on = True
        best, probability = self._likeliest()
        if probability < HAND_ASKED:
            return None
        _, outcomes, call = self._ways[best]
        ask = Ask("sure", (call,))
        clear = probability >= HAND_TAKEN and heard.narrowed.margin >= HAND_CLEAR
        if not clear and probability >= HAND_TWICE:
            first = [(_shown(one), share) for one, share in ways(heard).items()]
            same = [share for call, share in first if call and value(call.cards, profile) == best]
            clear = sum(same) >= HAND_HEARD
        clear = clear and not heard.narrowed.part  # the words before it may have been a card
        if clear or (doubt and doubt.repeats(ask)):
            return Weighed(outcomes)
        return Weighed((ask,), Doubt(seq, heard.end, ask, ({outcomes: 1.0},)))

    def asks_on(self, seq: int, end: float) -> Weighed | None:
        """The question about the next likely hand, once after each naming; None if there is none.

        ``end``: the stream time, in seconds, at which the last one was denied.
        """
        if not self._may_ask_on or all(worth in self._denied for worth in self._ways):
            return None
        self._may_ask_on = False
        best, probability = self._likeliest()
        if probability < HAND_NEXT:
            return None
        _, outcomes, call = self._ways[best]
        ask = Ask("sure", (call,))
        return Weighed((ask,), Doubt(seq, end, ask, ({outcomes: 1.0},)))

    def _likeliest(self) -> tuple[HandValue, float]:
        """The likeliest hand by all namings, without the denied ones, and its probability."""
        together = {
            worth: prod(shares.get(worth, NOT_HEARD) for _, shares in self._before)
            for worth in self._ways
            if worth not in self._denied
        }
        best = max(together, key=together.__getitem__)
        return best, together[best] / sum(together.values())


def number_alone(state: State, call: Call) -> Ask | None:
    """The question about a number alone, once one of a pair has refused; None: it is clear.

    Nobody knows who spoke: his partner, who may raise by so many (R22, R35), or somebody who bets
    them at chica already.
    """
    bet = state.pending
    if not isinstance(call, Bet) or call.seat is not None or call.lance is not None:
        return None
    if bet is None or not bet.answered or bet.lance is not Lance.GRANDE or bet.ordago:
        return None
    options = Raise(stones=call.stones), replace(call, lance=Lance.CHICA)
    return Ask("which_said", options, call=call)


def is_counted(state: State, call: Call) -> bool:
    """Whether a call tells of a bet that counts so already."""
    if not isinstance(call, CorrectBet) or call.lance is None:
        return False
    bet, result = state.pending, state.result(call.lance)
    if bet and bet.lance is call.lance:
        return bet.stones == call.stones and not bet.ordago
    return bool(result and result.how is How.ACCEPTED and result.stones == call.stones)


def missed_bet(state: State, call: Call) -> Ask | None:
    """The question about a bet that is told of at a lance that all let pass; None: it is none."""
    result = state.result(call.lance) if isinstance(call, CorrectBet) and call.lance else None
    missed = result is not None and result.how is How.PASSED
    return Ask("sure", (call,), call=call) if missed else None


def yes_to_a_bet(
    state: State, heard: Heard, outcomes: Sequence[Outcome], hearing: Hearing
) -> Ask | None:
    """The question whether a clear "sí" accepts the bet; None for anything else.

    Beginners say it in place of "quiero", and everybody says it about something else.
    """
    codes = [one.code for one in outcomes if isinstance(one, Ignored)]
    bet = state.pending
    if bet is None or codes != [TalkReason.UNSURE_YES] or len(outcomes) > 1:
        return None
    share = max((way.probability for way in heard.hypotheses), default=1.0)
    if share < hearing.sure or heard.distant or heard.over or heard.noisy or heard.cut:
        return None
    return Ask("sure_accept" if bet.ordago else "sure", (Accept(),), call=Accept())


def ask_for_cards(message: CardsUnclear, state: State) -> Outcome:
    """The request to put right the first of the hands that the camera cannot read."""
    lacking = {one.seat: one for one in message.lacking}
    for seat in missing_hands(state):
        if one := lacking.get(seat):
            told = ("seat", seat), ("trouble", one.trouble), ("cards", one.cards)
            return Ask("cards_unclear", params=tuple((name, str(value)) for name, value in told))
    return Ignored("not_now")


def _shown(outcomes: Outcomes) -> ShowHand | None:
    """The hand, if an utterance leads to that hand alone."""
    match outcomes:
        case (Accepted(call=ShowHand() as call),):
            return call
        case _:
            return None


def _contradicts(outcomes: Outcomes) -> bool:
    return any(
        isinstance(event, DeclarationDisproved | ClaimDisproved)
        for outcome in outcomes
        if isinstance(outcome, Accepted)
        for event in outcome.events
    )
