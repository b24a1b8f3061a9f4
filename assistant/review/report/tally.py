"""What each player and pair did in an evening, counted and weighed by the odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.odds import Known, LanceChance, OddsError, chances
from assistant.review.chronicle import Chronicle, chronicle
from assistant.review.chronicle.build import ChronicleStep, by_deal, standing, walk
from assistant.review.chronicle.shape import LOST as GIVEN_BACK
from assistant.review.chronicle.shape import PEDRETE, TABLE
from assistant.review.report.shape import Count, Decision, EveningReport, PairTold, PlayerTold
from assistant.rules import events as e
from assistant.rules.cards import Hand
from assistant.rules.errors import HistoryError
from assistant.rules.hands import value
from assistant.rules.history import Record
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile, Sides
from assistant.rules.state import LanceResult, State

# ---- Whether a bet was worth accepting ----------------------------------------------------------
# A judge, which the composition root hands in, says how much of the chance to win the juego an
# answer leaves. If there is none for the house rules, it is estimated by the cards alone:
#
# A bet would agree to N stones, and refusing it gives d. The chance to win the lance is p. At the
# count our hands bring at least b stones with it, theirs at least b'. Accepting is worth
#
#     p (N + b) - (1 - p) (N + b')    against    - d - b'    for refusing
#
# so it is better from p = (N - d) / (2 N + b + b'). An órdago is worth accepting from the chance
# to win the juego that refusing leaves: between equals, of the stones that each still needs,
# theirs / (ours + theirs), as in the gambler's ruin (Feller 1968, XIV.2).


FOUR = 4
LEAST = {Lance.PARES: 1, Lance.JUEGO: 2, Lance.PUNTO: 1}
"""The least stones that a hand in the lance brings at the count (R28)."""


@dataclass(frozen=True, slots=True)
class WeighedAnswer:
    """The value of accepting, compared with refusing.

    chance, needed  that accepting, and refusing, leave of winning the juego, 0 to 1
    gain            what accepting brings over refusing, in points of the juego, 0 to 100
    alone           by the cards alone: ``chance`` is then that of winning the lance, ``needed`` the
                    one from which accepting is better, and ``gain`` is in stones
    """

    chance: float
    needed: float
    gain: float
    alone: bool = False


Weigh = Callable[[State, int, Hand, Sequence[e.Event]], WeighedAnswer | None]
"""Weighs the bet that waits for a seat with a hand; the events are those of the deal so far.

None if it cannot be weighed.
"""


def weigh_alone(
    state: State, seat: int, hand: Hand, _events: Sequence[e.Event] = ()
) -> WeighedAnswer | None:
    """Weigh the bet that waits by the cards alone, for a seat with this hand.

    None if the odds cannot be computed: they need four players in two pairs, and cards that fit the
    declarations.
    """
    bet = state.pending
    chance = _chance(state, seat, hand)
    if bet is None or chance is None:
        return None
    if bet.ordago:
        needed = _value_of_refusing(state, seat)
        return WeighedAnswer(chance, needed, (chance - needed) * state.profile.target, alone=True)
    ours, theirs = _brought(state, seat, hand)
    whole = 2 * bet.stones + ours + theirs
    needed = (bet.stones - bet.deje) / whole
    return WeighedAnswer(chance, needed, (chance - needed) * whole, alone=True)


def _chance(state: State, seat: int, hand: Hand) -> float | None:
    """The chance that a seat's pair wins the lance, given that both pairs play it."""
    profile, lance = state.profile, state.lance
    if lance is None or state.players != FOUR or profile.sides is not Sides.TWO:
        return None
    ranks = tuple(card.rank for card in hand)
    try:
        found = _asked(Known(ranks, seat, state.mano, None, state.pares, state.juego), profile)
    except OddsError:
        return None
    one = found[lance]
    return one.won_contested / one.contested if one.contested else None


@lru_cache(maxsize=1024)
def _asked(known: Known, profile: Profile) -> dict[Lance, LanceChance]:
    return chances(known, profile)


def _value_of_refusing(state: State, seat: int) -> float:
    """The chance to win the juego once the deje is given, between equals."""
    bet, us = state.pending, "AB".index(state.side_of(seat))
    assert bet is not None
    left = [max(1, state.profile.target - stones) for stones in state.stones]
    theirs = left[1 - us] - bet.deje
    return max(0.0, theirs / (left[us] + theirs))


def _brought(state: State, seat: int, hand: Hand) -> tuple[int, int]:
    """The least stones that our hands, and theirs, bring with the lance."""
    lance = state.lance
    assert lance is not None
    least = LEAST.get(lance, 0)
    if lance is Lance.PUNTO or not least:
        return least, least
    held, us = state.declared(lance), state.side_of(seat)
    others = [one for one in state.order() if held[one - 1] and one != seat]
    partners = sum(least for one in others if state.side_of(one) == us)
    return _own(hand, lance, state.profile) + partners, least * len(others) - partners


