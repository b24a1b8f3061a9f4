"""Moving a deal to where players say that it stands: missed calls are added, wrong ones retracted.

It uses the usual events: passes and refusals that nobody was heard to say are ``implied``, and
calls that came too early are retracted (R36, R50).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from assistant.rules import events as e
from assistant.rules.calls import Accept, Bet, CorrectBet, Mus, Place, Refuse, Where
from assistant.rules.changes import Draft
from assistant.rules.engine import begin_lances, decide
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.events import ACCEPTED
from assistant.rules.history import Record, effective, fold, number, rewound
from assistant.rules.legal import MESSAGES, silent, to_speak
from assistant.rules.phases import (
    AFTER_DEAL,
    BEFORE_LANCES,
    BETTING,
    DECLARING,
    JUEGO,
    LANCE_OF,
    ORDER,
    PARES,
    PUNTO,
    Lance,
    Phase,
)
from assistant.rules.profile import Answer
from assistant.rules.settle import settle
from assistant.rules.state import State

FOLLOW_AT_ONCE = (e.StonesWon, e.ManoChanged)
"""Events that belong to the end of a lance, or of the mus, but come after the next lance has begun:
a deje (R27), and the mano of a mus corrido (R06)."""
FEW = 2
"""If the declarations of at most this many players are missing, the question offers every
combination; if of more, only that none or that all of them hold the lance."""


def placed(records: Sequence[Record], told: Place) -> tuple[e.Event, ...]:
    """The events that bring the deal to where players say it stands; none if it is there already.

    Raises IllegalCall if the deal cannot stand there, or if players have to say more first. Raises
    AmbiguousCall if a bet on the way may have been accepted or refused.
    """
    way = _Way(records, told)
    if way.state.phase in AFTER_DEAL or way.state.deal == 0:
        raise way.refused("not_now")
    match told.told:
        case Where.LANCE if told.lance is None:
            way.back_to_the_mus()
        case Where.LANCE if told.lance:
            way.to(told.lance)
        case Where.AGAIN if told.lance:
            way.back_to(told.lance)
            way.to(told.lance)
        case Where.BET if told.lance:
            way.to_the_bet(told.lance, told.stones)
        case Where.TURN if told.player:
            way.to_the_turn(told.player)
        case Where.HOLDERS if told.lance in (PARES, JUEGO):
            way.to_the_holders(told.lance, told.holders)
        case _:
            raise way.refused("not_now")
    return way.events


def taken_back(records: Sequence[Record], events: Sequence[e.Event]) -> tuple[e.Event, ...]:
    """The events of the game that a batch of ``placed`` takes back."""
    gone = {event.seq for event in events if isinstance(event, e.Retracted)}
    return tuple([record.event for record in records if record.batch in gone])


def bet_told(state: State, told: Place) -> Bet | None:
    """The bet that somebody makes by saying where the deal stands; None if that bets nothing.

    A player who says "van cinco a pares" while pares are played without a bet bets five.
    """
    open_here = state.phase in BETTING and state.pending is None and state.lance is told.lance
    if told.told is not Where.BET or not open_here:
        return None
    return Bet(seat=told.seat, lance=told.lance, stones=told.stones)


class _Way:
    """The events from where the table is to where players say the deal stands."""

    def __init__(self, records: Sequence[Record], told: Place) -> None:
        self._records = records
        self._told = told
        self._back: tuple[e.Event, ...] = ()
        self._draft = Draft(_state(records))

    @property
    def state(self) -> State:
        """The state that the way has led to so far."""
        return self._draft.state

    @property
    def events(self) -> tuple[e.Event, ...]:
        """One batch: first the retractions, then the events that were filled in."""
        return (*self._back, *self._draft.events)

    def refused(self, code: str) -> IllegalCall:
        """The error that says why there is no way."""
        return IllegalCall(code, MESSAGES[code], self._told, phase=str(self.state.phase))

    def back_to_the_mus(self) -> None:
        """Go back to the mus, where nobody has cut yet."""
        if self.state.phase not in BEFORE_LANCES:
            cut = next(r.seq for r in reversed(self._deal()) if isinstance(r.event, e.MusCut))
            self._rewind(cut - 1)

    def back_to(self, lance: Lance) -> None:
        """Go back to the moment at which a lance began, if it has begun."""
        first = LANCE_OF[Phase.JUEGO_SAY] if lance is PUNTO else lance
        began: int | None = None
        for record, state in self._steps():
            if began is not None and not isinstance(record.event, FOLLOW_AT_ONCE):
                break
            if began is not None or state.lance is first:
                began = record.seq
        if began is not None and self._deal()[-1].seq > began:
            self._rewind(began)

    def to(self, lance: Lance) -> None:
        """Go to a lance: close the lances before it, and open it again if it was over."""
        here = self.state.lance
        behind = self.state.phase in BEFORE_LANCES or (here and ORDER[here] < ORDER[lance])
        if not behind and here is not lance:
            self.back_to(lance)
        for _ in Phase:
            if self.state.lance is lance:
                return
            self._go_on(lance)
        raise self.refused("other_lance")

    def to_the_bet(self, lance: Lance, stones: int) -> None:
        """Go to a bet of so many stones that waits for its answer, or has been accepted."""
        bet, result = self.state.pending, self.state.result(lance)
        known = bet.stones if bet and bet.lance is lance and not bet.ordago else None
        if result is not None and result.how is ACCEPTED:
            known = result.stones
        if known is None:
            if bet is not None and bet.lance is lance:
                self.back_to(lance)  # undo a call that was taken for an órdago
            self.to(lance)
            self._decide(Bet(stones=stones, lance=lance))
        elif known != stones:
            self._decide(CorrectBet(stones=stones, lance=lance))

    def to_the_turn(self, player: int) -> None:
        """Go to a player's turn: those who speak before him have passed, or refused the bet."""
        if not 1 <= player <= self.state.players:
            raise self.refused("seat_unknown")
        self._unsay(player)
        state = self.state
        bet = state.pending
        if bet is not None:
            if player not in state.answerers():
                own = state.side_of(player) == bet.side
                raise self.refused("own_bet" if own else _no_holder(state, player))
            if state.profile.answer is Answer.BOTH:  # otherwise one "no" would bind him
                for seat in state.answerers()[: state.answerers().index(player)]:
                    self._draft.emit(e.BetRefused(seat, bet.lance, implied=True))
            return
        waiting = silent(state)
        if player not in waiting:
            raise self.refused(_no_holder(state, player))
        if state.phase in DECLARING and player != to_speak(state):
            raise self._who_holds()
        for seat in waiting[: waiting.index(player)]:
            if state.phase in BEFORE_LANCES:
                self._decide(Mus(seat=seat))
            elif state.phase in BETTING:
                self._draft.emit(e.Passed(seat, LANCE_OF[state.phase], implied=True))

    def to_the_holders(self, lance: Lance, holders: Sequence[int]) -> None:
        """Go to the end of a round in which just these players have said that they hold it."""
        state = self.state
        if state.lance in (lance, PUNTO) and state.phase not in DECLARING:
            if set(state.holders(lance)) == set(holders) and state.lance is lance:
                return
            if not holders and lance is JUEGO and state.lance is PUNTO:
                return
            self.back_to(lance)
        self.to(lance)
        for seat in self.state.in_play():
            if self.state.declared(lance)[seat - 1] is not (seat in holders):
                self._draft.emit(e.Declared(seat, lance, seat in holders, implied=True))
        settle(self._draft)

    def _unsay(self, player: int) -> None:
        """Take back everything from the player's word in this round on, if he has spoken."""
        state = self.state
        declares = state.phase in DECLARING
        bet = state.pending
        if bet is not None:
            said = player in bet.refused
        elif declares:
            said = state.declared(LANCE_OF[state.phase])[player - 1] is not None
        else:
            said = player in state.spoken
        if not said:
            return
        kinds = (e.BetRefused,) if bet else (e.Declared,) if declares else (e.Passed, e.MusAsked)
        own = next(
            r for r in reversed(self._deal())
            if isinstance(r.event, kinds) and getattr(r.event, "seat", None) == player
        )  # fmt: skip
        self._rewind(own.seq - 1)

    def _go_on(self, lance: Lance) -> None:
        """Leave the present phase by the calls that were not heard."""
        state, draft = self.state, self._draft
        if state.phase in BEFORE_LANCES:
            begin_lances(draft, to_speak(state) or state.mano)
        elif state.pending:
            if not state.pending.answered:
                options = (Refuse(plural=True), Accept())
                raise AmbiguousCall("no_quereis", MESSAGES["no_quereis"], self._told, options)
            for seat in state.answerers():
                draft.emit(e.BetRefused(seat, state.pending.lance, implied=True))
        elif state.phase in BETTING:
            for seat in silent(state):
                draft.emit(e.Passed(seat, LANCE_OF[state.phase], implied=True))
        elif state.phase is Phase.JUEGO_SAY and lance is PUNTO:
            for seat in state.in_play():
                if state.juego[seat - 1] is not False:
                    draft.emit(e.Declared(seat, JUEGO, holds=False, implied=True))
        elif state.phase in DECLARING:
            raise self._who_holds()
        else:
            raise self.refused("other_lance")
        settle(draft)

    def _who_holds(self) -> AmbiguousCall:
        """The question who holds the lance; its options are the possible answers."""
        state, lance = self.state, LANCE_OF[self.state.phase]
        known = [seat for seat in state.in_play() if state.declared(lance)[seat - 1]]
        open_ = silent(state)
        some = range(len(open_) + 1) if len(open_) <= FEW else (0, len(open_))
        options = tuple(
            Place(told=Where.HOLDERS, lance=lance, holders=tuple(sorted((*known, *more))))
            for count in some
            for more in combinations(open_, count)
        )
        return AmbiguousCall(
            "holders", MESSAGES["holders"], self._told, options, phase=str(state.phase)
        )

    def _decide(self, call: Bet | CorrectBet | Mus) -> None:
        self._draft.take(decide(self.state, call))

    def _rewind(self, last: int) -> None:
        """Take back everything after a record; allowed only before anything was filled in."""
        self._back = rewound(self._records, last, anew=True)
        given = number(self._back, self._records[-1].seq, at=0.0)
        self._draft = Draft(_state([*self._records, *given]))

    def _deal(self) -> list[Record]:
        """The records of this deal that count."""
        counting = effective(self._records)
        first = max(i for i, r in enumerate(counting) if isinstance(r.event, e.DealStarted))
        return counting[first:]

    def _steps(self) -> list[tuple[Record, State]]:
        """This deal's records, each with the state that it led to."""
        deal = self._deal()
        counting = effective(self._records)
        before = fold(counting[: len(counting) - len(deal)])
        steps: list[tuple[Record, State]] = []
        draft = None if before is None else Draft(before)
        for record in deal:
            assert draft is not None
            draft.emit(record.event)
            steps.append((record, draft.state))
        return steps


def _no_holder(state: State, player: int) -> str:
    """The error that says why a player may not speak in the present lance."""
    if player in state.incidents.out:
        return "out_of_play"
    return "no_pares" if state.lance is PARES else "no_juego"


def _state(records: Sequence[Record]) -> State:
    state = fold(records)
    assert state is not None, "a table has been opened"
    return state
