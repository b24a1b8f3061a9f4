"""The stones of a closed lance, who wins them, and whose cards can still change that.

Pure: it reads the state and the shown hands, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from assistant.rules import events as e
from assistant.rules.cards import parse_hand
from assistant.rules.events import ACCEPTED, NOBODY, ORDAGO, PASSED, REFUSED, UNCONTESTED, VOID
from assistant.rules.hands import JUEGO_FROM, HandValue, best_seat, value
from assistant.rules.phases import CHICA, GRANDE, JUEGO, PARES, PUNTO, SHOWDOWN, Lance
from assistant.rules.profile import Penalty, Profile, Real31
from assistant.rules.state import (
    SIDE_LETTERS,
    LanceResult,
    Proposal,
    State,
    evolve,
    once_a_state,
)

# ---- The stones of a lance: bet, paso, values of the hands, the effect of articles --------------
# Sources: R13, R15, R17, R20 and R24-R29 of the rule table; S2 5.2, 5.3 and 5.5 for what a false
# declaration costs.


Values = Mapping[int, HandValue]
"""The shown hands by seat."""

BEST_PUNTO = 30


class LanceOutcome(NamedTuple):
    """Who takes a lance and what it brings; ``seat`` where cards decided it."""

    side: str
    seat: int | None
    stones: tuple[tuple[int, e.Why], ...]


def hand_values(state: State) -> dict[int, HandValue]:
    """The shown hands in play by seat, valued under the house rules."""
    profile, out = state.profile, state.out
    return {
        seat: value(hand, profile)
        for seat, hand in enumerate(state.hands, start=1)
        if hand is not None and seat not in out
    }


def counted(state: State) -> tuple[LanceResult, ...]:
    """The lances that count, in their order; if an órdago stands, its lance alone (R32)."""
    for result in state.results:
        if result.how is ORDAGO:
            return (result,)
    return state.results


def outcome(state: State, result: LanceResult, values: Values) -> LanceOutcome | None:
    """What a closed lance brings at the count; ``None`` where it brings nobody anything."""
    if result.how is NOBODY or result.how is VOID:
        return None
    if state.incidents.applied:
        if denied := punished(state, result):
            return _after_denial(state, result, values, denied)
        if void := _voided_pares(state, result):
            return _after_void(state, result, values, state.side_of(void.seat or 0))
    return _plain(state, result, values)


def winner(state: State, result: LanceResult, values: Values) -> int | None:
    """The seat with the best hand of those who play for a lance; mano wins ties (R39, R47)."""
    return best_seat(result.lance, values, state.rivals_in(result))


def _plain(state: State, result: LanceResult, values: Values) -> LanceOutcome | None:
    side, seat = result.side, None
    if result.claimed is None and result.how is not REFUSED and result.how is not UNCONTESTED:
        seat = winner(state, result, values)
        if seat is None:
            return None  # no declared hand held anything: there is nothing to win
        side = state.side_of(seat)
    if side is None:
        return None  # never: a claimed, refused or uncontested lance has its side
    return LanceOutcome(side, seat, _stones(state, result, side, values))


def unclaimed(result: LanceResult) -> LanceResult:
    """A claimed lance as it was before the claim: the cards decide it again."""
    closed = result.how is REFUSED or result.how is UNCONTESTED
    return evolve(result, claimed=None, side=result.side if closed else None)


def disproved_claims(state: State) -> tuple[tuple[LanceResult, LanceOutcome], ...]:
    """The claimed lances that the open cards contradict, each with what the cards give (R46).

    A claim stands where a hand is not shown that might bear it out; so does one that an article
    bears on, and one that was not counted because the juego was over before.
    """
    if all(result.claimed is None for result in state.results):
        return ()
    values, unseen = hand_values(state), _unseen(state)
    found = [
        (result, won)
        for result in counted(state)
        if (won := _against_the_claim(state, result, unseen, values))
    ]
    return tuple(found)


def _against_the_claim(
    state: State, result: LanceResult, unseen: list[int], values: Values
) -> LanceOutcome | None:
    if result.claimed is None or punished(state, result):
        return None
    if state.juego_won and not result.won and result.how is not ORDAGO:
        return None
    by_cards = unclaimed(result)
    if _needed(state, by_cards, unseen, values):
        return None
    won = _plain(state, by_cards, values)
    if won is None or won.side != result.side:
        return won
    as_claimed = result.how is ORDAGO or result.lance not in WITH_VALUES
    same = as_claimed or sum(result.claimed) == own_stones(state, by_cards, won.side, values)
    return None if same else won


def own_stones(state: State, result: LanceResult, side: str, values: Values) -> int:
    """The stones of a side's own open hands at pares or juego; 0 in the other lances."""
    return _worth(state, result, side, values)[0]