def _own(hand: Hand, lance: Lance, profile: Profile) -> int:
    """Stones that the hand itself brings at the count (R13, R28)."""
    held = value(hand, profile)
    if lance is Lance.PARES:
        return held.pares.value if held.pares else 0
    return held.juego_stones


# ---- One match counted, seat by seat ------------------------------------------------------------


WON, LOST, REFUSED = "won", "lost", "refused"
WANTED = "wanted "
"""The prefix of an outcome: the órdago was somebody else's, who accepted it."""
STONES = " stones"
"""The suffix of an outcome: its stones."""


@dataclass(slots=True)
class TalliedMatch:
    """What was counted of a match; ``counts`` and ``decisions`` are by seat."""

    counts: list[Count]
    decisions: list[list[Decision]]
    hidden: int = 0


def count_match(
    records: Sequence[Record], match: int = 1, weigh: Weigh = weigh_alone
) -> TalliedMatch:
    """Count a match, its answers weighed. Raises HistoryError where its records do not fold."""
    steps = walk(records)
    state = steps[-1].after
    seats = range(state.players)
    found = TalliedMatch([Count() for _ in seats], [[] for _ in seats])
    for deal in by_deal(steps)[1:]:
        kept = standing(deal)
        if kept and kept[-1].after.voided is None:
            _Deal(found, kept, match, weigh).count()
    return found


class _Deal:
    """One deal, from the steps that still stand at its end."""

    def __init__(
        self, match: TalliedMatch, steps: Sequence[ChronicleStep], number: int, weigh: Weigh
    ) -> None:
        self._match, self._steps, self._number, self._weigh = match, steps, number, weigh
        self._events: list[e.Event] = []
        self._end: State = steps[-1].after
        self._results = {result.lance: result for result in self._end.results}
        self._answers: dict[Lance, list[int]] = {}

    def count(self) -> None:
        """Add it to the match."""
        end = self._end
        for count in self._match.counts:
            count.deals += 1
        self._of(end.mano).mano += 1
        for step in self._steps:
            self._call(step)
            self._stones(step.event)
            self._events.append(step.event)
        for result in end.results:
            self._bet(result)

    def _of(self, seat: int) -> Count:
        return self._match.counts[seat - 1]

    def _call(self, step: ChronicleStep) -> None:
        match step.event:
            case e.MusAsked(seat=seat):
                self._of(seat).calls["", "mus"] += 1
            case e.MusCut(seat=seat):
                self._of(seat).calls["", "cut"] += 1
            case e.Passed(seat=seat, lance=lance):
                self._called(seat, lance, "pass")
            case e.BetMade(seat=seat, lance=lance):
                self._called(seat, lance, "bet")
            case e.BetRaised(seat=seat, lance=lance):
                self._called(seat, lance, "raise")
            case e.OrdagoMade(seat=seat, lance=lance):
                self._called(seat, lance, "ordago")
            case e.BetAccepted(seat=seat, lance=lance):
                self._answered(step, seat, lance, accepted=True)
            case e.BetRefused(seat=seat, lance=lance):
                self._answered(step, seat, lance, accepted=False)
            case e.DeclarationDisproved(seat=seat):
                self._of(seat).disproved += 1

    def _called(self, seat: int, lance: Lance, kind: str) -> None:
        self._of(seat).calls[str(lance), kind] += 1

    def _answered(self, step: ChronicleStep, seat: int, lance: Lance, *, accepted: bool) -> None:
        self._called(seat, lance, "accept" if accepted else "refuse")
        self._answers.setdefault(lance, []).append(seat)
        before = step.before
        bet = before.pending if before else None
        if before is None or bet is None:
            return
        hand = self._end.hands[seat - 1]
        weighed = self._weigh(before, seat, hand, self._events) if hand else None
        if weighed is None:
            self._match.hidden += 1
            return
        self._match.decisions[seat - 1].append(
            Decision(
                match=self._number,
                deal=self._end.deal,
                name=self._end.seats[seat - 1],
                lance=lance,
                accepted=accepted,
                ordago=bet.ordago,
                stones=0 if bet.ordago else bet.stones,
                deje=bet.deje,
                chance=weighed.chance,
                needed=weighed.needed,
                gain=weighed.gain if accepted else -weighed.gain,
                alone=weighed.alone,
                won=self._won(lance, seat),
            )
        )

    def _won(self, lance: Lance, seat: int) -> bool | None:
        """Whether a seat's pair took a lance that cards decided, or would have decided."""
        result = self._results.get(lance)
        if result is None or result.side is None or result.how is e.How.REFUSED:
            return None
        return result.side == self._end.side_of(seat)

    def _stones(self, event: e.Event) -> None:
        """Give stones to the player whose cards, or whose bet, brought them."""
        if not isinstance(event, e.StonesWon):
            return
        result = self._results.get(event.lance)
        if event.why is e.Why.DEJE:
            if result and result.bet:
                self._deje(result, event)
        elif result and result.seat and self._end.side_of(result.seat) == event.side:
            self._of(result.seat).by_hand[str(event.lance)] += event.stones

    def _deje(self, result: LanceResult, event: e.StonesWon) -> None:
        assert result.bet is not None
        mine = self._of(result.bet.seat)
        mine.dejes_won += 1
        mine.deje_stones_won += event.stones
        if answers := self._answers.get(result.lance):
            given = self._of(answers[-1])
            given.dejes_given += 1
            given.deje_stones_given += event.stones

    def _bet(self, result: LanceResult) -> None:
        """Count how an accepted bet, or an órdago, ended."""
        bet = result.bet
        if bet is None:
            return
        mine = self._of(bet.seat)
        if result.how is e.How.REFUSED:
            if bet.ordago:
                mine.ordagos[REFUSED] += 1
            return
        if result.side is None:
            return  # not counted any more: somebody was out before
        won = WON if result.side == self._end.side_of(bet.seat) else LOST
        theirs = LOST if won == WON else WON
        wanted = self._answers.get(result.lance, [])
        if bet.ordago:
            mine.ordagos[won] += 1
            for seat in wanted[-1:]:
                self._of(seat).ordagos[WANTED + theirs] += 1
            return
        _note(mine.bets, won, result.stones)
        for seat in wanted[-1:]:
            _note(self._of(seat).answers, theirs, result.stones)


