"""The articles for false declarations and other faults that the shown cards prove (R47-R53).

The articles are those of the Interpeñas rules of 1996 (S2). ``found`` lists the ones that fit a
showdown; the profile's ``penalty`` says whether they are applied, proposed or ignored. ``prizes``
and ``ledger`` have the effect of each article on the count.

S2 is silent on three points. Denied juego is treated like denied pares, but it is only ever
proposed. If two sides have denied, neither is punished. A declaration that proves false, without an
órdago, wins nothing with that hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.rules import events as e
from assistant.rules.cards import Rank
from assistant.rules.changes import Draft
from assistant.rules.events import ACCEPTED, NOBODY, ORDAGO, PASSED, UNCONTESTED, VOID
from assistant.rules.hands import JUEGO_FROM, STRENGTH, HandValue, ParesKind
from assistant.rules.phases import CHICA, JUEGO, PARES, PUNTO, Lance
from assistant.rules.prizes import BEST_PUNTO, Values, counted, hand_values, winner
from assistant.rules.profile import Articles, Penalty, Profile
from assistant.rules.state import LanceResult, Proposal, State

LOWEST_JUEGO = 33
ASKED_ALWAYS = ("1.4", "1.7")
"""Articles that leave the decision to the injured side."""
OF_INTERPENAS = (
    *("1.4", "1.5", "1.6", "1.7", "4.1", "4.2", "4.6", "4.7", "4.8"),
    *("5.1", "5.2", "5.3", "5.5", "5.6", "7.2", "8.4"),
)
"""The articles of S2 that settle something. Proposals are known by them, whatever is cited."""
CITED: dict[Articles, dict[str, str]] = {
    Articles.OFF: {},
    Articles.INTERPENAS: {article: article for article in OF_INTERPENAS},
    # FFM 5 annuls what a player's side has won if he has too many cards: that is not what 1.5 does.
    Articles.FFM: {"1.4": "4", "1.7": "4"},
}
"""Article of S2 -> the article of the regulations that says the same; no other is cited."""


def regulations(profile: Profile) -> Articles:
    """The regulations that the table plays by: those that it applies, or those that it cites."""
    return Articles.INTERPENAS if profile.penalty is Penalty.INTERPENAS else profile.articles


def number_cited(profile: Profile, article: str) -> str:
    """The number of an article of S2 in the table's own regulations; "" if they have none."""
    return CITED[regulations(profile)].get(article, "")


def found(state: State, values: Values) -> tuple[Proposal, ...]:
    """The articles that fit this showdown and have not been decided on yet."""
    if state.profile.penalty is Penalty.OFF:
        return ()
    incidents = state.incidents
    known = {*incidents.proposals, *incidents.applied, *incidents.waived}
    return tuple([p for p in _articles(state, values) if p not in known])


def rule_on(draft: Draft, proposal: Proposal) -> None:
    """Apply an article, or propose it to the table, as the house rules say."""
    by_itself = (
        draft.state.profile.penalty is Penalty.INTERPENAS
        and proposal.article not in ASKED_ALWAYS
        and not (proposal.remedy is e.Remedy.DENIED and proposal.lance is JUEGO)
    )
    kind = e.PenaltyApplied if by_itself else e.PenaltyProposed
    draft.emit(kind(proposal.article, proposal.remedy, proposal.seat, proposal.lance))
    if by_itself:
        after_applying(draft, proposal)


def after_applying(draft: Draft, proposal: Proposal) -> None:
    """Emit what an applied article makes happen beyond the count."""
    if proposal.remedy is e.Remedy.REDEAL and not draft.state.juego_won:
        void_deal(draft, proposal.article)


def void_deal(draft: Draft, article: str = "") -> None:
    """Void the deal; the same mano plays it again, or the right one (S2 1.6)."""
    state = draft.state
    if article == "1.6" and state.last_mano is not None:
        draft.emit(e.DealVoided(state.order(state.last_mano)[1]))
    else:
        draft.emit(e.DealVoided(state.dealt_mano))


def close_by_the_cards(draft: Draft) -> None:
    """Close, in paso, the lances that were never played because of an órdago now undone."""
    for lance in (CHICA, PARES, JUEGO):
        if draft.state.result(lance) is None:
            _close_by_the_cards(draft, lance)


def _close_by_the_cards(draft: Draft, lance: Lance) -> None:
    if lance is CHICA:
        draft.emit(e.LanceClosed(lance, PASSED))
        return
    values = hand_values(draft.state)
    for seat in draft.state.in_play():
        hand = values[seat]
        holds = hand.pares is not None if lance is PARES else hand.juego
        if draft.state.declared(lance)[seat - 1] is None:
            draft.emit(e.Declared(seat, lance, holds, implied=True))
    sides = {draft.state.side_of(seat) for seat in draft.state.holders(lance)}
    if len(sides) > 1:
        draft.emit(e.LanceClosed(lance, PASSED))
    elif sides:
        draft.emit(e.LanceClosed(lance, UNCONTESTED, sides.pop()))
    elif lance is JUEGO:
        draft.emit(e.LanceClosed(PUNTO, PASSED))
    else:
        draft.emit(e.LanceClosed(lance, NOBODY))


