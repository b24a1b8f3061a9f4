"""Corrections by one tap: of the last call that was heard, or of a hand that was laid open.

No I/O. For some seconds the page offers the other calls that the last one may have been. A hand
that was typed or read wrongly is entered again. Both corrections take back the records from there
on and make other calls in their place, as one batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.messages import Accepted, Ask, Heard, Outcome
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import decide
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.history import Record, effective
from assistant.rules.phases import BEFORE_LANCES
from assistant.rules.state import State
from assistant.table.histories import SAID_CALLS

Outcomes = tuple[Outcome, ...]

OFFERED = 3
"""The most calls that are offered beside the one that was taken."""
AMOUNTS = (2, 3, 4, 5, 6, 7, 8, 10, 15, 20)
"""The stones that people usually bet; neighbours in this list are taken for each other."""
BEFORE_A_HAND = (e.SeatInferred, e.CountReopened)
"""Events of the same call that come before HandShown."""


@dataclass(frozen=True, slots=True)
class CalledBefore:
    """An utterance with calls that counted.

    asked   the calls of the question that was open; the answer has said which one was meant
    state   of the table before it; ``seq``: the last record before it
    """

    heard: Heard
    outcomes: Outcomes
    asked: Sequence[c.Call]
    state: State
    seq: int


@dataclass(frozen=True, slots=True)
class OtherCalls:
    """The last call that was heard, and the calls that it may have been instead, likeliest first.

    ``state``: the table before it. ``before``: the last record before it. ``seq``: its own last
    record. Once there is a later record, a tap would take back more than this call.
    """

    made: Accepted
    options: tuple[c.Call, ...]
    state: State
    before: int
    seq: int


def other_calls(
    outcomes: Outcomes, seq: int, ways: Sequence[Mapping[Outcomes, float]]
) -> OtherCalls | None:
    """The other calls that the last call of an utterance may have been; None if there are none.

    ``ways``: the outcomes of the hypotheses, of the first hearing and of the second. ``seq`` is the
    last record before the utterance. The calls that the ear considered come first. Only if it
    considered no other call, the calls that people confuse with it are offered.
    """
    taken = [one for one in outcomes if isinstance(one, Accepted)]
    last = taken[-1] if taken else None
    if last is None or last.understood or any(isinstance(one, Ask) for one in outcomes):
        return None
    call, state = last.call, last.before
    if state is None or not isinstance(call, SAID_CALLS):
        return None
    so_far = [_plain(one.call) for one in taken[:-1]]
    options = _distinct(_considered(so_far, call, ways), last, state)
    options = options or _distinct(_confused(call, state), last, state)
    after = seq + sum(len(one.events) for one in taken)
    return OtherCalls(last, options, state, after - len(last.events), after) if options else None


def _considered(
    so_far: Sequence[object], call: c.Call, ways: Sequence[Mapping[Outcomes, float]]
) -> Iterator[c.Call]:
    """The last calls of the other ways that have the same calls before it, likeliest first."""
    shares: dict[c.Call, float] = {}
    for hearing in ways:
        for way, share in hearing.items():
            made = [one.call for one in way if isinstance(one, Accepted)]
            whole = len(made) == len(way) == len(so_far) + 1
            if whole and [_plain(one) for one in made[:-1]] == list(so_far):
                other = made[-1]
                if isinstance(other, SAID_CALLS):
                    spoken = other if other.seat is not None else replace(other, seat=call.seat)
                    shares[spoken] = max(share, shares.get(spoken, 0.0))
    yield from sorted(shares, key=lambda one: -shares[one])


def _confused(call: c.Call, state: State) -> Iterator[c.Call]:
    """The calls that people confuse with this one, whether they are legal or not."""
    seat, lance = call.seat, call.lance
    match call:
        case c.Bet(stones=stones, both=both):
            for amount in _next_to(stones):
                yield c.Bet(seat=seat, lance=lance, stones=amount, both=both)
            yield c.Ordago(seat=seat, lance=lance, both=both)
        case c.Raise(stones=stones):
            for amount in _next_to(stones):
                yield c.Raise(seat=seat, lance=lance, stones=amount)
            yield c.Accept(seat=seat)
        case c.Reenvido():
            yield from (c.Raise(seat=seat), c.Accept(seat=seat), c.Refuse(seat=seat))
        case c.Ordago():
            yield from (c.Accept(seat=seat), c.Refuse(seat=seat))
            yield from (c.Bet(seat=seat, lance=lance), c.Pass(seat=seat))
        case c.Accept():
            yield from (c.Refuse(seat=seat), c.Refuse(seat=seat, plural=True), c.Raise(seat=seat))
        case c.Refuse():
            yield from (c.Accept(seat=seat), c.Refuse(seat=seat, plural=not call.plural))
            yield c.Raise(seat=seat)
        case c.Pass() if state.phase in BEFORE_LANCES:
            yield from (c.Mus(seat=seat), c.Bet(seat=seat))
        case c.Pass():
            yield from (c.Accept(seat=seat), c.Bet(seat=seat), c.Ordago(seat=seat))
        case c.Mus():
            yield c.Cut(seat=seat)
        case c.Cut():
            yield c.Mus(seat=seat)
        case c.Declare(holds=holds):
            yield c.Declare(seat=seat, lance=lance, holds=not holds)


def _next_to(stones: int) -> list[int]:
    """The usual amounts just below and just above, the smaller one first."""
    near = sorted((n for n in AMOUNTS if n != stones), key=lambda n: abs(n - stones))
    return sorted(near[:2])


def _distinct(calls: Iterator[c.Call], taken: Accepted, state: State) -> tuple[c.Call, ...]:
    """The first calls that are legal in a state, each with a different effect.

    A call that implies words of other players is left out, unless the one that was taken did so.
    """
    made = [taken.events]
    plain = not _implies(taken.events)
    found: list[c.Call] = []
    for call in calls:
        try:
            events = decide(state, call).events
        except (IllegalCall, AmbiguousCall):
            continue
        if events not in made and not (plain and _implies(events)):
            made.append(events)
            found.append(call)
    return tuple(found[:OFFERED])


def _implies(events: Sequence[e.Event]) -> bool:
    """Whether a call implied words that nobody said; their events come before its own."""
    first = next((one for one in events if not isinstance(one, e.SeatInferred)), None)
    return bool(getattr(first, "implied", False))


def is_alike(call: object, other: object) -> bool:
    """Whether two calls are the same but for who made them."""
    return _plain(call) == _plain(other)


def _plain(call: object) -> object:
    """A call without who made it, because another hypothesis may give it to another voice."""
    return replace(call, seat=None) if isinstance(call, c.Call) else call


def hand_again(records: Sequence[Record], call: c.ShowHand) -> tuple[int, tuple[c.Call, ...]]:
    """For a hand that is entered again: the last record to keep, and the calls to make after it.

    Hands, claims and corrections after that hand are made again. The table's decisions about an
    article, or about a claim against the cards, are not, because they were about other cards. If
    the player has shown no hand, the record is the last one, so nothing is taken back.
    """
    counting = effective(records)
    place = next((at for at in range(len(counting) - 1, -1, -1) if _shows(counting[at], call)), -1)
    if place < 0 or any(isinstance(r.event, e.DealStarted) for r in counting[place:]):
        return records[-1].seq, (call,)
    since = place
    while since and _belongs_before(counting[since - 1], counting[since]):
        since -= 1
    later = (_call_of(record.event) for record in counting[place + 1 :])
    return counting[since].seq - 1, (call, *(one for one in later if one is not None))


def _shows(record: Record, call: c.ShowHand) -> bool:
    return isinstance(record.event, e.HandShown) and record.event.seat == call.seat


def _belongs_before(record: Record, following: Record) -> bool:
    return record.batch == following.batch and isinstance(record.event, BEFORE_A_HAND)


def _call_of(event: e.Event) -> c.Call | None:
    """The call of a showdown that made an event; None if the event follows by itself."""
    match event:
        case e.HandShown(seat=seat, cards=cards):
            return c.ShowHand(seat=seat, cards=cards)
        case e.LanceClaimed(by_cards=True):
            return None  # it was about other cards
        case e.LanceClaimed(lance=lance, side=side, values=values):
            return c.ClaimLance(lance=lance, side=side, values=values)
        case e.BetCorrected(lance=lance, stones=stones):
            return c.CorrectBet(lance=lance, stones=stones)
        case e.StonesAdjusted(side=side, stones=stones, reason=reason):
            return c.AdjustStones(side=side, stones=stones, reason=reason, agreed=bool(reason))
        case e.IrregularityReported(kind=kind, seat=seat, cards=cards):
            return c.Report(kind=kind, player=seat, cards=cards)
        case e.StonesSet(stones=stones):
            return c.SetStones(stones=stones)
        case _:
            return None
