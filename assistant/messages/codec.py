"""Events and calls as JSON. One codec, driven by the dataclasses' own type hints.

An event is written as ``{"type": "BetMade", "v": 1, "seat": 2, ...}``: every field, those that hold
their default too, so that a default that changes later leaves old journals as they were. A field
with a default may be absent when read: adding one whose default means "as before" needs no new
version. Any other change raises the event's ``VERSION`` and adds an upcast from the old one.

Cards are written as printed on them ("R", "7e"). A class is compiled once, when first met.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache

from assistant.messages import Command
from assistant.messages.documents import parse_json
from assistant.messages.forms import FORMS, Json, form_of, json_object, kinds, short, table_form
from assistant.messages.forms import CodecError as CodecError
from assistant.messages.forms import NewerVersionError as NewerVersionError
from assistant.rules import calls, events
from assistant.rules.cards import Card, Rank, Suit


def _game_opened_1(event: Json) -> Json:
    """Before version 2 a game had four house rules; the others were as they are set here."""
    profile = event.get("profile")
    if type(profile) is dict:
        played = {"corrido": "off", "penalty": "off", "late_claims": True}
        event["profile"] = {**played, **profile}
    return {**event, "v": 2}


UPCASTS: dict[tuple[str, int], Callable[[Json], Json]] = {("GameOpened", 1): _game_opened_1}
"""(type, old version) -> the same event written in a later version, ``type`` and ``v`` included."""

MAX_CALL_PARTS = 64
MAX_CALL_DEPTH = 4
MAX_CALL_TEXT = 200
MAX_CALL_NUMBER = 1_000_000


EVENT_TYPES: dict[str, type[events.Event]] = kinds(events, events.Event)
"""Every kind of event by the name it is written with."""
CALL_TYPES: dict[str, type[calls.Call]] = kinds(calls, calls.Call)
"""Every kind of call by the name it is written with."""
COMMAND = "Command"
"""The ``type`` of a command to the assistant, which is no call of the game."""


def event_to_dict(event: events.Event) -> Json:
    """Write an event as JSON values."""
    kind = type(event)
    return {"type": kind.__name__, "v": kind.VERSION, **form_of(kind).encode(event)}


def event_from_dict(value: object) -> events.Event:
    """Read an event. Raises CodecError, or NewerVersionError for a type or version unknown here."""
    name, version, body = _upcast(json_object(value, "An event"))
    kind = EVENT_TYPES.get(name)
    if kind is None or version > kind.VERSION:
        raise NewerVersionError(
            f"The event {name!r} version {version} was made by a newer version of mus: update mus."
        )
    if version < kind.VERSION:
        raise CodecError(f"Nothing reads {name} version {version} any more.")
    event: events.Event = form_of(kind).decode(body)
    return event


def event_to_json(event: events.Event) -> str:
    """Write an event as one line of compact JSON, in ASCII."""
    return json.dumps(event_to_dict(event), separators=(",", ":"))


# An evening says the same few hundred things again and again ("seat 2 passes at grande"): three
# out of four events of a replay come out of the cache. They are frozen, so sharing them is safe.
@lru_cache(maxsize=512)
def event_from_json(text: str) -> events.Event:
    """Read what ``event_to_json`` wrote. Raises CodecError, NewerVersionError."""
    try:
        value = parse_json(text)
    except ValueError:
        raise CodecError(f"This is no JSON: {short(text)}.") from None
    return event_from_dict(value)


def call_to_dict(what: calls.Call | Command) -> Json:
    """Write what a button means, a call or a command, as JSON values."""
    if isinstance(what, Command):
        return {"type": COMMAND, "command": what.value}
    return dict(_written(what))


@lru_cache(maxsize=512)
def _written(call: calls.Call) -> Json:
    """A call as JSON values; a page's buttons are the same few hundred all evening."""
    return {"type": type(call).__name__, **form_of(type(call)).encode(call)}


def call_from_dict(value: object) -> calls.Call | Command:
    """Read what a button sent. Nothing in ``value`` is trusted.

    Types are strict, sizes bounded, unknown keys refused. Whether the call is legal now is for the
    rules to say. Raises CodecError and nothing else.
    """
    _check_bounds(value)
    body = dict(json_object(value, "A call"))
    name = body.pop("type", None)
    if name == COMMAND:
        return _command(body)
    kind = CALL_TYPES.get(name) if isinstance(name, str) else None
    if kind is None:
        raise CodecError(f"There is no call of type {short(name)}.")
    call: calls.Call = form_of(kind).decode(body)
    return call


def _command(body: Json) -> Command:
    if body.keys() != {"command"}:
        raise CodecError(f"A command has its name and nothing else: {short(body)}.")
    command: Command = form_of(Command).decode(body["command"])
    return command


def _upcast(value: Json) -> tuple[str, int, Json]:
    """Bring an event up to its present version: its type, version, and fields."""
    while True:
        body = dict(value)
        name, version = body.pop("type", None), body.pop("v", None)
        if type(name) is not str or type(version) is not int:
            raise CodecError(f"An event has a type and a version: {short(value)}.")
        upcast = UPCASTS.get((name, version))
        if upcast is None:
            return name, version, body
        value = upcast(dict(value))


def _check_bounds(value: object) -> None:
    """Refuse what no button sends, before anything else looks at it. Raises CodecError."""
    parts = 0
    level = [value]
    for _ in range(MAX_CALL_DEPTH):
        parts += len(level)
        if parts > MAX_CALL_PARTS:
            break
        below: list[object] = []
        for part in level:
            if isinstance(part, str) and len(part) > MAX_CALL_TEXT:
                raise CodecError(f"A text in a call has {MAX_CALL_TEXT} letters at most.")
            if isinstance(part, int) and abs(part) > MAX_CALL_NUMBER:
                raise CodecError(f"A number in a call is {MAX_CALL_NUMBER} at most.")
            if isinstance(part, dict):
                below += [*part, *part.values()]
            elif isinstance(part, list | tuple):
                below += part
        if not below:
            return
        level = below
    raise CodecError(f"A call has {MAX_CALL_PARTS} parts at most, {MAX_CALL_DEPTH} levels deep.")


_CARDS = {str(card): card for rank in Rank for card in (Card(rank), *(Card(rank, s) for s in Suit))}

FORMS[Card] = table_form(_CARDS, str, "A card like 'R' or '7e'")
