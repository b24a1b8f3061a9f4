"""Explanations of the deal so far: the last call, why a lance went as it did, and its chances."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from assistant.language.sentences import Wording
from assistant.odds import Known, OddsError, chances
from assistant.review.chronicle.build import by_deal, standing, walk
from assistant.rules import events as e
from assistant.rules.calls import Call
from assistant.rules.cards import HAND_SIZE, Hand, Rank, check_deal
from assistant.rules.changes import apply
from assistant.rules.errors import CardError
from assistant.rules.hands import HandValue, ParesKind
from assistant.rules.history import Record, effective
from assistant.rules.penalties import number_cited
from assistant.rules.phases import AFTER_DEAL, BETTING, ORDER, Lance, Phase
from assistant.rules.prizes import hand_values, punished
from assistant.rules.profile import Profile
from assistant.rules.state import LanceResult, Pending, State
from assistant.school.apprentice.choices import call_of, said
from assistant.school.apprentice.shape import (
    ChanceView,
    SaidView,
    Tongue,
    WhyView,
)
from assistant.school.judge import Judge, Judgement
from assistant.school.judge.telling import past_text
from assistant.school.players import sight_of

# ---- The last event at the table: who said what, its meaning, and what followed by itself


UNSAID = (e.SeatInferred, e.GameOpened)
"""Events that are not shown as the last one, unless there is no other."""
FOLLOWS = (
    e.DiscardBegan,
    e.ManoChanged,
    e.LanceOpened,
    e.LanceClosed,
    e.LanceReopened,
    e.DeclarationDisproved,
    e.ClaimDisproved,
    e.LanceDecided,
    e.StonesWon,
    e.StonesLost,
    e.DealCounted,
    e.CountReopened,
    e.JuegoWon,
    e.VacaWon,
    e.MatchWon,
    e.PenaltyProposed,
)
"""Events that nobody makes: they follow from what was said, or from the cards."""


def last_said(records: Sequence[Record], seat: int, tongue: Tongue) -> SaidView | None:
    """The last thing that somebody did, and what followed; ``None`` at the very beginning.

    ``seat`` is the learner's. An undo is shown; otherwise only events that still count.
    """
    if records and isinstance(records[-1].event, e.Retracted):
        return _view(None, tongue("event.retracted"), "")
    counting = effective(records)
    state, before = _before_the_last(counting)
    batch = [r.event for r in counting if counting and r.batch == counting[-1].batch]
    steps: list[tuple[e.Event, State]] = []
    for event in batch:
        state = apply(state, event)
        steps.append((event, state))
    told = [(event, then) for event, then in steps if not isinstance(event, UNSAID)]
    if not told and steps:
        told = steps[-1:]
    if not told or state is None:
        return None
    at = _who_did_it(told)
    (event, after), follow = told[at], told[at + 1 :]
    speaker = getattr(event, "seat", None)
    call = call_of(event)
    words = said(call, before or after, tongue) if call else ""
    then = [
        means(one, there, tongue)
        for one, there in follow
        if isinstance(one, FOLLOWS) or not getattr(one, "implied", False)
    ]
    view = _view(speaker, means(event, after, tongue), words)
    view["name"] = state.seats[speaker - 1] if speaker else ""
    view["mine"] = speaker == seat
    view["implied"] = bool(getattr(event, "implied", False))
    view["then"] = list(dict.fromkeys(then))
    return view


def _view(seat: int | None, means: str, say: str) -> SaidView:
    return {
        "seat": seat, "name": "", "mine": False, "say": say,
        "means": means, "implied": False, "then": [],
    }  # fmt: skip


def _before_the_last(counting: Sequence[Record]) -> tuple[State | None, State | None]:
    state: State | None = None
    for record in counting:
        if record.batch == counting[-1].batch:
            break
        state = apply(state, record.event)
    return state, state


def _who_did_it(told: Sequence[tuple[e.Event, State]]) -> int:
    """The place of what somebody did: the last that neither follows nor is implied."""
    done = [
        i for i, (event, _) in enumerate(told)
        if not isinstance(event, FOLLOWS) and not getattr(event, "implied", False)
    ]  # fmt: skip
    return done[-1] if done else 0


def means(event: e.Event, after: State, tongue: Tongue) -> str:
    """What an event means, with the numbers of the table as it was ``after`` it."""
    key = key_of(event, after)
    return tongue(f"event.{key}", **_words(event, after, tongue))


def key_of(event: e.Event, after: State) -> str:
    """The key of an event's sentence."""
    return _KEYS[type(event)](event, after)


