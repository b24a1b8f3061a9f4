"""The page of the practice game: what it shows of the table and of the cards, and its addresses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NotRequired, Protocol, TypedDict, cast

from flask import Blueprint, Response, jsonify, redirect, render_template, request
from werkzeug import Response as WerkzeugResponse
from werkzeug.exceptions import BadRequest, NotFound

from assistant.language.phrases import Phrases
from assistant.messages.codec import call_to_dict
from assistant.odds import Known, OddsError, chances
from assistant.page.app import feature_pages, is_front_door, menu
from assistant.page.board import TableBoard
from assistant.page.door import check_may_touch
from assistant.page.incoming import body_of
from assistant.review.chronicle.deal import CARD_HEIGHT, CARD_WIDTH, shown, symbols
from assistant.rules import calls as c
from assistant.rules.cards import HAND_SIZE, parse_card
from assistant.rules.engine import LegalCall, to_speak
from assistant.rules.errors import CardError
from assistant.rules.hands import value
from assistant.rules.phases import AFTER_DEAL, BEFORE_LANCES, DECLARING, Lance
from assistant.school.apprentice import Tongue, why_views
from assistant.school.apprentice.page import load_tongue, spoken_in
from assistant.school.players import Sight, sight_of
from assistant.school.practice.adviser import Adviser, adviser_of
from assistant.school.practice.dealer import Dealer, DealerMoment
from assistant.school.practice.levels import EXPLAINS, LEVELS, level_matches
from assistant.school.practice.reasons import CODES, declaration
from assistant.school.practice.reviewing import OwnMove, Reviewed, Reviewer
from assistant.school.practice.signing import MISSED, AskedSign, SigningMoment
from assistant.table.snapshot.views import action_view
from assistant.table.table import Table

# ---- The page and its addresses: what it is sent, and what it may ask for -----------------------


WIDE = 122
"""Pixels of a card's picture, which scales."""
FOREVER = "public, max-age=86400"
"""A card's picture never changes."""


class OfferView(TypedDict):
    """A call of the person's own that is legal now; ``kind`` is the page's word for it.

    ``stones``: what may stand in ``call["stones"]`` instead.
    """

    kind: str
    label: str
    call: dict[str, object]
    stones: NotRequired[list[int]]


class BubbleView(TypedDict):
    """What a player said last; ``old``: it was said before the present lance."""

    seat: int
    text: str
    old: bool


class PracticeWhyView(TypedDict):
    """Why a computer player called something: never its cards."""

    seat: int
    text: str
    code: str
    trust: str
    deje: int
    lance: str | None


class HintView(TypedDict):
    """What the person is advised, in one sentence; ``places`` are those of cards to throw."""

    text: str
    places: list[int]


class CountedView(TypedDict):
    """Why a lance went as it did, from how it was closed to who won it with what."""

    lance: str
    name: str
    text: str


class ReviewedView(TypedDict):
    """A call or a throw of the person's own: what was said with which cards, and what it cost.

    ``kind``: the page's word for the call, "throw" for cards, whose ranks are ``said``. ``mark``:
    "best", "good", "doubtful" or "mistake". ``lost``: points, one in a hundred juegos each.
    ``depends``: it is good, and not the best, because its worth depends on how the others play.
    """

    deal: int
    lance: str | None
    kind: str
    hand: list[str]
    said: str
    mark: str
    lost: float
    depends: bool
    better: str
    text: str


class ReviewView(TypedDict):
    """The review of a game: how many moves were looked at so far, and those that were judged.

    ``able``: whether anybody learnt these house rules; ``over``: whether the game has ended.
    """

    able: bool
    over: bool
    done: int
    of: int
    moves: list[ReviewedView]


class MadeSignView(TypedDict):
    """The last seña that somebody made in this deal: its number, by whom, and its drawing."""

    n: int
    seat: int
    draw: str


class AskedSignView(TypedDict):
    """The question what a seña was; the right answer is shown after the answer, -1: "not seen"."""

    n: int
    seat: int
    choices: list[str]
    chosen: int | None
    right: int | None
    draw: str
    holds: str
    gesture: str


class SigningView(TypedDict):
    """The señas of a game; ``read`` of those ``of`` which were asked for."""

    offered: bool
    on: bool
    made: MadeSignView | None
    asked: list[AskedSignView]
    read: int
    of: int


class PracticeView(TypedDict):
    """The practice game's part of a snapshot.

    senas    the señas that the company makes, where it does
    wins     level -> how many of a hundred juegos it wins against the level below
    game     rises with each new game; begun: whether cards were dealt in this one
    hand     the person's own cards; hands: everybody's, by seat, once the deal is over
    counted  why each lance went as it did, once the deal is over
    kings    8 where treses are reyes and doses ases, or 4
    throws   whether the person is to throw cards
    undo     whether there is a call of the person's own to take back
    """

    game: int
    begun: bool
    me: int
    level: str
    levels: list[str]
    wins: dict[str, int]
    hand: list[str]
    hands: list[list[str]]
    counted: list[CountedView]
    kings: int
    senas: SigningView
    throws: bool
    undo: bool
    offers: list[OfferView]
    bubbles: list[BubbleView]
    whys: list[PracticeWhyView]
    hint: HintView | None


