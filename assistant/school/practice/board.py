"""What the page of a practice game shows: the table, and what one person may see of the cards."""

from __future__ import annotations

from typing import cast

from assistant.language.phrases import Phrases
from assistant.messages.codec import call_to_dict
from assistant.odds import Known, OddsError, chances
from assistant.page.board import TableBoard
from assistant.rules import calls as c
from assistant.rules.engine import to_speak
from assistant.rules.hands import value
from assistant.rules.phases import AFTER_DEAL, BEFORE_LANCES, DECLARING, Lance
from assistant.school.apprentice import Tongue, why_views
from assistant.school.apprentice.page import load_tongue, spoken_in
from assistant.school.players import Sight, sight_of
from assistant.school.practice import advice
from assistant.school.practice.company import EXPLAINS, LEVELS
from assistant.school.practice.dealer import Dealer, DealerMoment
from assistant.school.practice.page import (
    BubbleView,
    CountedView,
    HintView,
    OfferView,
    PracticeChanceView,
    PracticeView,
    PracticeWhyView,
)
from assistant.school.practice.reasons import CODES, declaration
from assistant.table.snapshot.views import action_view
from assistant.table.table import Table


def show_practice(board: TableBoard, dealer: Dealer, phrases: Phrases, table: Table) -> None:
    """Have a board's snapshots hold a ``practice``, too: see PracticeView.

    Raises MusError where the texts that explain a count cannot be used.
    """
    tongue = load_tongue(phrases.code, spoken_in(table))
    board.extend(lambda: {"practice": practice_view(dealer, phrases, tongue)})
    dealer.changed = board.refresh


def practice_view(dealer: Dealer, phrases: Phrases, tongue: Tongue) -> PracticeView:
    """What the person at a dealer's table may see; others' cards only once the deal is over."""
    now = dealer.moment()
    sight = own_sight(dealer, now)
    pack = now.pack if now.state.phase in AFTER_DEAL else None
    return {
        "game": now.games,
        "begun": now.begun,
        "me": dealer.me,
        "level": now.level,
        "levels": list(LEVELS),
        "hand": [str(card) for card in sight.hand] if sight else [],
        "hands": [[str(card) for card in hand] for hand in pack.hands] if pack else [],
        "counted": list[CountedView](why_views(now.state, tongue) if pack else ()),
        "kings": now.state.profile.kings,
        "throws": now.throws,
        "undo": now.undoable and now.state.phase not in AFTER_DEAL,
        "offers": _offers(dealer, now, sight, phrases),
        "bubbles": [_bubble(now, place) for place in range(len(now.bubbles))],
        "whys": _whys(now) if now.level == EXPLAINS else [],
        "hint": _hint(dealer, now, sight, phrases) if now.level == EXPLAINS else None,
    }


def own_sight(dealer: Dealer, now: DealerMoment) -> Sight | None:
    """The moment as the person sees it; None before the first deal."""
    if now.pack is None:
        return None
    return sight_of(now.state, dealer.me, now.pack.hand(dealer.me))


def chance_views(dealer: Dealer) -> list[PracticeChanceView]:
    """The exact chances of the person's pair in the lances still to be played; [] between deals."""
    now = dealer.moment()
    sight = own_sight(dealer, now)
    state = now.state
    if sight is None or state.phase in AFTER_DEAL or state.players != 4:
        return []
    said = {
        what: cast(tuple[bool | None, ...], tuple(given)) if len(given) == 4 else (None,) * 4
        for what, given in (("pares", state.pares), ("juego", state.juego))
    }
    known = Known(tuple(card.rank for card in sight.hand), dealer.me, state.mano, None, **said)
    try:
        found = chances(known, state.profile)
    except OddsError:  # what was declared by voice is not what the cards hold
        return []
    closed = {result.lance for result in state.results}
    held = value(sight.hand, state.profile)
    return [
        {
            "lance": lance,
            "wins": found[lance].won_contested / found[lance].contested
            if found[lance].contested
            else 0.0,
            "played": found[lance].contested,
        }
        for lance in Lance
        if lance in found and lance not in closed and found[lance].contested > 0
        if held.key(lance) is not None
    ]


def _offers(
    dealer: Dealer, now: DealerMoment, sight: Sight | None, phrases: Phrases
) -> list[OfferView]:
    """The person's calls, where it is his turn: of a declaration only what his cards hold."""
    state = now.state
    if sight is None or now.discarding or to_speak(state) != dealer.me:
        return []
    calls: tuple[c.Call, ...] = sight.legal
    if state.phase in DECLARING:
        calls = (declaration(sight),)
    # "Paso" stands for "no hay mus" and "no quiero" there (R09): one button for one thing.
    twice = state.phase in BEFORE_LANCES or state.pending is not None
    calls = tuple(call for call in calls if not (twice and isinstance(call, c.Pass)))
    return [_offer(now, call, phrases) for call in calls if type(call) in CODES]


def _offer(now: DealerMoment, call: c.Call, phrases: Phrases) -> OfferView:
    action = action_view(now.state, 0, call, phrases)
    kind = CODES[type(call)]
    if isinstance(call, c.Declare):
        kind = "holds" if call.holds else "lacks"
    offer: OfferView = {"kind": kind, "label": action["label"], "call": call_to_dict(call)}
    if "stones" in action:
        offer["stones"] = action["stones"]
    return offer


def _bubble(now: DealerMoment, place: int) -> BubbleView:
    bubble = now.bubbles[place]
    return {"seat": bubble.seat, "text": bubble.text, "old": bubble.phase != now.state.phase}


def _whys(now: DealerMoment) -> list[PracticeWhyView]:
    return [
        {
            "seat": told.seat,
            "text": told.text,
            "code": told.reason.code,
            "trust": told.reason.trust,
            "deje": told.reason.deje,
            "lance": told.lance,
        }
        for told in now.told
    ]


def _hint(
    dealer: Dealer, now: DealerMoment, sight: Sight | None, phrases: Phrases
) -> HintView | None:
    """An advice where it is the person's turn to call or to throw."""
    state = now.state
    turn = not now.discarding and to_speak(state) == dealer.me
    calls = turn and sight is not None and (sight.legal or state.phase in DECLARING)
    if sight is None or not (now.throws or calls):
        return None
    told = advice(sight, throws=now.throws)
    return {
        "code": CODES[type(told.call)] if told.call else "",
        "label": phrases.label(told.call, now.state) if told.call else "",
        "places": list(told.places),
        "lance": now.state.lance,
        "reyes": told.reyes,
        "ases": told.ases,
        "pares": told.pares,
        "points": told.points,
    }