def _stones(
    state: State, result: LanceResult, side: str, values: Values
) -> tuple[tuple[int, e.Why], ...]:
    """Bet, then the value of the hands (R13, R15, R20, R29)."""
    lance, prizes = result.lance, []
    if result.owed:
        prizes.append((result.owed, e.Why.DEJE))
    if result.how is ACCEPTED:
        prizes.append((1, e.Why.PENALTY) if result.limited else (result.stones, e.Why.BET))
    elif result.how is PASSED and (lance is GRANDE or lance is CHICA):
        prizes.append((1, e.Why.PASO))
    if lance is PUNTO:
        prizes.append((1, e.Why.PUNTO))
    prizes.append(_worth(state, result, side, values))
    return tuple([prize for prize in prizes if prize[0]])


def _worth(state: State, result: LanceResult, side: str, values: Values) -> tuple[int, e.Why]:
    """The stones that a side's own hands bring at pares or juego."""
    lance = result.lance
    if lance is not PARES and lance is not JUEGO:
        return 0, e.Why.JUEGO
    why = e.Why.PARES if lance is PARES else e.Why.JUEGO
    if result.claimed is not None and result.side == side:
        return sum(result.claimed), why
    mine = [
        values[seat]
        for seat in state.rivals_in(result)
        if seat in values and state.side_of(seat) == side
    ]
    if lance is PARES:
        return sum([hand.pares.value for hand in mine if hand.pares]), why
    return sum([hand.juego_stones for hand in mine]), why


def rivals_of(state: State, denials: tuple[Proposal, ...]) -> tuple[int, ...]:
    """The holders of the denied lance on the other sides, from mano."""
    offender, lance = state.side_of(denials[0].seat or 0), denials[0].lance
    if lance is None:
        return ()
    return tuple(seat for seat in state.holders(lance) if state.side_of(seat) != offender)


def punished(state: State, result: LanceResult) -> tuple[Proposal, ...]:
    """The denials at this lance that are punished; none if two sides have lied."""
    denials = tuple(
        p
        for p in state.incidents.applied
        if p.remedy is e.Remedy.DENIED and p.lance is result.lance and p.seat
    )
    return denials if len({state.side_of(p.seat or 0) for p in denials}) == 1 else ()


def _after_denial(
    state: State, result: LanceResult, values: Values, denials: tuple[Proposal, ...]
) -> LanceOutcome | None:
    """S2 5.2, 5.3: the rivals take their own values and the negada, even with the lower hands.

    Stones that the offenders' side lost stay lost. If no rival holds any, nothing was taken from
    the rivals: the denied hand does not count, and that is all.
    """
    offender = state.side_of(denials[0].seat or 0)
    best = best_seat(result.lance, values, rivals_of(state, denials))
    plain = _plain(state, result, values)
    played_for = result.how is ACCEPTED or result.how is REFUSED
    if best is None or (plain and plain.side != offender and played_for):
        return plain  # the bet, or the deje that was paid already, is worth a negada or more
    side = state.side_of(best)
    prizes = ((1, e.Why.PENALTY), _worth(state, result, side, values))
    return LanceOutcome(side, best, tuple(prize for prize in prizes if prize[0]))


def void_deje(state: State, result: LanceResult, values: Values) -> int:
    """The stones to give back of a deje that was won by a denial (S2 5.2); 0 for any other deje."""
    if result.how is not REFUSED or result.side is None:
        return 0
    won = outcome(state, result, values)
    if won is None or won.side == result.side:
        return 0
    # The score may have been corrected since, to less than the deje.
    return min(result.won, state.stones_of(result.side))


def _voided_pares(state: State, result: LanceResult) -> Proposal | None:
    """The article 5.5 that made pares void, where it bears on this lance."""
    if result.lance not in (JUEGO, PUNTO):
        return None
    applied = state.incidents.applied
    return next((p for p in applied if p.remedy is e.Remedy.VOID and p.seat), None)


def _after_void(
    state: State, result: LanceResult, values: Values, offender: str
) -> LanceOutcome | None:
    """S2 5.5: offenders with 31 (30 at punto) take negada and value as mano; else the rivals do.

    "As mano" means: on mano's side, and no rival with as many points sits nearer to mano.
    """
    best = JUEGO_FROM if result.lance is JUEGO else BEST_PUNTO
    mine = [seat for seat in values if state.side_of(seat) == offender]
    plain = _plain(state, result, values)
    if not any(values[seat].points == best for seat in mine):
        return plain
    leads = best_seat(result.lance, values, state.holders(result.lance))
    if leads is not None and leads in mine and state.side_of(state.mano) == offender:
        seat, side = leads, offender
    else:
        others = [s for s in state.holders(result.lance) if state.side_of(s) != offender]
        seat = best_seat(result.lance, values, others) or _nearest_rival(state, offender)
        side = state.side_of(seat)
    stones = [(1, e.Why.PENALTY), _worth(state, result, side, values)]
    if result.lance is PUNTO:
        stones.append((1, e.Why.PUNTO))
    return LanceOutcome(side, seat, tuple(prize for prize in stones if prize[0]))


def _nearest_rival(state: State, offender: str) -> int:
    return next(seat for seat in state.order() if state.side_of(seat) != offender)


# ---- The hands that the count still needs: they can change who gets how many stones (R46) -------
# The search follows the order of the count (R30). A lance whose winner the shown hands already tell
# needs no more hands, and no lance does after the one that ends the juego.


