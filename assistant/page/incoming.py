"""The requests of the page, read strictly: nothing that comes over the wire is trusted."""

from __future__ import annotations

from flask import Request
from werkzeug.exceptions import BadRequest, Conflict, UnsupportedMediaType

from assistant.messages import CardsSeen, Command, Pressed
from assistant.messages.codec import CodecError, call_from_dict
from assistant.rules.calls import AdjustStones, Call, ShowHand
from assistant.rules.cards import HAND_SIZE, Hand, check_deal
from assistant.rules.errors import CardError

MAX_BODY = 4096
"""Bytes of a request's body; the longest that the page sends has some 300."""
MAX_PHOTO = 25_000_000
"""Bytes of a photograph; a telephone's has 3 to 12 million."""
MAX_REASON = 60
"""Letters of the reason for which stones are given or taken."""
MAX_SEQ = 1_000_000
MAX_PIN = 20
CORNERS = 4
SUITS = "oceb"
ANY_ORDER = "any"
"""In place of suits: the cards of a photograph lie in any order."""
NOT_MUS = "not_mus"
"""In place of suits: the cards of a photograph are none of Mus."""


def body_of(request: Request) -> dict[str, object]:
    """The JSON object of a POST. Raises BadRequest, UnsupportedMediaType."""
    if request.mimetype != "application/json":
        raise UnsupportedMediaType("Send the request as application/json.")
    try:
        body = request.get_json()
    except RecursionError:
        body = None
    if not isinstance(body, dict):
        raise BadRequest("The request is no JSON object.")
    return body


def pressed(body: dict[str, object]) -> Pressed:
    """Read ``{"call": {...}, "seen": 12}`` or ``{"command": "undo", "seen": 12}``.

    A call with ``"instead": true`` replaces another one. Raises BadRequest with one
    sentence.
    """
    seen = _number(body, "seen")
    match sorted(body):
        case ["call", "seen"]:
            return Pressed(_called(body), seen)
        case ["call", "instead", "seen"] if body["instead"] is True:
            return Pressed(_called(body), seen, instead=True)
        case ["command", "seen"]:
            return Pressed(_decoded({"type": "Command", "command": body["command"]}), seen)
        case _:
            raise BadRequest('Send "seen" with either "call" or "command", and nothing else.')


def _called(body: dict[str, object]) -> Call:
    what = _decoded(body["call"])
    if not isinstance(what, Call):
        raise BadRequest('Send a command as "command", not as "call".')
    _check_reason(what)
    return what


def cards(body: dict[str, object], deal: int) -> CardsSeen:
    """Read ``{"seat": 2, "cards": ["R", "R", "C", "1"], "deal": 4}``.

    Hands come from several tablets at once, so the deal must be the present one, and not the seq.
    Raises BadRequest, and Conflict for the cards of another deal.
    """
    if sorted(body) != ["cards", "deal", "seat"]:
        raise BadRequest('Send "seat", "cards" and "deal", and nothing else.')
    seat = _number(body, "seat")
    show = _decoded({"type": "ShowHand", "seat": seat, "cards": body["cards"]})
    if _number(body, "deal") != deal:
        raise Conflict("These cards belong to another deal.")
    if not isinstance(show, ShowHand):
        raise BadRequest("These are no cards.")
    _check_hand(show.cards)
    return CardsSeen(((seat, show.cards),))


def zone(body: dict[str, object], seats: int) -> tuple[int, list[list[float]] | None]:
    """Read ``{"seat": 2, "corners": [[x, y], [x, y], [x, y], [x, y]]}``; null takes it away.

    Raises BadRequest with one sentence.
    """
    if sorted(body) != ["corners", "seat"]:
        raise BadRequest('Send "seat" and "corners", and nothing else.')
    seat = _number(body, "seat")
    if not 1 <= seat <= seats:
        raise BadRequest(f'"seat" must be a whole number from 1 to {seats}.')
    corners = body["corners"]
    if corners is None:
        return seat, None
    if not isinstance(corners, list) or len(corners) != CORNERS:
        raise BadRequest('"corners" are four pairs of numbers, or null.')
    return seat, [_pair(corner) for corner in corners]


def photo(request: Request) -> tuple[bytes, str]:
    """Read a photograph and its suits, ``?suits=oc``; ``?suits=`` is the back of a card.

    ``?suits=any`` are cards in any order, ``?suits=not_mus`` cards that are none of Mus.

    Raises BadRequest, RequestEntityTooLarge, UnsupportedMediaType.
    """
    _check_photo(request)
    suits = request.args.get("suits")
    if suits in (ANY_ORDER, NOT_MUS):
        return request.get_data(cache=False), suits
    if suits is None or len(set(suits)) < len(suits) or not set(suits) <= set(SUITS):
        raise BadRequest(f'"suits" are letters of {SUITS}, from the top row down.')
    return request.get_data(cache=False), suits


def frame(request: Request) -> bytes:
    """Read a frame of a telephone's camera. Raises what ``photo`` raises."""
    _check_photo(request)
    return request.get_data(cache=False)


def hand_photo(request: Request) -> tuple[bytes, int, int]:
    """Read the photograph of a hand, its seat and its deal: ``?seat=2&deal=4``.

    Raises BadRequest, RequestEntityTooLarge, UnsupportedMediaType.
    """
    _check_photo(request)
    numbers = [request.args.get(key, "") for key in ("seat", "deal")]
    if not all(one.isascii() and one.isdecimal() and len(one) <= 6 for one in numbers):
        raise BadRequest('"seat" and "deal" must be whole numbers.')
    seat, deal = map(int, numbers)
    return request.get_data(cache=False), seat, deal