def _words(event: Any, after: State, tongue: Tongue) -> dict[str, str | int]:
    """The words that a sentence about an event may hold, from the event's fields."""
    words: dict[str, str | int] = {**tongue.lance(getattr(event, "lance", None))}
    seat = getattr(event, "seat", None) or getattr(event, "mano", None)
    words["name"] = tongue.language.name(after, seat)
    side = getattr(event, "side", None) or (after.side_of(seat) if seat else None)
    words["side"] = tongue.language.side(after, side) if side else ""
    claimed = getattr(event, "claimed", None)
    words["claimed"] = tongue.language.side(after, claimed) if claimed else ""
    stones = getattr(event, "stones", None)
    if isinstance(event, e.BetAccepted):
        stones = _agreed(event, after)
    words["stones"] = tongue.stones(abs(stones)) if isinstance(stones, int) else ""
    words |= _of_the_bet(after.pending, tongue)
    cards = getattr(event, "cards", "")
    words["cards"] = tongue.cards(cards, after.profile) if isinstance(cards, tuple) else cards
    words["article"] = number_cited(after.profile, getattr(event, "article", ""))
    language, waited_for = tongue.language, after.answerers()
    others = [language.name(after, other) for other in waited_for]
    words["others"] = language.join(others) if others else ""
    words["target"], words["juegos"] = after.profile.target, after.profile.juegos
    return words


def _of_the_bet(bet: Pending | None, tongue: Tongue) -> dict[str, str | int]:
    if bet is None:
        return {"deje": "", "total": ""}
    return {"deje": tongue.stones(bet.deje), "total": tongue.stones(bet.stones)}


def _agreed(event: e.BetAccepted, after: State) -> int | None:
    if event.stones is not None:
        return event.stones
    return after.pending.stones if after.pending else None


def _always(key: str) -> Callable[[Any, State], str]:
    return lambda _event, _after: key


def _by_article(key: str) -> Callable[[Any, State], str]:
    """The key of a sentence about an article: another where the table's rules have none."""
    return lambda event, after: (
        key if number_cited(after.profile, event.article) else f"{key}_uncited"
    )


def _accepted(_event: e.BetAccepted, after: State) -> str:
    bet = after.pending
    if bet and bet.ordago:
        return "accept_ordago"
    return "accept_waits" if after.answerers() else "accept"


def _refused(_event: e.BetRefused, after: State) -> str:
    waited_for = len(after.answerers())
    return ("refuse", "refuse_waits")[waited_for] if waited_for < 2 else "refuse_waits_many"


def _reported(event: e.IrregularityReported, _after: State) -> str:
    return f"report_{event.kind}"