def _note(outcomes: Counter[str], outcome: str, stones: int) -> None:
    outcomes[outcome] += 1
    outcomes[outcome + STONES] += stones


# ---- The matches of an evening together: the same player at two tables is one player ------------


SHOWN = 3
"""The number of decisions that are shown as the best, and of those shown as the dearest."""
TRIFLE = 0.5
"""A decision of fewer points of the juego, or of so few stones by the cards alone, is neither."""

Names = tuple[str, ...]


def report(matches: Sequence[Sequence[Record]], weigh: Weigh = weigh_alone) -> EveningReport:
    """The report of some matches, in order; those without a deal are left out.

    ``weigh`` judges the answers.

    Raises HistoryError if records do not fold, or if there is nothing to report.
    """
    told = [(chronicle(records), records) for records in matches if records]
    played = [(one, records) for one, records in told if one.deals]
    if not played:
        raise HistoryError("Nothing was dealt in these matches.")
    pairs: dict[Names, _Pair] = {}
    hidden = 0
    for number, (one, records) in enumerate(played, start=1):
        counted = count_match(records, number, weigh)
        hidden += counted.hidden
        for side in one.table.letters:
            names = one.table.names(side)
            pairs.setdefault(tuple(sorted(names)), _Pair(names)).add(one, side, counted)
    found = tuple(pair.told() for pair in pairs.values())
    decided = sorted(
        (one for pair in found for player in pair.players for one in player.decisions),
        key=lambda one: one.gain,
    )
    return EveningReport(
        began=played[0][0].began,
        ended=played[-1][0].ended,
        matches=len(played),
        deals=sum(len(one.deals) for one, _ in played),
        juegos=sum(len(one.juegos) for one, _ in played),
        pairs=found,
        best=tuple(one for one in decided[::-1][:SHOWN] if one.gain > TRIFLE),
        dearest=tuple(one for one in decided[:SHOWN] if one.gain < -TRIFLE),
        hidden=hidden,
    )


class _Pair:
    """A pair while its matches are counted."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._juegos = self._matches = 0
        self._stones: Counter[str] = Counter()
        self._why: Counter[str] = Counter()
        self._counts = {name: Count() for name in names}
        self._decisions: dict[str, list[Decision]] = {name: [] for name in names}

    def add(self, told: Chronicle, side: str, counted: TalliedMatch) -> None:
        """Count a match of theirs, played as one of its sides."""
        self._juegos += sum(juego.side == side for juego in told.juegos)
        self._matches += told.winner == side
        for point in told.points:
            if point.side == side:
                self._stones[point.lance or ""] += point.stones
                self._why[point.why] += point.stones
        for seat, name in enumerate(told.table.seats):
            if told.table.side_of(seat + 1) == side:
                self._counts[name].add(counted.counts[seat])
                self._decisions[name] += counted.decisions[seat]

    def told(self) -> PairTold:
        """The pair's part of the report."""
        players = tuple(
            PlayerTold(name, self._counts[name], tuple(self._decisions[name]))
            for name in self._names
        )
        return PairTold(
            names=self._names,
            juegos=self._juegos,
            matches=self._matches,
            stones=_without_nothing(self._stones),
            by_why=_without_nothing(self._why),
            shared=self._at_the_count() - sum(_brought_by(player.count) for player in players),
            players=players,
        )

    def _at_the_count(self) -> int:
        """Stones that lances brought, dejes included."""
        elsewhere = sum(self._why[why] for why in (PEDRETE, TABLE, GIVEN_BACK))
        return sum(self._why.values()) - elsewhere


def _brought_by(count: Count) -> int:
    """Stones that one player's cards and bets brought."""
    return sum(count.by_hand.values()) + count.deje_stones_won


def _without_nothing(counted: Counter[str]) -> Mapping[str, int]:
    return {key: count for key, count in counted.items() if count}