def _check_photo(request: Request) -> None:
    """Raise UnsupportedMediaType for what no page sends: no foreign form can send this type."""
    if not request.mimetype.startswith("image/"):
        raise UnsupportedMediaType("Send the photograph as image/jpeg or what it is.")


def pin_of(body: dict[str, object]) -> str:
    """Read ``{"pin": "482913"}``. Raises BadRequest."""
    match body:
        case {"pin": str(pin)} if len(body) == 1 and pin.isascii() and len(pin) <= MAX_PIN:
            return pin
    raise BadRequest('Send "pin", six digits.')


def two_cards(body: dict[str, object]) -> tuple[str, str]:
    """Read ``{"one": "6e", "other": "7e"}``. Raises BadRequest."""
    match body:
        case {"one": str(one), "other": str(other)} if len(body) == 2:
            return one, other
    raise BadRequest('Send "one" and "other", two cards.')


def deck_name(body: dict[str, object]) -> tuple[str, bool]:
    """Read ``{"name": "mia", "instead": false}``. Raises BadRequest."""
    match body:
        case {"name": str(name), "instead": bool(instead)} if len(body) == 2:
            return name, instead
    raise BadRequest('Send "name" and "instead".')


def not_mus(body: dict[str, object]) -> tuple[int | str, bool]:
    """Read ``{"number": 7, "aside": true}`` or ``{"card": "7e"}``. Raises BadRequest."""
    match body:
        case {"number": int(number), "aside": bool(aside)} if len(body) == 2:
            return number, aside
        case {"card": str(card)} if len(body) == 1:
            return card, True
    raise BadRequest('Send "number" of a picture and "aside", or "card".')


def deck_to_play(body: dict[str, object]) -> str:
    """Read ``{"name": "mia"}``. Raises BadRequest."""
    match body:
        case {"name": str(name)} if len(body) == 1:
            return name
    raise BadRequest('Send "name", a deck.')


def changes(body: dict[str, object]) -> tuple[dict[str, object], str]:
    """Read ``{"set": {"mic": "jabra"}, "start": "new"}``. Raises BadRequest."""
    match body:
        case {"set": dict(values), "start": "" | "again" | "on" | "new" as start} if len(body) == 2:
            return values, str(start)
    raise BadRequest('Send "set", settings by their keys, and "start": "", "again", "on" or "new".')


def voice_trial(body: dict[str, object]) -> tuple[str, int, float, str, str]:
    """Read ``{"name": "", "rate": 180, "volume": 1.0, "language": "es", "style": "peña"}``.

    Without a style it is the table's: "". Raises BadRequest.
    """
    style = body.get("style", "")
    match {key: value for key, value in body.items() if key != "style"}:
        case {
            "name": str(name),
            "rate": int(rate),
            "volume": int() | float() as volume,
            "language": str(language),
        } as rest if len(rest) == 4 and isinstance(style, str):
            return name, rate, float(volume), language, style
    raise BadRequest('Send "name", "rate", "volume", "language" and "style" of a voice.')


def voice_step(body: dict[str, object]) -> tuple[str, str, str]:
    """Read ``{"do": "begin", "name": "Ana", "language": "es"}``, or another step of it.

    "forget" has a name, "skip", "stop" and "fit" have nothing. Raises BadRequest.
    """
    match body:
        case {"do": "begin", "name": str(name), "language": str(language)} if len(body) == 3:
            return "begin", name, language
        case {"do": "forget", "name": str(name)} if len(body) == 2:
            return "forget", name, ""
        case {"do": "skip" | "stop" | "fit" as step} if len(body) == 1:
            return str(step), "", ""
    raise BadRequest('Send "do": "begin", "forget", "skip", "stop" or "fit".')


def lesson_step(body: dict[str, object]) -> str:
    """Read ``{"step": "empty"}``. Raises BadRequest."""
    match body:
        case {"step": "empty" | "cards" as step} if len(body) == 1:
            return str(step)
    raise BadRequest('Send "step", "empty" or "cards".')


def camera_name(body: dict[str, object]) -> str:
    """Read ``{"camera": "0"}``. Raises BadRequest."""
    match body:
        case {"camera": str(camera)} if len(body) == 1 and camera:
            return camera
    raise BadRequest('Send "camera", a number or an address.')


def _pair(value: object) -> list[float]:
    if isinstance(value, list) and len(value) == 2:
        numbers = [float(one) for one in value if type(one) in (int, float)]
        if len(numbers) == 2:
            return numbers
    raise BadRequest('"corners" are four pairs of numbers, or null.')


def _check_hand(hand: Hand) -> None:
    """Refuse a hand that nobody can hold. The rules decide about fewer than four cards (S2 1.5)."""
    if not 0 < len(hand) <= HAND_SIZE:
        raise BadRequest(f"A hand has {HAND_SIZE} cards, or fewer after a misdeal.")
    try:
        check_deal((hand,))
    except CardError as error:
        raise BadRequest(str(error)) from error


def _check_reason(call: Call) -> None:
    """Refuse a reason of more than a line: it is read aloud, and written to log and script."""
    reason = call.reason if isinstance(call, AdjustStones) else ""
    if len(reason) > MAX_REASON or (reason and not reason.isprintable()):
        raise BadRequest(f"A reason is one line of {MAX_REASON} letters at most.")


def _number(body: dict[str, object], key: str) -> int:
    value = body.get(key)
    # type(), not isinstance(): true is no number.
    if type(value) is not int or not 0 <= value <= MAX_SEQ:
        raise BadRequest(f'"{key}" must be a whole number from 0 to {MAX_SEQ}.')
    return value


def _decoded(value: object) -> Call | Command:
    try:
        return call_from_dict(value)
    except CodecError as error:
        raise BadRequest(str(error)) from error
