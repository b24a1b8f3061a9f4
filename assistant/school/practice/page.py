"""The page of the practice game: the person's own cards, the company, what can be called now."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NotRequired, Protocol, TypedDict

from flask import Blueprint, Response, jsonify, redirect, render_template, request
from werkzeug import Response as WerkzeugResponse
from werkzeug.exceptions import BadRequest, NotFound

from assistant.page.app import feature_pages, is_front_door, menu
from assistant.page.door import check_may_touch
from assistant.page.incoming import body_of
from assistant.review.chronicle.deal import CARD_HEIGHT, CARD_WIDTH, shown, symbols
from assistant.rules.cards import HAND_SIZE, parse_card
from assistant.rules.errors import CardError

WIDE = 122
"""Pixels of a card's picture, which scales."""
FOREVER = "public, max-age=86400"
"""A card looks tomorrow as it does today."""


class OfferView(TypedDict):
    """A call of the person's own that is legal now; ``kind`` is the page's word for it.

    ``stones``: what may stand in ``call["stones"]`` instead.
    """

    kind: str
    label: str
    call: dict[str, object]
    stones: NotRequired[list[int]]


class BubbleView(TypedDict):
    """What a player said last; ``old`` where that was before the present lance."""

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
    """What a beginner would do with the person's cards, and what in them tells it.

    ``code`` is the page's word for the call, "" where cards are thrown.
    """

    code: str
    label: str
    places: list[int]
    lance: str | None
    reyes: int
    ases: int
    pares: int
    points: int


class CountedView(TypedDict):
    """Why a lance went as it did, from how it was closed to who won it with what."""

    lance: str
    name: str
    text: str


class PracticeView(TypedDict):
    """What stands in a snapshot beside the table.

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
    hand: list[str]
    hands: list[list[str]]
    counted: list[CountedView]
    kings: int
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
"""Beginnings of the addresses that tell of the game in progress."""


class PracticeChanceView(TypedDict):
    """A lance: the chance that the person's pair wins it, and that it is played at all, 0 to 1."""

    lance: str
    wins: float
    played: float


class Practice(Protocol):
    """Who deals. Every method may be called from any thread."""

    def begin(self, level: str) -> None:
        """Begin a game at a level, whatever is in progress. Raises BoardError."""

    def throw(self, places: Sequence[int]) -> bool:
        """Throw own cards by their places; False where it is not the moment."""

    def chances(self) -> list[PracticeChanceView]:
        """What the person's cards promise now."""


def practice_pages(practice: Practice) -> Blueprint:
    """Make the page and what it asks for; the front door leads to it.

    The game is a person's own, with the cards in his hand: who has not told the PIN sees nothing.
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
        practice.begin(level_of(body_of(request)))
        return jsonify(begun=True)

    @pages.post("/api/practice/throw")
    def throw() -> Response:
        return jsonify(thrown=practice.throw(places_of(body_of(request))))

    @pages.get("/api/practice/chances")
    def chances() -> Response:
        return jsonify(chances=practice.chances())

    @pages.get("/practice/cards/<name>.svg")
    def card(name: str) -> Response:
        picture = Response(drawn(name), mimetype="image/svg+xml")
        picture.headers["Cache-Control"] = FOREVER
        return picture

    return pages


def level_of(body: dict[str, object]) -> str:
    """Read ``{"level": "normal"}``. Raises BadRequest."""
    match body:
        case {"level": str(level)} if len(body) == 1:
            return level
    raise BadRequest('Send "level".')


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