_KEYS: dict[type[e.Event], Callable[[Any, State], str]] = {
    e.GameOpened: _always("game"),
    e.DealStarted: lambda event, _: "deal_corrido" if event.corrido else "deal",
    e.ManoChanged: _always("mano"),
    e.PedreteSung: _always("pedrete"),
    e.MusAsked: _always("mus"),
    e.DiscardBegan: _always("discard"),
    e.MusCut: _always("cut"),
    e.LanceOpened: lambda event, _: f"open_{event.lance}",
    e.Passed: _always("pass"),
    e.BetMade: lambda event, _: "bet_both" if event.both else "bet",
    e.BetRaised: _always("raise"),
    e.OrdagoMade: lambda event, _: "ordago_both" if event.both else "ordago",
    e.PartnerBet: _always("partner_bet"),
    e.BetAccepted: _accepted,
    e.LanceReopened: _always("reopened"),
    e.BetRefused: _refused,
    e.Declared: lambda event, _: f"{'holds' if event.holds else 'lacks'}_{event.lance}",
    e.LanceClosed: lambda event, _: f"closed_{event.how}",
    e.CardsShownEarly: _always("hand_early"),
    e.HandShown: _always("hand"),
    e.DeclarationDisproved: lambda event, _: (
        f"disproved_{'holds' if event.holds else 'lacks'}_{event.lance}"
    ),
    e.LanceClaimed: lambda event, _: "claimed_by_cards" if event.by_cards else "claimed",
    e.ClaimDisproved: lambda event, _: (
        "claim_disproved_values" if event.side == event.claimed else "claim_disproved"
    ),
    e.LanceDecided: _always("decided"),
    e.StonesWon: lambda event, _: f"won_{event.why}",
    e.DealCounted: _always("counted"),
    e.JuegoWon: lambda event, _: f"juego_{event.by}",
    e.VacaWon: _always("vaca"),
    e.MatchWon: _always("match"),
    e.StonesSet: _always("set"),
    e.StonesAdjusted: lambda event, _: "adjust_fewer" if event.stones < 0 else "adjust_more",
    e.BetCorrected: _always("bet_corrected"),
    e.CountReopened: _always("recount"),
    e.DealVoided: _always("deal_void"),
    e.IrregularityReported: _reported,
    e.PenaltyProposed: _by_article("penalty_proposed"),
    e.PenaltyApplied: _by_article("penalty_applied"),
    e.PenaltyWaived: _by_article("penalty_waived"),
    e.StonesLost: _by_article("lost"),
    e.Retracted: _always("retracted"),
}


# ---- Why a lance went as it did: how it was closed, what decides it, and who won it with what ---
# It names only cards that lie open.


OWN_VALUES = (Lance.PARES, Lance.JUEGO)
BY_CARDS = (e.How.PASSED, e.How.ACCEPTED, e.How.ORDAGO)
"""Ways of closing after which the cards say who wins."""
AT_THE_COUNT = (*OWN_VALUES, Lance.PUNTO)
"""Lances that bring stones at the count even if their bet was refused."""


def why_views(state: State, tongue: Tongue) -> list[WhyView]:
    """Every closed lance of this deal, in the order of the count."""
    closed = sorted(state.results, key=lambda result: ORDER[result.lance])
    return [
        {
            "lance": result.lance,
            "name": tongue.language.lance(result.lance),
            "text": " ".join(_told(state, result, tongue)),
        }
        for result in closed
    ]


def _told(state: State, result: LanceResult, tongue: Tongue) -> list[str]:
    lance = tongue.lance(result.lance)
    side = tongue.language.side(state, result.side) if result.side else ""
    words = {**lance, "side": side, "stones": tongue.stones(_stones(result))}
    told = [tongue(f"why.{_how(result)}", **words)]
    if result.claimed is not None:
        told.append(tongue("why.claimed", **words))
    if _uncounted(state, result):
        told.append(tongue("why.uncounted"))
    elif result.claimed is None and result.how in BY_CARDS:
        told.append(tongue(f"rule.{result.lance}"))
        told += _decided(state, result, tongue)
    if result.how is e.How.REFUSED:
        told += _own_stones(state, result, side, tongue)
    elif result.won and result.side:
        told.append(tongue("why.took", side=side, stones=tongue.stones(result.won)))
    return told


def _own_stones(state: State, result: LanceResult, side: str, tongue: Tongue) -> list[str]:
    """What a refused bet brings at the count: the bettors' own hands, the punto (R28, R29)."""
    on_an_ordago = any(other.how is e.How.ORDAGO for other in state.results)
    if result.lance not in AT_THE_COUNT or punished(state, result):
        return []
    own = result.won - _stones(result)
    if own < 1 and state.juego_won:
        return [tongue("why.own_uncounted")]
    if on_an_ordago:
        return []
    told = [tongue(f"why.own_{result.lance}", side=side)]
    if own > 0 and result.lance in OWN_VALUES:
        told.append(tongue("why.took", side=side, stones=tongue.stones(own)))
    return told


