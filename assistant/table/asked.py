"""The open question of a table, and which of its options an answer picks.

No I/O. The lexicon has the wordings (``[answers]``). This module finds what they pick: an option of
the question, both readings of a change of mind, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.language.lexicon import (
    Context,
    Lexicon,
    Moment,
    OpenQuestion,
    Pick,
    Spoken,
    SpokenAnswer,
    context_of,
)
from assistant.language.lexicon.rows import MEANINGS
from assistant.language.lexicon.text import Filled
from assistant.messages import Accepted, Ask, Command, Heard, Hypothesis, Ignored, Outcome, Word
from assistant.rules.calls import (
    Accept,
    AdjustStones,
    Bet,
    Call,
    ClaimLance,
    Cut,
    Declare,
    Mus,
    NextDeal,
    Ordago,
    Pass,
    Place,
    Raise,
    Refuse,
    ShowHand,
    Verdict,
    Whose,
)
from assistant.rules.phases import LANCE_OF, ORDER, Lance
from assistant.rules.state import State, side_letters
from assistant.table.who import LIKELY as CLEAR_VOICE
from assistant.table.who import likeliest

Outcomes = tuple[Outcome, ...]
Ways = Mapping[Outcomes, float]
"""The outcomes that the hypotheses of an utterance lead to -> their probability."""
Steps = tuple[Call | Command, ...]
"""What an answer leads to, step by step; empty where it takes the question back."""

ANSWERED_WITHIN = 15.0
"""Seconds after a question in which an answer, or the call itself said again, answers it."""
LIKELY, STAKED, DEAR = 0.5, 0.75, 0.85
"""The probability above which words count as the answer: LIKELY in general; STAKED if they move
stones in noise, where the yes may be somebody else's; DEAR if they make or accept an órdago. The
latter two are those of the second hearing (expected.SURE and DEAR)."""
CERTAIN = 1.0
WAITED_FOR = 5.0
"""Factor on the probability of a yes or a no while a question waits for one, because the second
stage knows of no questions (docs/second-stage.md)."""
UNASKED = 0.1
"""The same of a number alone that no such question offers."""

PROPOSAL = Ask("proposal", (Verdict(apply=True), Verdict(apply=False)))
"""The question whether an article is applied; the voice has said which article."""
ANSWERING = frozenset({Moment.PARES, Moment.JUEGO, Moment.BET})
"""Moments at which players answer each other with a yes or a no."""
YES_OR_NO = frozenset({"sure", "sure_ordago", "sure_accept", "bare_raise", "reenvido", "new_deal"})
"""Questions that a yes or a no answers, if they offer one call."""
DENIED = frozenset({"sure", "sure_ordago", "sure_accept", "sure_undo", "new_deal"})
"""Questions whether something was said, or has begun; a tap can deny it."""
NAMES = frozenset({"who", "whose", "mano"})
"""Questions that a name answers. "Este" and "Oeste" sound alike, so it has to be STAKED."""
EITHER = frozenset(
    {Pick.YES, Pick.NO, Pick.ACCEPT, Pick.REFUSE, Pick.HOLDS, Pick.LACKS}
    | {Pick.MUS, Pick.CUT, Pick.APPLY, Pick.WAIVE}
)
"""What a yes or a no picks."""
ALWAYS = frozenset({Pick.YES, Pick.NO, Pick.DROP})
"""What people answer to any question, even where it picks nothing."""
PAIR = 2
"""The players that "los dos" are."""
COLOURS = {Pick.BLUE: "A", Pick.RED: "B"}
"""The side of each colour on the page, at a table of two."""
STAYS = frozenset({"proposal", "mano"})
"""Questions that nobody can dismiss: the game waits for their answer."""


def who_is_mano(state: State) -> Ask:
    """The question with which a match begins if no mano was named (R04)."""
    return Ask("mano", tuple(NextDeal(mano=seat) for seat in state.order(1)))


@dataclass(frozen=True, slots=True)
class Doubt:
    """An open question.

    ``seq``: the last record when it was asked, including the clear calls just before it. ``at``:
    the stream time, in seconds, at which the doubtful call ended; None if a tap or a camera raised
    the question, whose time then runs from the first utterance after it. ``ways``: for each option,
    what the utterance leads to from there on if that option was said; empty if the option
    itself is the call to make. ``repeated``: it was asked again, because a call was no answer.
    """

    seq: int
    at: float | None
    ask: Ask
    ways: tuple[Ways, ...] = ()
    repeated: bool = False

    def as_of(self, heard: Heard) -> Doubt:
        """The same question, with the start of this utterance as its time if it has none."""
        if self.at is not None or not heard.words:
            return self
        return replace(self, at=heard.words[0].start)

    def stands(self, heard: Heard, seq: int) -> bool:
        """Whether an utterance may answer it: it comes soon, and nothing happened in between."""
        at = self.at or 0.0
        return seq == self.seq and _begun(heard, at) - at < ANSWERED_WITHIN

    def repeats(self, ask: Ask, here: Lance | None = None) -> bool:
        """Whether ``ask`` is the same question again; the order of its calls does not matter.

        ``here``: the lance that is played, which a player need not name.
        """
        return ask.code == self.ask.code and _plain(ask.options, here) == self._offered(here)

    def rules_out(self, ask: Ask, here: Lance | None = None) -> bool:
        """Whether this question offered the first bet of ``ask``, but not the second.

        After "¿Envido 20, o envido 15?" what sounds like 20, or else like 30, is 20: it did not
        sound like 30 before. A further question would only find a further number.
        """
        if ask.code != "which_said" or not all(isinstance(one, Bet | Raise) for one in ask.options):
            return False
        one, other = (_plain((option,), here) for option in ask.options)
        offered = self._offered(here)
        return one <= offered and not other <= offered

    def _offered(self, here: Lance | None) -> set[Call]:
        return _plain(self.ask.options, here)

    def is_left_open_by(self, outcomes: Outcomes, answered: bool) -> bool:
        """Whether a call may be that of the next player, who did not wait for the answer.

        ``answered``: an answer to the bet may have been heard before, but not clearly.

        Then the question stays open. These questions are meant:

        Was the bet accepted? "Paso" may refuse the bet or already open the next lance. Only one of
        the two moves stones, and nobody knows which was meant.

        Which raise was said? An answer such as "quiero" answers that raise, not the bet before it.
        If it is said again, it answers the bet, because there was no raise. It does so at once if
        only a number was heard, perhaps with its lance: a misheard "yo no" sounds like "una", and
        that happens far more often than a raise without "más". It does so at once, too, if an
        answer may have been heard before: then the player who was asked says it once more.

        "¿Se quiere, sí o no?" is asked once more after a number alone, because of that "una". It
        may be a raise only if it comes again.
        """
        first = outcomes[0] if outcomes else None
        call = first.call if isinstance(first, Accepted) else None
        options = self.ask.options
        if isinstance(first, Ask) and first.code == "bare_raise" and first.number:
            return not self.repeated and {Accept, Refuse} == set(map(type, options))
        raised = any(isinstance(option, Raise) for option in options)
        if raised and all(isinstance(option, Raise | Bet) for option in options):
            answers = isinstance(call, Accept | Refuse | Pass)
            again = self.repeated or self.ask.number or (answered and not isinstance(call, Pass))
            return answers and not again
        asks_of_a_bet = any(isinstance(option, Accept) for option in options)
        return asks_of_a_bet and isinstance(call, Pass) and Pass not in map(type, options)

    def answer(self, heard: Heard, lexicon: Lexicon, state: State) -> Steps | None:
        """What an utterance answers; None if it is no answer.

        A no to "¿Has dicho «Quiero»?" does not refuse the bet. If the question offers two calls
        ("¿se quiere, sí o no?"), the answer is one of them, or its number.
        """
        shares = self._answers(heard, lexicon, state)
        best = max(shares, key=shares.__getitem__, default=None)
        if best is None:
            return None
        least = STAKED if self.ask.code in NAMES else _least(best, heard, state)
        return best if shares[best] > least else None

    def is_torn(self, heard: Heard, lexicon: Lexicon, state: State) -> bool:
        """Whether an utterance is one of two names that sound alike, and neither is clear."""
        named = self.ask.code in NAMES and len(self._answers(heard, lexicon, state)) > 1
        return named and self.answer(heard, lexicon, state) is None

    def _answers(self, heard: Heard, lexicon: Lexicon, state: State) -> dict[Steps, float]:
        """What the hypotheses of an utterance answer, and how probably."""
        context = context_of(state)
        shares: dict[Steps, float] = {}
        for way in heard.hypotheses or (Hypothesis(heard.words, CERTAIN),):
            if self._is_a_call(way.words, heard, lexicon, context):
                continue
            picked = _Picking(self.ask, state, _speaker(heard, way.words))
            steps = picked.first(lexicon.answers(self.ask.code, way.words, context))
            if steps is None and self.ask.code in DENIED:
                steps = self._corrected(way.words, picked, lexicon, context)
            if steps is not None:
                shares[steps] = shares.get(steps, 0.0) + way.probability
        return shares

    def _corrected(
        self, words: Sequence[Word], picked: _Picking, lexicon: Lexicon, context: Context
    ) -> Steps | None:
        """What "no, corrige" answers; None if these are other words.

        To "¿Deshago lo último?" it is a yes, like "sí, corrige" and "corrige" alone: whoever says
        so wants it undone. To "¿Has dicho «Quiero»?" it is a no, and nothing counts that could be
        undone. Read as two calls, the "no" would refuse the bet.
        """
        for at in range(len(words)):
            reading = lexicon.read(words[at:], context)
            if not isinstance(reading, Spoken) or reading.what is not Command.UNDO:
                continue
            if reading.taken < len(words) - at:
                return None
            before = picked.first(lexicon.answers(self.ask.code, words[:at], context))
            if self.ask.code == "sure_undo":
                return (Command.UNDO,) if at == 0 or before is not None else None
            return () if before == () else None
        return None

    def waited_for(
        self, words: Sequence[Word], heard: Heard, lexicon: Lexicon, state: State
    ) -> float:
        """How much likelier some of the words heard are, because the question waits.

        A yes, a no or the call itself is likelier where a yes or a no is waited for, and a number
        alone is unlikelier there: "que no" sounds like "uno". Where it answers the question, it is
        as likely as ever.
        """
        context = context_of(state)
        picked = _Picking(self.ask, state, _speaker(heard, words))
        if not picked.waits_for_either or self._is_a_call(words, heard, lexicon, context):
            return 1.0
        picks = {
            answer.pick
            for answer in lexicon.answers(self.ask.code, words, context)
            if picked.steps(answer) is not None
        }
        if picks & EITHER or self.offers(words, lexicon, state):
            return WAITED_FOR
        return UNASKED if not picks and lexicon.number(words) is not None else 1.0

    def offers(self, words: Sequence[Word], lexicon: Lexicon, state: State) -> bool:
        """Whether words are one of the calls that the question offers."""
        reading = lexicon.read(words, context_of(state))
        if not isinstance(reading, Spoken) or reading.taken < len(words):
            return False
        here = state.lance
        return isinstance(reading.what, Call) and not self._offered(here).isdisjoint(
            _plain((reading.what,), here)
        )

    def question(self, state: State) -> OpenQuestion:
        """The question, with what may answer it at a table in this state."""
        return _Picking(self.ask, state, None).question()

    def taken_back(self, heard: Heard) -> Ignored:
        """The outcome of an answer that picks nothing."""
        if self.ask.code == "cards_unclear":
            return Ignored("noted", heard.text)
        return Ignored("taken_back", heard.text)

    def _is_a_call(
        self, words: Sequence[Word], heard: Heard, lexicon: Lexicon, context: Context
    ) -> bool:
        """Whether words are a call of the game in spite of the question.

        "No" to "¿pares?" declares, even while an article waits. If it is known who refuses, he
        refuses for himself.
        """
        busy = self.ask.code == "proposal" and context.moment in ANSWERING
        alone = self.ask.code == "no_quereis" and heard.seat is not None
        return (busy or alone) and lexicon.reads(words, context)


@dataclass(frozen=True, slots=True)
class _Picking:
    """Finds what an answer picks: of a question, at a table, by a speaker who may be known."""

    ask: Ask
    state: State
    speaker: int | None

    def first(self, answers: Iterable[SpokenAnswer]) -> Steps | None:
        """What the first answer that picks something leads to; None if none does."""
        found = (steps for steps in map(self.steps, answers) if steps is not None)
        return next(found, None)

    def steps(self, answer: SpokenAnswer) -> Steps | None:
        """What one answer leads to; None if it picks nothing of this question."""
        options, filled = self.ask.options, answer.filled
        match answer.pick:
            case Pick.YES | Pick.NO if self.ask.code == "sure_undo":
                return (Command.UNDO,) if answer.pick is Pick.YES else ()
            case Pick.YES | Pick.NO:
                if len(options) != 1 or self.ask.code not in YES_OR_NO:
                    return None
                return options if answer.pick is Pick.YES else ()
            case Pick.DROP | Pick.NOTED:
                return None if self.ask.code in STAYS else ()
            case Pick.NEXT:
                return self._of_the_next_lance()
            case Pick.UNDO:
                return (Command.UNDO, self.ask.call) if self.ask.call else None
            case Pick.ONLY | Pick.NOBODY | Pick.EVERYBODY | Pick.BOTH:
                return self._held_by(answer)
            case Pick.FIRST | Pick.SECOND:
                return (options[answer.pick is Pick.SECOND],) if len(options) == 2 else None
            case Pick.BY | Pick.UP_TO if filled.number is None:
                place = int(answer.pick is Pick.UP_TO)
                return (options[place],) if place < len(options) else None
            case Pick.MORE | Pick.FEWER:
                staked = [one for one in options if _stones(one)]
                most = max if answer.pick is Pick.MORE else min
                return (most(staked, key=_stones),) if len(staked) > 1 else None
            case _:
                meant = list(filter(self._wanted(answer), options))
                if answer.pick is Pick.STONES and len(meant) > 1:
                    return None  # "five" to "five more, or five at chica?"
                return (meant[0],) if meant else None

    @property
    def waits_for_either(self) -> bool:
        """Whether a yes or a no answers the question."""
        return any(self.steps(SpokenAnswer(pick, Filled())) is not None for pick in EITHER)

    def question(self) -> OpenQuestion:
        """The question, with what may be answered, whoever speaks.

        A yes, a no and "nada" may be said to anything. If the ear did not know them there, it would
        take them for something else.
        """
        picks = frozenset(pick for pick in Pick if pick in ALWAYS or self._may(pick))
        return OpenQuestion(self.ask.code, picks)

    def _may(self, pick: Pick) -> bool:
        """Whether some answer of this kind picks something of the question."""
        options = self.ask.options
        match pick:
            case Pick.STONES | Pick.BY | Pick.UP_TO:
                return any(map(_stones, options))
            case Pick.PLAYER:
                seats = self.state.order(1)
                return any(self._is_of(one, seat) for one in options for seat in seats)
            case Pick.SIDE | Pick.US | Pick.THEM:
                return any(map(_side, options))
            case _:
                return self.steps(SpokenAnswer(pick, Filled())) is not None

    def _wanted(self, answer: SpokenAnswer) -> Callable[[Call], bool]:
        """A test for the options that an answer means: by stones, player, side or kind."""
        filled = answer.filled
        match answer.pick:
            case Pick.STONES | Pick.BY:
                return lambda one: _stones(one) == filled.number
            case Pick.UP_TO:
                stands = self.state.pending.stones if self.state.pending else 0
                return lambda one: stands + _stones(one) == filled.number
            case Pick.PLAYER:
                return lambda one: self._is_of(one, filled.player)
            case Pick.SIDE | Pick.US | Pick.THEM:
                return lambda one: _side(one) is not None and _side(one) == self._side_of(answer)
            case Pick.BLUE | Pick.RED:
                letter = COLOURS[answer.pick] if self.state.sides == len(COLOURS) else None
                return lambda one: letter is not None and _side(one) == letter
            case Pick.BETTORS | Pick.CALLERS:
                return lambda one: self._has_bet(one, answer.pick is Pick.BETTORS)
            case _:
                return lambda one: _is_kind(one, answer.pick)

    def _is_of(self, option: Call, player: int | None) -> bool:
        if player is None:
            return False
        if side := _side(option):
            return side == self.state.side_of(player)
        return player in (option.seat, option.mano if isinstance(option, NextDeal) else None)

    def _side_of(self, answer: SpokenAnswer) -> str | None:
        """The side that was meant: by its letter, or by the player who says "nosotros"."""
        plain = {Pick.US: Whose.US, Pick.THEM: Whose.THEM}
        whose = plain.get(answer.pick, answer.filled.whose)
        if answer.filled.side is not None:
            return answer.filled.side
        if whose is None or self.speaker is None:
            return None
        mine = self.state.side_of(self.speaker)
        return mine if whose is Whose.US else self._against(mine)

    def _has_bet(self, option: Call, bettors: bool) -> bool:
        """Whether an option is of the side that bet at its lance, or else of the other side."""
        result = self.state.result(option.lance) if option.lance else None
        bet = self.state.pending or (result.bet if result else None)
        if bet is None:
            return False
        return _side(option) == (bet.side if bettors else self._against(bet.side))

    def _against(self, side: str) -> str | None:
        others = [letter for letter in side_letters(self.state.sides) if letter != side]
        return others[0] if len(others) == 1 else None

    def _held_by(self, answer: SpokenAnswer) -> Steps | None:
        """Who holds the lance: the first option has those who have said so, the last one all.

        "Los dos" may be the two of either side, or the two who have not spoken yet. It is an answer
        only where just two players can still hold the lance, whoever of them has said so already.
        """
        told = [option for option in self.ask.options if isinstance(option, Place)]
        if not told:
            return None
        if answer.pick is Pick.BOTH:
            return (told[-1],) if len(told[-1].holders) == PAIR else None
        if answer.pick is not Pick.ONLY:
            return (told[-1 if answer.pick is Pick.EVERYBODY else 0],)
        held = {*told[0].holders, *answer.filled.players}
        return (replace(told[0], holders=tuple(sorted(held))),)

    def _of_the_next_lance(self) -> Steps | None:
        here = LANCE_OF.get(self.state.phase)
        if here is None or self.ask.call is None:
            return None
        after = (lance for lance in Lance if ORDER[lance] == ORDER[here] + 1)
        return next(((replace(self.ask.call, lance=lance),) for lance in after), None)


def _least(steps: Steps, heard: Heard, state: State) -> float:
    """How probable an answer must be before it leads to these steps."""
    bet = state.pending
    for step in steps:
        if isinstance(step, Ordago) or (isinstance(step, Accept) and bet and bet.ordago):
            return DEAR
        if heard.noisy and isinstance(step, Bet | Raise | Accept | ShowHand):
            return STAKED
    return LIKELY


def _plain(options: Sequence[Call], here: Lance | None) -> set[Call]:
    """Calls without what makes no difference.

    That is the lance of an answer to a bet, or the lance of another call if it is that which is
    played, and whether a refusal speaks for both partners.
    """
    return {_without_the_lance(option, here) for option in options}


def _without_the_lance(option: Call, here: Lance | None) -> Call:
    match option:
        case Refuse():
            return Refuse()
        case Accept():
            return replace(option, lance=None)
        case Bet() | Raise() | Ordago() | Declare() | Pass() if option.lance is here:
            return replace(option, lance=None)
        case _:
            return option


def _begun(heard: Heard, otherwise: float) -> float:
    return heard.words[0].start if heard.words else otherwise


def _speaker(heard: Heard, words: Sequence[Word]) -> int | None:
    if heard.seat is not None:
        return heard.seat
    seat, share = likeliest(heard.voice_of(words), None)
    return seat if share >= CLEAR_VOICE else None


def _stones(option: Call) -> int:
    return (option.stones or 0) if isinstance(option, Bet | Raise | Accept) else 0


def _side(option: Call) -> str | None:
    return option.side if isinstance(option, ClaimLance | AdjustStones) else None


def _is_kind(option: Call, pick: Pick) -> bool:
    """Whether an option is of the kind that a pick names; a pass also refuses, and cuts the mus."""
    meant = MEANINGS[pick.value](Filled())
    match meant:
        case Declare():
            return isinstance(option, Declare) and option.holds == meant.holds
        case Verdict():
            return isinstance(option, Verdict) and option.apply == meant.apply
        case Refuse() | Cut():
            return isinstance(option, type(meant) | Pass) and not isinstance(option, Mus)
        case _:
            return type(option) is type(meant)