WITH_VALUES = (PARES, JUEGO)
"""Lances in which the winners' own hands bring stones (R13, R15)."""

BEST = {
    lance: value(parse_hand(hand), Profile()).key(lance)
    for lance, hand in {
        GRANDE: "R R R R",
        CHICA: "1 1 1 1",
        PARES: "R R R R",
        JUEGO: "R C S 1",
        PUNTO: "R C 6 4",
    }.items()
}
"""No hand has a larger key, except the real at juego (R40). House rules change none of them."""


def missing_hands(state: State) -> tuple[int, ...]:
    """The seats whose cards can still change who wins stones, from mano."""
    return _missing(state) if state.phase is SHOWDOWN else ()


@once_a_state
def _missing(state: State) -> tuple[int, ...]:
    unseen = _unseen(state)
    if not unseen or unclosed(state):
        return tuple(unseen)
    needed = set(_needed_by_the_count(state, unseen))
    return tuple([seat for seat in unseen if seat in needed])


def is_countable(state: State) -> bool:
    """Whether no hand is missing; the first missing one tells, so this looks at less than all."""
    unseen = _unseen(state)
    if not unseen or unclosed(state):
        return not unseen
    return next(_needed_by_the_count(state, unseen), None) is None


def _unseen(state: State) -> list[int]:
    hands = state.hands
    return [seat for seat in state.in_play() if hands[seat - 1] is None]


def unclosed(state: State) -> bool:
    """Whether an article undid an órdago, so that the cards must close lances never played."""
    for result in reversed(state.results):  # the last lance is mostly among them
        if result.lance is JUEGO or result.lance is PUNTO or result.how is ORDAGO:
            return False
    return True


def _needed_by_the_count(state: State, unseen: list[int]) -> Iterator[int]:
    """The unseen hands that the count needs, lance by lance; one may come more than once."""
    values = hand_values(state)
    stones = list(state.stones)
    needs_any = False
    for result in counted(state):
        needed = _needed(state, result, unseen, values)
        if state.incidents.applied:
            needed = (*needed, *_injured(state, result, unseen))
        if result.how is ORDAGO:
            needed = (*needed, *_of_the_ordago(state, result, unseen))
        yield from needed
        needs_any = needs_any or bool(needed)
        if needs_any or result.how is ORDAGO:
            continue  # from here on the stones are unknown until those hands are seen
        if won := outcome(state, result, values):
            side = SIDE_LETTERS.index(won.side)
            stones[side] += sum([prize for prize, _why in won.stones])
            if stones[side] >= state.profile.target:
                return


def _injured(state: State, result: LanceResult, unseen: list[int]) -> Sequence[int]:
    """The unseen rivals of a denial: their values count, whoever won by the cards (S2 5.3)."""
    denials = punished(state, result)
    if not denials:
        return ()
    rivals = rivals_of(state, denials)
    agreed = result.claimed is not None and result.side in {state.side_of(seat) for seat in rivals}
    return () if agreed else [seat for seat in rivals if seat in unseen]


def _of_the_ordago(state: State, result: LanceResult, unseen: list[int]) -> Sequence[int]:
    """The unseen hands that articles look at: who said the órdago (S2 5.5), who took it (4.8)."""
    bet, penalty = result.bet, state.profile.penalty
    if bet is None or result.claimed is not None:
        return ()
    if penalty is Penalty.OFF or result.lance not in WITH_VALUES:
        return ()
    wanted = bet.accepted if penalty is Penalty.INTERPENAS else ()
    return [seat for seat in unseen if seat in (bet.seat, *wanted)]


def _needed(state: State, result: LanceResult, unseen: list[int], values: Values) -> Sequence[int]:
    how = result.how
    if result.claimed is not None or how is NOBODY or how is VOID:
        return ()
    brings_values = result.lance in WITH_VALUES and how is not ORDAGO
    has_winner = how is REFUSED or how is UNCONTESTED
    if has_winner and not brings_values:
        return ()
    playing = state.rivals_in(result)
    waiting = [seat for seat in playing if seat in unseen]
    if has_winner:
        # The values of the winners' own hands are still to be counted (R17, R28).
        return [seat for seat in waiting if state.side_of(seat) == result.side]
    if brings_values:
        return waiting  # even the leader's partners, who change the values and not the winner
    best = best_seat(result.lance, values, playing)
    if best is None or _may_be_beaten(state, result.lance, best, waiting, values):
        return waiting
    return ()


def _may_be_beaten(
    state: State, lance: Lance, leader: int, unseen: list[int], values: Values
) -> bool:
    """Whether a rival's unseen hand may beat the best one seen; nothing beats the 31 of mano, say.

    This does not count which cards are left in the deck.
    """
    sides = state.sides
    rivals = [seat for seat in unseen if (seat - leader) % sides]
    if not _is_best(lance, values[leader], state.profile):
        return bool(rivals)
    order = state.in_play()
    return any(order.index(seat) < order.index(leader) for seat in rivals)


def _is_best(lance: Lance, hand: HandValue, profile: Profile) -> bool:
    if lance is JUEGO and profile.real31 is not Real31.OFF:
        return hand.real
    return hand.key(lance) == BEST[lance]