def _uncounted(state: State, result: LanceResult) -> bool:
    """Whether somebody had won the juego before it was this lance's turn at the count."""
    counted = result.how in (e.How.REFUSED, e.How.ORDAGO, e.How.NOBODY, e.How.VOID)
    return state.juego_won is not None and not result.won and not counted


def _stones(result: LanceResult) -> int:
    """What was agreed; of a refused bet, what was paid for it."""
    if result.how is e.How.REFUSED and result.bet:
        return result.bet.deje
    return result.stones


def _how(result: LanceResult) -> str:
    if result.how is e.How.PASSED and result.lance in OWN_VALUES:
        return "passed_values"
    if result.how is not e.How.REFUSED:
        return str(result.how)
    bet = result.bet
    first = bet is None or not bet.base
    return (
        f"deje_{'first' if first else 'raise'}"
        if not (bet and bet.ordago)
        else ("deje_first_ordago" if first else "deje_ordago")
    )


def _decided(state: State, result: LanceResult, tongue: Tongue) -> list[str]:
    """Who won by the cards, and over whom; before the count, that the cards will decide."""
    if result.seat is None:
        return [] if state.phase is Phase.COUNT else [tongue("why.unseen")]
    values = hand_values(state)
    if result.seat not in values:
        return []
    lance = result.lance
    name = state.seats[result.seat - 1]
    what = _worth(state, result.seat, values[result.seat], lance, tongue)
    other = _best_of_the_others(state, result, values)
    if other is None:
        return [tongue("why.winner", name=name, what=what)]
    rival = state.seats[other - 1]
    if values[other].key(lance) == values[result.seat].key(lance):
        return [tongue("why.tie", name=name, other=rival, what=what)]
    theirs = _worth(state, other, values[other], lance, tongue)
    return [
        tongue("why.winner", name=name, what=what),
        tongue("why.beats", other=rival, what=theirs),
    ]


def _best_of_the_others(
    state: State, result: LanceResult, values: dict[int, HandValue]
) -> int | None:
    """The best shown hand of another side that plays for the lance."""
    side = state.side_of(result.seat or 0)
    keys = {
        seat: key
        for seat in state.rivals_in(result)
        if state.side_of(seat) != side and seat in values
        if (key := values[seat].key(result.lance)) is not None
    }
    return max(keys, key=lambda seat: keys[seat], default=None)


def _worth(state: State, seat: int, hand: HandValue, lance: Lance, tongue: Tongue) -> str:
    """What a shown hand has in a lance: its cards, its pares, its points."""
    language = tongue.language
    if lance is Lance.PARES and hand.pares:
        one, *other = (language.rank(strength) for strength in hand.pares.ranks)
        if hand.pares.kind is not ParesKind.DUPLES:
            return language.fill(f"count.{hand.pares.kind.name.lower()}", rank=one)
        if other[0] == one:
            return language.fill("count.duples_four", rank=one)
        return language.fill("count.duples", rank=one, other=other[0])
    if lance in (Lance.JUEGO, Lance.PUNTO):
        return tongue.part("hand.points", points=hand.points)
    cards = state.hands[seat - 1] or ()
    return tongue.cards(cards, state.profile, low_first=lance is Lance.CHICA)


# ---- After the count: the chance that the learner's side had to win each lance with his cards ---
# The chance is by what was known when the lance was played: grande and chica before anybody
# spoke of pares, pares once all had declared them, juego and punto once all had declared that too.


SEATS, SIDES = 4, 2
"""The odds are counted for two pairs."""
UNPLAYED = (e.How.NOBODY, e.How.UNCONTESTED, e.How.VOID)
"""Lances that nobody could win from anybody."""
Declared = tuple[bool | None, ...]
NOBODY: Declared = (None,) * SEATS


def is_counted(state: State) -> bool:
    """Whether this deal is over and its cards lie open. No chance is shown before that."""
    return state.phase in AFTER_DEAL and bool(state.results)


def may_tell(state: State, seat: int) -> bool:
    """Whether the learner may tell the page which cards he held: only after the count."""
    pairs = state.players == SEATS and state.sides == SIDES
    return pairs and is_counted(state) and state.hands[seat - 1] is None


