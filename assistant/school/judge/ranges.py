"""The probabilities of the hidden hands, given what was said: Bayes' rule with maestro's odds.

A player's call depends on its own hand and on what everybody heard. So each seat has its own
distribution over hands; the correction for one common deck comes when worlds are drawn. A
rival may play otherwise than maestro does, so no call is taken to be impossible (``STRANGE``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.odds.deck import NO_KEY
from assistant.rules import events as e
from assistant.rules.events import Event, How
from assistant.rules.phases import BEFORE_LANCES, BETTING, Lance
from assistant.rules.profile import MusOrder, Profile
from assistant.rules.state import LanceResult, Pending, State
from assistant.school.judge.playout import (
    CHOOSE,
    CUT_FROM,
    SEATS,
    UNTOLD_ACCEPT,
    UNTOLD_BET,
    Floats,
    Ints,
    Tables,
    contexts,
    nodes,
    score_classes,
    ways_of,
)
from assistant.school.judge.playout import NOBODY as NOBODY_HELD
from assistant.school.judge.playout import UNCONTESTED as NOT_PLAYED
from assistant.school.players.maestro import (
    ACTIONS,
    CONTEXTS,
    LANCES,
    LARGE,
    NODES,
    ODDS,
    SCORES,
    SIZE_UP_TO,
    SMALL,
)

STRANGE = 0.05
"""How often a player is taken to do anything, whatever it holds."""
MOST_SMALL = 3
"""The largest bet that is looked up as the small one."""
HOW = {
    How.PASSED: 1, How.ACCEPTED: 2, How.REFUSED: 3,
    How.UNCONTESTED: NOT_PLAYED, How.NOBODY: NOBODY_HELD, How.ORDAGO: 6, How.VOID: NOBODY_HELD,
}  # fmt: skip
"""How the rules say that a lance was closed -> how ``playout`` does."""
WANTS_MUS, CUTS = True, False
MOST_CHANGES = 3
"""The most changes of cards that are looked back on: earlier hands hardly matter."""


# ---- The calls of a deal, from the state and its events ------------------------------------------


@dataclass(frozen=True, slots=True)
class HeardCall:
    """One call of a lance, and the betting before it. Seats count from mano.

    action  as maestro has them: 0 pass or refuse, 1 accept, 2 and 3 bet, 4 órdago
    """

    lance: int
    seat: int
    action: int
    bettor: int = -1
    stones: int = 0
    base: int = 0
    all_in: bool = False
    gone: int = 0


def said_in_lances(state: State, events: Sequence[Event] = ()) -> list[HeardCall]:
    """Every call of this deal's lances so far, by the events of the deal.

    Without ``events`` they are inferred from the state, which keeps only a lance's last bet and the
    number before it: the usual bets and raises to that number are assumed.
    """
    if events:
        return _by_events(state, events)
    said: list[HeardCall] = []
    for result in state.results:
        if result.how is How.PASSED:
            order = [_from_mano(state, seat) for seat in state.holders(result.lance)]
            said += [HeardCall(LANCES.index(result.lance), seat, 0) for seat in order]
        elif result.bet is not None:
            said += _of_bet(state, result.bet)
    lance = BETTING.get(state.phase)
    if state.pending is not None:
        said += _of_bet(state, state.pending)
    elif lance is not None:
        order = [_from_mano(state, seat) for seat in state.spoken]
        said += [HeardCall(LANCES.index(lance), seat, 0) for seat in order]
    return said


def _from_mano(state: State, seat: int) -> int:
    return (seat - state.mano) % SEATS


class _Betting:
    """Follows the betting of one lance, call by call. Seats count from mano."""

    def __init__(self, lance: int) -> None:
        self.said: list[HeardCall] = []
        self._now = HeardCall(lance, 0, 0)

    def stays(self, seat: int, action: int) -> None:
        """Somebody passes, refuses or accepts."""
        self.said.append(replace(self._now, seat=seat, action=action))
        if action == 0 and self._now.bettor >= 0:
            self.leaves(seat)

    def leaves(self, seat: int) -> None:
        """Somebody is out of the lance, perhaps because his partner spoke for both."""
        self._now = replace(self._now, gone=self._now.gone | 1 << seat)

    def bets(self, seat: int, more: int, *, all_in: bool = False) -> None:
        """Somebody bets, or raises by so many stones."""
        now = self._now
        action = 4 if all_in else 2 if more <= MOST_SMALL else 3
        self.said.append(replace(now, seat=seat, action=action))
        self._now = replace(
            now, bettor=seat, stones=now.stones + more, base=now.stones, all_in=all_in
        )


def _by_events(state: State, events: Sequence[Event]) -> list[HeardCall]:
    bets: dict[Lance, _Betting] = {}

    def of(lance: Lance) -> _Betting:
        return bets.setdefault(lance, _Betting(LANCES.index(lance)))

    for event in events:
        match event:
            case e.DealStarted():
                bets.clear()
            case e.Passed(seat=seat, lance=lance):
                of(lance).stays(_from_mano(state, seat), 0)
            case e.BetRefused(seat=seat, lance=lance, implied=True):
                of(lance).leaves(_from_mano(state, seat))
            case e.BetRefused(seat=seat, lance=lance):
                of(lance).stays(_from_mano(state, seat), 0)
            case e.BetAccepted(seat=seat, lance=lance):
                of(lance).stays(_from_mano(state, seat), 1)
            case e.BetMade(seat=seat, lance=lance, stones=n, implied=False):
                of(lance).bets(_from_mano(state, seat), n)
            case e.BetRaised(seat=seat, lance=lance, stones=n):
                of(lance).bets(_from_mano(state, seat), n)
            case e.OrdagoMade(seat=seat, lance=lance, implied=False):
                of(lance).bets(_from_mano(state, seat), state.profile.target, all_in=True)
    return [said for betting in bets.values() for said in betting.said]


def _of_bet(state: State, bet: Pending) -> list[HeardCall]:
    """The calls that may have led to a bet, and those that answered it."""
    holders = [_from_mano(state, seat) for seat in state.holders(bet.lance)]
    last, out = _from_mano(state, bet.seat), {_from_mano(state, seat) for seat in bet.out}
    told = _Betting(LANCES.index(bet.lance))
    before = _usual_bets(bet.base)
    other = _who_bet_before(holders, last, out) if before else last
    # Who bet before alternates with who bet last, and was the last to bet before him.
    bettors = [other if (len(before) - n) % 2 else last for n in range(len(before))]
    for seat in holders:
        if seat < min([*bettors[:1], last]):
            told.stays(seat, 0)
    for n, (seat, more) in enumerate(zip(bettors, before, strict=True)):
        told.bets(seat, more)
        if n == len(before) - 1:
            for gone in sorted(out, key=lambda one: (one - other) % SEATS):
                told.stays(gone, 0) if (gone - other) % 2 else told.leaves(gone)
    told.bets(last, bet.stones - bet.base, all_in=bet.ordago)
    for seat in bet.refused:
        told.stays(_from_mano(state, seat), 0)
    for seat in bet.accepted:
        told.stays(_from_mano(state, seat), 1)
    return told.said


def _usual_bets(stones: int) -> list[int]:
    """The bets and raises by which players mostly come to so many stones."""
    if stones <= MOST_SMALL or stones in (5, 6):
        return [stones] if stones else []
    found, left = [SMALL], stones - SMALL
    while left > LARGE + MOST_SMALL:
        found.append(LARGE)
        left -= LARGE
    return [*found, left]


def _who_bet_before(holders: list[int], last: int, out: set[int]) -> int:
    """Who made the bet that ``last`` raised: the partner of the raiser answers, or he, first."""
    partner, left, right = ((last + step) % SEATS for step in (2, 1, 3))
    rivals = [seat for seat in holders if (seat - last) % 2]
    if partner in out and left in rivals:
        return left
    if partner in holders and right in rivals:
        return right
    return min(rivals, default=right)


# ---- The chances of one seat's hands -------------------------------------------------------------


def stones_before(state: State, lance: int) -> list[int]:
    """The stones of both sides when a lance of this deal began: dejes are paid at once."""
    stones = list(state.stones)
    for result in state.results:
        if LANCES.index(result.lance) >= lance and result.how is How.REFUSED and result.side:
            stones[ord(result.side) - ord("A")] -= result.won
    return stones


def closed(state: State, side_of_mano: int) -> tuple[Ints, Ints]:
    """How each lance was closed and for whom, as ``playout`` has it; the side 0 is mano's."""
    how, side = np.zeros(5, dtype=np.int64), np.full(5, -1)
    for result in state.results:
        lance = LANCES.index(result.lance)
        how[lance] = HOW[result.how]
        who = _bettor_side(result)
        if who is not None:
            side[lance] = (who - side_of_mano) % 2
    return how, side