PRIVATE = (
    "/api/history",
    "/api/practice",
    "/api/replay",
    "/api/snapshot",
    "/events",
    "/history/",
    "/report",
)
"""Beginnings of the addresses that reveal the game in progress."""


class PracticeChanceView(TypedDict):
    """A lance: the chance that the person's pair wins it, and that it is played at all, 0 to 1."""

    lance: str
    wins: float
    played: float


class Practice(Protocol):
    """The practice game. Every method may be called from any thread."""

    def begin(self, level: str, *, senas: bool = False) -> None:
        """Begin a game at a level, whatever is in progress. Raises BoardError."""

    def throw(self, places: Sequence[int]) -> bool:
        """Throw own cards by their places; False where it is not the moment."""

    def answer_sign(self, number: int, choice: int) -> bool:
        """Tell what a seña was, by its number; False if that is not asked."""

    def chances(self) -> list[PracticeChanceView]:
        """What the person's cards promise now."""

    def review(self) -> ReviewView:
        """How the finished game was played; it goes on in the background."""


def practice_pages(practice: Practice) -> Blueprint:
    """Make the page and what it asks for; the front door leads to it.

    The game shows a person's own cards, so nobody sees it without the PIN.
    """
    pages = feature_pages("practice")

    @pages.before_app_request
    def only_who_plays() -> WerkzeugResponse | None:
        if request.path.startswith(PRIVATE):
            check_may_touch()
        return redirect("/practice") if is_front_door(request) else None

    @pages.get("/practice")
    def practice_page() -> str:
        return render_template("practice.html", **menu())

    @pages.post("/api/practice/begin")
    def begin() -> Response:
        level, senas = level_of(body_of(request))
        practice.begin(level, senas=senas)
        return jsonify(begun=True)

    @pages.post("/api/practice/throw")
    def throw() -> Response:
        return jsonify(thrown=practice.throw(places_of(body_of(request))))

    @pages.post("/api/practice/sena")
    def sena() -> Response:
        return jsonify(taken=practice.answer_sign(*answer_of(body_of(request))))

    @pages.get("/api/practice/chances")
    def chances() -> Response:
        return jsonify(chances=practice.chances())

    @pages.get("/api/practice/review")
    def review() -> Response:
        return jsonify(practice.review())

    @pages.get("/practice/cards/<name>.svg")
    def card(name: str) -> Response:
        picture = Response(drawn(name), mimetype="image/svg+xml")
        picture.headers["Cache-Control"] = FOREVER
        return picture

    return pages


def level_of(body: dict[str, object]) -> tuple[str, bool]:
    """Read ``{"level": "normal"}``, or with ``"senas": true``, too. Raises BadRequest."""
    match body:
        case {"level": str(level)} if len(body) == 1:
            return level, False
        case {"level": str(level), "senas": bool(senas)} if len(body) == 2:
            return level, senas
    raise BadRequest('Send "level", and "senas": true or false.')


def answer_of(body: dict[str, object]) -> tuple[int, int]:
    """Read ``{"n": 3, "choice": 0}``: a seña's number, and -1 where it was missed."""
    match body:
        case {"n": int(number), "choice": int(choice)} if len(body) == 2:
            if type(number) is int and type(choice) is int and choice >= MISSED:
                return number, choice
    raise BadRequest('Send "n" and "choice", from -1.')


def places_of(body: dict[str, object]) -> list[int]:
    """Read ``{"places": [0, 2]}``: cards of the hand, from 0. Raises BadRequest."""
    match body:
        case {"places": list(places)} if len(body) == 1 and 0 < len(places) <= HAND_SIZE:
            found = [one for one in places if type(one) is int and 0 <= one < HAND_SIZE]
            if len(set(found)) == len(places):
                return found
    raise BadRequest(f'Send "places", one to {HAND_SIZE} different numbers from 0.')


@lru_cache(maxsize=64)
def drawn(name: str) -> str:
    """A card ("Ro") or the back ("back") as a picture of its own. Raises NotFound."""
    try:
        card = None if name == "back" else parse_card(name)
    except CardError as error:
        raise NotFound(str(error)) from error
    if card and (card.suit is None or str(card) != name):
        raise NotFound(f"There is no card {name}.")
    tall = round(WIDE * CARD_HEIGHT / CARD_WIDTH)
    inside = symbols([card] if card else [], back=card is None) + shown(card, 0, 0, WIDE)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {tall}" '
        f'width="{WIDE}" height="{tall}">{inside}</svg>'
    )


# ---- What the page is sent: the table, and what one person may see of the cards -----------------