def chance_views(state: State, seat: int, told: Hand | None, tongue: Tongue) -> list[ChanceView]:
    """The chances that a seat had, by its shown hand or the hand that its player ``told``.

    Empty before the count, and if the hand is unknown. Raises OddsError for a hand that cannot
    have been his.
    """
    if state.players != SEATS or state.sides != SIDES or not is_counted(state):
        return []
    shown = state.hands[seat - 1]
    hand = told if shown is None else shown
    if hand is None or (shown is not None and len(shown) != HAND_SIZE):
        return []
    _check(state, seat, hand)
    ranks = tuple(card.rank for card in hand)
    played = sorted(state.results, key=lambda result: ORDER[result.lance])
    return [
        _chance_view(state, seat, ranks, result.lance, tongue)
        for result in played
        if result.how not in UNPLAYED
    ]


def _check(state: State, seat: int, hand: Hand) -> None:
    if len(hand) != HAND_SIZE:
        raise OddsError("A hand has {wanted} cards.", wanted=HAND_SIZE)
    shown = [h for s, h in enumerate(state.hands, start=1) if h and s != seat]
    try:
        check_deal((*shown, hand), state.profile.kings)
    except CardError as error:
        raise OddsError(str(error)) from error


def _chance_view(
    state: State, seat: int, ranks: tuple[Rank, ...], lance: Lance, tongue: Tongue
) -> ChanceView:
    early, late = (Lance.GRANDE, Lance.CHICA), (Lance.JUEGO, Lance.PUNTO)
    pares = NOBODY if lance in early else _of_the_others(state.pares, seat)
    juego = _of_the_others(state.juego, seat) if lance in late else NOBODY
    percent = round(100 * _chance(ranks, seat, state.mano, pares, juego, state.profile, lance))
    result = state.result(lance)
    won = result.side == state.side_of(seat) if result and result.side else None
    text = tongue("chance.had", percent=percent, lance=tongue.lance(lance)["lance"])
    if won is not None:
        text = f"{text} {tongue('chance.won' if won else 'chance.lost')}"
    return {"lance": lance, "percent": percent, "won": won, "text": text}


def _of_the_others(said: Declared, seat: int) -> Declared:
    """What the others declared; a player knows his own cards, whatever he declared of them."""
    return tuple([None if s == seat else holds for s, holds in enumerate(said, start=1)])


@lru_cache(maxsize=64)
def _chance(
    ranks: tuple[Rank, ...],
    seat: int,
    mano: int,
    pares: Declared,
    juego: Declared,
    profile: Profile,
    lance: Lance,
) -> float:
    """A side's chance of a lance, 0 to 1; cached, as it takes 0.1 s. Raises OddsError."""
    return chances(Known(ranks, seat, mano, pares=pares, juego=juego), profile)[lance].side


# ---- After the count: the chance of the juego that the learner's calls left, and better calls ----


def judged_texts(
    judge: Judge, records: Sequence[Record], seat: int, hand: Hand, words: Wording
) -> dict[Lance, str]:
    """Lance -> a sentence about the own call in it that cost most."""
    dearest: dict[Lance, tuple[Call, Judgement]] = {}
    for lance, call, judged in judged_calls(judge, records, seat, hand):
        if lance not in dearest or judged.lost(call) > dearest[lance][1].lost(dearest[lance][0]):
            dearest[lance] = call, judged
    return {lance: past_text(call, judged, words) for lance, (call, judged) in dearest.items()}


def judged_calls(
    judge: Judge, records: Sequence[Record], seat: int, hand: Hand
) -> Iterator[tuple[Lance, Call, Judgement]]:
    """A seat's calls in the lances of the last deal, each with what it was worth."""
    heard: list[e.Event] = []
    for step in standing(by_deal(walk(records))[-1]):
        before, call = step.before, call_of(step.event)
        silent = getattr(step.event, "implied", False)
        if before and call and call.seat == seat and before.phase in BETTING and not silent:
            sight = sight_of(before, seat, hand, events=heard)
            if judge.able(sight):
                judged = judge.judge(sight)
                if any(type(one.call) is type(call) for one in judged.calls):
                    yield BETTING[before.phase], call, judged
        heard.append(step.event)