def _bettor_side(result: LanceResult) -> int | None:
    if result.bet is not None:
        return (result.bet.seat - 1) % 2
    return ord(result.side) - ord("A") if result.side else None


class Ranges:
    """The chances of every hidden hand in one deal, by what its players said."""

    def __init__(
        self,
        tables: Tables,
        state: State,
        hand: int,
        events: Sequence[Event] = (),
        *,
        throws_now: bool = False,
        way: int = 0,
    ) -> None:
        """``hand`` is one's own. ``throws_now``: all said mus, and nobody has drawn yet.

        ``way``: the way in which all play, as its number in ``Tables.odds``.
        """
        self._said = said_in_lances(state, events)
        self.tables, self.state, self.hand = tables, state, hand
        self.changes = state.discards - throws_now
        self._throws_now, self.way = throws_now, way
        deck = tables.lore.hands
        self.left = deck.deck.copies - deck.counts[hand]
        """The cards that the others may hold. Shape (ranks,)."""
        self.marginal = ways_of(self.left, deck.counts)
        """In how many ways another player is dealt each hand."""

    def of(self, seat: int, thrown: Mapping[int, int], *, heard: bool = True) -> Floats:
        """A seat's chance of each hand. ``thrown``: how many cards seats threw last, if known.

        Without ``heard`` it is by the cards and the declarations alone.
        """
        chance = self.marginal
        if heard:
            chance = self._dealt(seat, thrown) * self._told_by_mus(seat)
        for lance, holds in ((Lance.PARES, self.state.pares), (Lance.JUEGO, self.state.juego)):
            told = holds[seat - 1]
            if told is not None:
                plays = self.tables.classes[LANCES.index(lance)] != NO_KEY
                chance = chance * (plays == told)
        place = _from_mano(self.state, seat)
        for one in self._said if heard else ():
            if one.seat == place:
                chance = chance * self.likelihood(one)
        whole = float(chance.sum())
        return chance / whole if whole > 0 else self.marginal / self.marginal.sum()

    def likelihood(self, said: HeardCall) -> Floats:
        """How likely a call is with each hand. Shape (hands,)."""
        number = self.odds_of(said)
        chance = np.where(number == 0, self._untold(said), ODDS[number, said.action])
        return np.asarray((1 - STRANGE) * chance + STRANGE / ACTIONS)

    def odds_of(self, said: HeardCall) -> Ints:
        """The number of maestro's odds with each hand where somebody called. Shape (hands,)."""
        state, lore = self.state, self.tables.lore
        lance = LANCES[said.lance]
        mine = (state.mano - 1 + said.seat) % 2
        stones = stones_before(state, said.lance)
        target = state.profile.target
        score = score_classes(np.array(target - stones[mine]), np.array(target - stones[1 - mine]))
        how, side = closed(state, (state.mano - 1) % 2)
        cutter = -1 if state.cutter is None else _from_mano(state, state.cutter)
        holders = sum(1 << _from_mano(state, seat) for seat in state.holders(lance))
        past = contexts(
            said.lance, np.array(said.seat), np.array(cutter), how, side, np.array(holders)
        )
        node = nodes(
            np.array(said.seat),
            np.array(said.bettor),
            np.array(said.stones),
            np.array(said.base),
            np.array(said.all_in),
            np.array(said.gone),
            np.array(holders),
        )
        kinds = lore.kinds[said.lance].astype(np.int64)
        at = ((kinds * CONTEXTS[lance] + past) * SCORES + score) * NODES + node
        return np.asarray(self.tables.odds[lance][self.way, at], dtype=np.int64)

    def _untold(self, said: HeardCall) -> Floats:
        """The same where maestro learnt nothing; see ``Deals``."""
        rank = self.tables.ranked[said.lance]
        if said.bettor < 0:
            bets = rank >= UNTOLD_BET
            return np.where(bets, said.action == 2, said.action == 0).astype(float)
        size = 4 if said.all_in else sum(said.stones > up for up in SIZE_UP_TO)
        accepts = rank >= UNTOLD_ACCEPT[size]
        return np.where(accepts, said.action == 1, said.action == 0).astype(float)

    # ---- Mus, and cards that were changed ----

    def _dealt(self, seat: int, thrown: Mapping[int, int]) -> Floats:
        """A seat's chance of each hand before any of its calls, but after its changes of cards."""
        chance = self.marginal / self.marginal.sum()
        for change in range(max(0, self.changes - MOST_CHANGES), self.changes):
            chance = chance * self._mus_chance(self._round(seat, change), WANTS_MUS)
            many = thrown.get(seat) if change == self.changes - 1 else None
            chance = self._exchanged(chance, many)
        return np.asarray(chance)

    def _exchanged(self, chance: Floats, many: int | None) -> Floats:
        """The chances of hands after each has thrown what maestro throws; ``many`` if known."""
        tables = self.tables
        counts, throws = tables.lore.hands.counts, tables.throws
        if many is not None:
            away = (throws[:, None] >> np.arange(SEATS) & 1).sum(axis=1)
            fits = np.where(away == many, 1.0, STRANGE)
            chance = chance * fits
        kept = np.zeros_like(counts)
        for place in range(SEATS):
            stays = (throws >> place & 1) == 0
            np.add.at(kept, (np.flatnonzero(stays), tables.ranks[stays, place]), 1)
        after = np.zeros(len(counts))
        likely = np.flatnonzero(chance > chance.max() * 1e-4)
        # Hands that keep the same cards draw alike, but for what they threw away.
        groups, of = np.unique(kept[likely], axis=0, return_inverse=True)
        mass = np.bincount(of.ravel(), chance[likely])
        for some, weight in zip(groups, mass, strict=True):
            drawn = counts - some
            able = (drawn >= 0).all(axis=1)
            left = np.maximum(self.left - some, 0)
            ways = np.where(able, CHOOSE[left, np.maximum(drawn, 0)].prod(axis=1), 0.0)
            after += weight * ways / max(1e-9, ways.sum())
        return after

    def usual(self, seat: int) -> int | None:
        """Maestro's most frequent action now with the own hand; None if it never learnt this."""
        state = self.state
        lance, bet = state.lance, state.pending
        assert lance is not None
        now = HeardCall(LANCES.index(lance), _from_mano(state, seat), 0)
        if bet is not None:
            gone = {_from_mano(state, one) for one in (*bet.refused, *bet.out)}
            bits = sum(1 << one for one in gone)
            last = _from_mano(state, bet.seat)
            now = replace(
                now, bettor=last, stones=bet.stones, base=bet.base, all_in=bet.ordago, gone=bits
            )
        number = int(self.odds_of(now)[self.hand])
        return int(ODDS[number].argmax()) if number else None

    def usual_mus(self) -> bool:
        """Whether players mostly say mus with the own hand."""
        return bool(self.tables.good[self.hand] < CUT_FROM)

    def _round(self, seat: int, change: int) -> tuple[int, int, int]:
        """A seat's place, the kind of mus, and its score, once cards were changed so often."""
        kind = 2 if self.state.corrido else min(change, 1)
        return (seat - self._mano_of_round(change)) % SEATS, kind, self._score(seat)

    def _mano_of_round(self, change: int) -> int:
        state = self.state
        if not state.corrido:
            return state.mano
        return (state.dealt_mano - 1 + change) % SEATS + 1

    def _score(self, seat: int) -> int:
        state = self.state
        before = stones_before(state, 0)
        mine, target = (seat - 1) % 2, state.profile.target
        return int(
            score_classes(np.array(target - before[mine]), np.array(target - before[1 - mine]))
        )

    def _mus_chance(self, moment: tuple[int, int, int], wants: bool) -> Floats:
        place, kind, score = moment
        lore = self.tables.lore
        hands = np.arange(len(lore.kinds[0]))
        at = ((hands * 3 + kind) * 4 + place) * SCORES + score
        chance = self.tables.mus[self.way, at] / 255
        chance = chance if wants else 1.0 - chance
        return np.asarray((1 - STRANGE) * chance + STRANGE / 2)

    def _told_by_mus(self, seat: int) -> Floats:
        """The likelihood, by hand, of what a seat said about the mus in the present round."""
        state = self.state
        moment = self._round(seat, self.changes)
        if self._throws_now or (state.phase in BEFORE_LANCES and seat in state.spoken):
            return self._mus_chance(moment, WANTS_MUS)
        if state.phase in BEFORE_LANCES or state.cutter is None:
            return np.ones(len(self.marginal))
        if seat == state.cutter:
            return self._mus_chance(moment, CUTS)
        order = mus_places(state.profile)
        mano = self._mano_of_round(self.changes)
        place, cut_at = (order.index((one - mano) % SEATS) for one in (seat, state.cutter))
        return (
            self._mus_chance(moment, WANTS_MUS) if place < cut_at else np.ones(len(self.marginal))
        )


def mus_places(profile: Profile) -> tuple[int, ...]:
    """In which order the places from mano are asked for mus (R03)."""
    return (0, 1, 2, 3) if profile.mus_order is MusOrder.SEAT else (0, 2, 1, 3)