def show_practice(board: TableBoard, dealer: Dealer, phrases: Phrases, table: Table) -> Adviser:
    """Add a ``practice`` to the snapshots of a board, see PracticeView; the adviser that it asks.

    Raises MusError where the texts that explain a count, or the levels' figures, cannot be used.
    """
    tongue = load_tongue(phrases.code, spoken_in(table))
    wins = {match.level: match.percent for match in level_matches()}
    adviser = adviser_of(table.state.profile, dealer.strength, phrases.code, phrases.label)
    dealer.throws_first = adviser.places
    board.extend(lambda: {"practice": practice_view(dealer, phrases, tongue, adviser, wins)})
    dealer.changed = board.refresh
    return adviser


def practice_view(
    dealer: Dealer, phrases: Phrases, tongue: Tongue, adviser: Adviser, wins: dict[str, int]
) -> PracticeView:
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
        "wins": wins,
        "senas": _signing(now.signing),
        "hand": [str(card) for card in sight.hand] if sight else [],
        "hands": [[str(card) for card in hand] for hand in pack.hands] if pack else [],
        "counted": list[CountedView](why_views(now.state, tongue) if pack else ()),
        "kings": now.state.profile.kings,
        "throws": now.throws,
        "undo": now.undoable and now.state.phase not in AFTER_DEAL,
        "offers": _offers(dealer, now, sight, phrases),
        "bubbles": [_bubble(now, place) for place in range(len(now.bubbles))],
        "whys": _whys(now) if now.level == EXPLAINS else [],
        "hint": _hint(dealer, now, sight, adviser) if now.level == EXPLAINS else None,
    }


def review_view(reviewer: Reviewer, moves: Sequence[OwnMove], *, over: bool) -> ReviewView:
    """The progress of the review of these moves. Of a game in progress it shows nothing."""
    done, of, found = reviewer.review(moves) if over else (0, 0, [])
    return {
        "able": reviewer.able,
        "over": over,
        "done": done,
        "of": of,
        "moves": [_reviewed(one) for one in found],
    }


def _reviewed(one: Reviewed) -> ReviewedView:
    call, sight = one.move.call, one.move.sight
    return {
        "deal": sight.state.deal,
        "lance": sight.state.lance,
        "kind": CODES[type(call)] if call else "throw",
        "hand": [str(card) for card in sight.hand],
        "said": one.said,
        "mark": one.mark,
        "lost": round(one.lost, 1),
        "depends": one.depends,
        "better": one.better,
        "text": one.text,
    }


def own_sight(dealer: Dealer, now: DealerMoment) -> Sight | None:
    """The moment as the person sees it; None before the first deal."""
    if now.pack is None:
        return None
    return sight_of(now.state, dealer.me, now.pack.hand(dealer.me), events=now.events)


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
    legal = sight.legal
    if state.phase in DECLARING:
        legal = (LegalCall(declaration(sight)),)
    # "Paso" stands for "no hay mus" and "no quiero" there (R09): one button for one thing.
    twice = state.phase in BEFORE_LANCES or state.pending is not None
    offered = [one for one in legal if not (twice and isinstance(one.call, c.Pass))]
    return [_offer(now, one, phrases) for one in offered if type(one.call) in CODES]


def _offer(now: DealerMoment, legal: LegalCall, phrases: Phrases) -> OfferView:
    call = legal.call
    action = action_view(0, legal, phrases.label(call, now.state))
    kind = CODES[type(call)]
    if isinstance(call, c.Declare):
        kind = "holds" if call.holds else "lacks"
    offer: OfferView = {"kind": kind, "label": action["label"], "call": call_to_dict(call)}
    if "stones" in action:
        offer["stones"] = action["stones"]
    return offer


def _signing(now: SigningMoment) -> SigningView:
    made = now.made
    return {
        "offered": now.offered,
        "on": now.on,
        "made": {"n": made.number, "seat": made.seat, "draw": made.sign.draw} if made else None,
        "asked": [_asked(one) for one in now.asked],
        "read": now.read,
        "of": now.of,
    }


def _asked(one: AskedSign) -> AskedSignView:
    told = one.chosen is not None
    sign = one.made.sign
    return {
        "n": one.made.number,
        "seat": one.made.seat,
        "choices": list(one.choices),
        "chosen": one.chosen,
        "right": one.right if told else None,
        "draw": sign.draw if told else "",
        "holds": sign.holds if told else "",
        "gesture": sign.gesture if told else "",
    }


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
    dealer: Dealer, now: DealerMoment, sight: Sight | None, adviser: Adviser
) -> HintView | None:
    """Advice, if it is the person's turn to call or to throw."""
    state = now.state
    turn = not now.discarding and to_speak(state) == dealer.me
    calls = turn and sight is not None and (sight.legal or state.phase in DECLARING)
    if sight is None or not (now.throws or calls):
        return None
    told = adviser.advise(sight, now.thrown, throws=now.throws)
    return {"text": told.text, "places": list(told.places)}
