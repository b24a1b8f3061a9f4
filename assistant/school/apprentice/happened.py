"""What happened last at the table: who said what, what it means, and what moved nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from assistant.messages import Ask, Ignored, Outcome, Refused
from assistant.rules import events as e
from assistant.rules.changes import apply
from assistant.rules.hands import HandValue
from assistant.rules.history import Record, effective
from assistant.rules.phases import BEFORE_LANCES, LANCE_OF, Lance, Phase
from assistant.rules.prizes import hand_values
from assistant.rules.state import Pending, State
from assistant.school.apprentice.choices import call_of, said
from assistant.school.apprentice.shape import MistakeView, SaidView
from assistant.school.apprentice.words import NO_MISTAKE, TAUGHT, Tongue

# ---- What happened last at the table: who said what, what it means, and what followed by itself


UNSAID = (e.SeatInferred, e.GameOpened)
"""Marks and openings: never what happened last, where anything else did."""
FOLLOWS = (
    e.DiscardBegan,
    e.ManoChanged,
    e.LanceOpened,
    e.LanceClosed,
    e.LanceReopened,
    e.DeclarationDisproved,
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
    """The last thing that somebody did, and what followed; ``None`` before anything was.

    ``seat`` is that of the one who learns. Only what still counts is told, but for an undo.
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
    """The words that any sentence may hold, from the fields that the event has."""
    words: dict[str, str | int] = {**tongue.lance(getattr(event, "lance", None))}
    seat = getattr(event, "seat", None) or getattr(event, "mano", None)
    words["name"] = tongue.language.name(after, seat)
    side = getattr(event, "side", None) or (after.side_of(seat) if seat else None)
    words["side"] = tongue.language.side(after, side) if side else ""
    stones = getattr(event, "stones", None)
    if isinstance(event, e.BetAccepted):
        stones = _agreed(event, after)
    words["stones"] = tongue.stones(abs(stones)) if isinstance(stones, int) else ""
    words |= _of_the_bet(after.pending, tongue)
    cards = getattr(event, "cards", "")
    words["cards"] = tongue.cards(cards, after.profile) if isinstance(cards, tuple) else cards
    words["article"] = getattr(event, "article", "")
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
    e.LanceClaimed: _always("claimed"),
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
    e.PenaltyProposed: _always("penalty_proposed"),
    e.PenaltyApplied: _always("penalty_applied"),
    e.PenaltyWaived: _always("penalty_waived"),
    e.StonesLost: _always("lost"),
    e.Retracted: _always("retracted"),
}


# ---- The last call that moved nothing, explained kindly, with what is said instead --------------


def mistake(
    state: State, outcomes: Sequence[Outcome], tongue: Tongue, name: str = ""
) -> MistakeView | None:
    """What was wrong with the last words, or with a declaration that the open cards contradict.

    ``name``: who said those words, if it was somebody else who is known.
    """
    last = outcomes[-1] if outcomes else None
    if isinstance(last, Refused | Ask | Ignored) and last.code not in NO_MISTAKE:
        return {**_explained(state, last.code, tongue), "name": name}
    return _untrue(state, tongue)


def _explained(state: State, code: str, tongue: Tongue) -> MistakeView:
    key = f"mistake.{code}"
    words: dict[str, str | int] = {
        "the": tongue.lance(_lance(state))["the"],
        "n": tongue.stones(state.profile.min_bet),
        "m": tongue.stones(state.profile.min_raise),
    }
    return {
        "code": code,
        "name": "",
        "text": tongue(key if code in TAUGHT else "mistake.other", **words),
    }


def _lance(state: State) -> Lance:
    if state.phase in BEFORE_LANCES:
        return Lance.GRANDE
    return LANCE_OF.get(state.phase, Lance.GRANDE)


def _untrue(state: State, tongue: Tongue) -> MistakeView | None:
    """A declaration that the cards on the table contradict (R47, R48)."""
    if state.phase not in (Phase.SHOWDOWN, Phase.COUNT):
        return None
    for seat, hand in hand_values(state).items():
        for lance, holds in ((Lance.PARES, hand.pares is not None), (Lance.JUEGO, hand.juego)):
            told = state.declared(lance)[seat - 1]
            if told is not None and told is not holds:
                return _contradicted(state, seat, lance, hand, tongue)
    return None


def _contradicted(
    state: State, seat: int, lance: Lance, hand: HandValue, tongue: Tongue
) -> MistakeView:
    code = f"{'claimed' if state.declared(lance)[seat - 1] else 'denied'}_{lance}"
    cards = tongue.cards(state.hands[seat - 1] or (), state.profile)
    words: dict[str, str | int] = {
        "name": state.seats[seat - 1],
        "cards": cards,
        "points": hand.points,
    }
    return {"code": code, "name": "", "text": tongue(f"mistake.{code}", **words)}