def _articles(state: State, values: Values) -> Iterator[Proposal]:
    results = counted(state)
    if results and results[0].how is ORDAGO:
        yield from _ordago(state, results[0], values)
        return  # while an órdago stands, nothing else counts
    yield from _denied(state, values)
    for result in results:
        if result.how is ACCEPTED and not result.limited:
            yield from _limit(state, result, values)


def _ordago(state: State, result: LanceResult, values: Values) -> Iterator[Proposal]:
    bet = result.bet
    if bet is None:
        return
    hand = values.get(bet.seat)
    if result.lance is PARES and hand and hand.pares is None:
        yield Proposal("5.5", e.Remedy.VOID, bet.seat, PARES)
        return
    if state.profile.penalty is Penalty.INTERPENAS:  # no other table polices it (R53)
        for seat in bet.accepted:
            if _could_not_win(state, result, seat, values):
                yield Proposal("4.8", e.Remedy.NO_QUIERO, seat, result.lance)
                return
    yield from _limit(state, result, values)


def _could_not_win(state: State, result: LanceResult, seat: int, values: Values) -> bool:
    """S2 4.8: whether this hand loses to any other: two aces, or 33, held alone and last."""
    hand, holders = values.get(seat), state.holders(result.lance)
    side = state.side_of(seat)
    if hand is None or not holders or holders[-1] != seat:
        return False
    if any(state.side_of(other) == side for other in holders if other != seat):
        return False
    if result.lance is PARES:
        return hand.pares is not None and (hand.pares.kind, hand.pares.ranks) == (
            ParesKind.PAREJA,
            (STRENGTH[Rank.AS],),
        )
    return result.lance is JUEGO and hand.points == LOWEST_JUEGO


def _denied(state: State, values: Values) -> Iterator[Proposal]:
    """S2 5.2, 5.3: the players who said "pares no" and show pares, if a rival holds pares, too."""
    for lance in (PARES, JUEGO):
        result = state.result(lance)
        if result is None or result.how is VOID:
            continue
        said = state.declared(lance)
        liars = [
            seat
            for seat in state.in_play()
            if said[seat - 1] is False and seat in values and _holds(values[seat], lance)
        ]
        for seat in liars:
            rivals = [s for s in state.holders(lance) if state.side_of(s) != state.side_of(seat)]
            if any(s in values and _holds(values[s], lance) for s in rivals):
                yield Proposal("5.3", e.Remedy.DENIED, seat, lance)


def _limit(state: State, result: LanceResult, values: Values) -> Iterator[Proposal]:
    """The article that limits a win; if the table waived it, the next one that fits."""
    for proposal in _limits(state, result, values):
        if proposal not in state.incidents.waived:
            yield proposal
            return


def _limits(state: State, result: LanceResult, values: Values) -> Iterator[Proposal]:
    """S2 4.7, 5.6, 7.2: a bet won by deceit brings no more than the negada and the value."""
    bet, incidents = result.bet, state.incidents
    if bet is None or not (bet.ordago or incidents.peeked or incidents.corrected):
        return  # nobody can have deceived
    seat = winner(state, result, values) if result.claimed is None else None
    if seat is None:
        return
    side = state.side_of(seat)
    if bet.side == side:
        for peeker, lance in incidents.peeked:
            if lance is result.lance and state.side_of(peeker) == side:
                yield Proposal("4.7", e.Remedy.LIMIT, peeker, lance)
    if result.lance not in (JUEGO, PUNTO):
        return
    if bet.ordago and bet.side == side and not _from_32_to_40(values[seat]):
        for liar in _wrong_about_pares(state, values):
            if state.side_of(liar) == side:
                yield Proposal("5.6", e.Remedy.LIMIT, liar, result.lance)
    yield from _corrected_juego(state, result, seat, values[seat])


def _corrected_juego(
    state: State, result: LanceResult, seat: int, hand: HandValue
) -> Iterator[Proposal]:
    """7.2: "juego no", then "juego sí", with 31 as mano; 5.6: "sí", then "no", with 30."""
    if (seat, JUEGO) not in state.incidents.corrected:
        return
    if result.lance is PUNTO and hand.points == BEST_PUNTO:
        yield Proposal("5.6", e.Remedy.LIMIT, seat, result.lance)
    elif hand.points == JUEGO_FROM and state.holders(JUEGO)[0] == seat:
        yield Proposal("7.2", e.Remedy.LIMIT, seat, result.lance)


def _wrong_about_pares(state: State, values: Values) -> list[int]:
    said = state.declared(PARES)
    return [
        seat
        for seat, hand in values.items()
        if said[seat - 1] is not None and said[seat - 1] is not (hand.pares is not None)
    ]


def _from_32_to_40(hand: HandValue) -> bool:
    return hand.points > JUEGO_FROM


def _holds(hand: HandValue, lance: Lance) -> bool:
    return hand.pares is not None if lance is PARES else hand.juego
