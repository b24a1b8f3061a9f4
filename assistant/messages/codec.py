"""Events, calls and other frozen dataclasses as JSON, written and read by their own type hints."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from assistant.messages import Command
from assistant.messages.documents import parse_json
from assistant.rules import calls, events
from assistant.rules.cards import Card, Rank, Suit
from assistant.rules.errors import HistoryError, MusError

# ---- Forms: values as JSON and back, driven by the type hints of frozen dataclasses -------------
# A *form* writes and reads the values of one type. Reading is strict: the exact type, every field
# without a default, no field that is unknown; a wrong value is named by its place. The forms of
# plain types stand in a table to which others may be added; a dataclass's is made when first met.


Json = dict[str, Any]
RARE = "rare"
"""The metadata of a field that is written only if it does not hold its default, so that versions
from before the field can read everything that does not need it."""


class CodecError(HistoryError):
    """JSON of the wrong form; the text says which field is wrong, and why."""


class NewerVersionError(CodecError):
    """JSON that a newer version of the assistant wrote."""


@dataclass(frozen=True, slots=True)
class Form:
    """How values of one type are written and read."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


def kinds(module: object, base: type) -> dict[str, type[Any]]:
    """The subclasses of ``base`` that a module holds, by the name they are written with."""
    # Not base.__subclasses__(): it also lists the class that slots=True replaced.
    return {
        name: kind
        for name, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, base) and kind is not base
    }


def json_object(value: object, what: str) -> Json:
    """A JSON object as it is. Raises CodecError, naming ``what`` it should have been."""
    if type(value) is not dict:
        raise CodecError(f"{what} is a JSON object, not {short(value)}.")
    return value


def short(value: object) -> str:
    """A value as an error message quotes it: never a page long."""
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def form_of(hint: Any) -> Form:
    """The form of a type hint, made when first asked for.

    Raises TypeError for a hint that nothing written so far has had.
    """
    form = FORMS.get(hint)
    if form is None:
        form = FORMS[hint] = _made(hint)
    return form


def _made(hint: Any) -> Form:
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _enum_form(hint)
    if is_dataclass(hint) and isinstance(hint, type):
        return _dataclass_form(hint)
    arguments = get_args(hint)
    if get_origin(hint) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return _tuple_form(form_of(arguments[0]))
    if get_origin(hint) is tuple:
        return _fixed_form([form_of(argument) for argument in arguments])
    if isinstance(hint, UnionType) and len(arguments) == 2 and arguments[1] is NoneType:
        return _optional_form(form_of(arguments[0]))
    raise TypeError(f"The codec has no form for {hint}.")


def _as_is(value: Any) -> Any:
    return value


def _exactly(kind: type, wanted: str) -> Form:
    def decode(value: Any) -> Any:
        # type(), not isinstance(): True is no number of stones.
        if type(value) is not kind:
            raise CodecError(f"{wanted} is needed, not {short(value)}.")
        return value

    return Form(_as_is, decode)


def table_form(table: dict[str, Any], encode: Callable[[Any], Any], wanted: str) -> Form:
    """A type with few values, each with a text of its own."""

    def decode(value: Any) -> Any:
        if type(value) is str and value in table:
            return table[value]
        raise CodecError(f"{wanted} is needed, not {short(value)}.")

    return Form(encode, decode)


def _enum_form(kind: type[StrEnum]) -> Form:
    table = {member.value: member for member in kind}
    return table_form(table, lambda member: member.value, f"One of {', '.join(table)}")


def _tuple_form(item: Form) -> Form:
    def encode(value: Any) -> Any:
        return [item.encode(part) for part in value]

    def decode(value: Any) -> Any:
        if type(value) is not list:
            raise CodecError(f"A list is needed, not {short(value)}.")
        return tuple([item.decode(part) for part in value])

    return Form(encode, decode)


def _fixed_form(items: list[Form]) -> Form:
    """A tuple of so many values, each of its own type."""

    def encode(value: Any) -> Any:
        return [item.encode(part) for item, part in zip(items, value, strict=True)]

    def decode(value: Any) -> Any:
        if type(value) is not list or len(value) != len(items):
            raise CodecError(f"A list of {len(items)} is needed, not {short(value)}.")
        return tuple([item.decode(part) for item, part in zip(items, value, strict=True)])

    return Form(encode, decode)


def _optional_form(item: Form) -> Form:
    def encode(value: Any) -> Any:
        return None if value is None else write(value)

    write = item.encode

    def decode(value: Any) -> Any:
        return None if value is None else item.decode(value)

    return Form(_as_is if write is _as_is else encode, decode)


def _dataclass_form(kind: type[Any]) -> Form:
    hints = get_type_hints(kind)
    forms = {field.name: form_of(hints[field.name]) for field in fields(kind)}
    required = {
        field.name
        for field in fields(kind)
        if field.default is MISSING and field.default_factory is MISSING
    }

    # Most values are written as they are; a function is called only for the others.
    writers = [(name, form.encode if form.encode is not _as_is else None)
               for name, form in forms.items()]  # fmt: skip

    def encode(value: Any) -> Any:
        return {
            name: write(getattr(value, name)) if write else getattr(value, name)
            for name, write in writers
        }

    rare = {field.name: field.default for field in fields(kind) if field.metadata.get(RARE)}

    def encode_without_rare(value: Any) -> Any:
        absent = [name for name, default in rare.items() if getattr(value, name) == default]
        return {name: part for name, part in encode(value).items() if name not in absent}

    def decode(value: Any) -> Any:
        values = {}
        for name, part in json_object(value, kind.__name__).items():
            if name not in forms:
                raise CodecError(f"{kind.__name__} has no field {short(name)}.")
            try:
                values[name] = forms[name].decode(part)
            except CodecError as error:
                raise CodecError(f"{kind.__name__}.{name}: {error}") from error
        if not required <= values.keys():
            missing = ", ".join(sorted(required - values.keys()))
            raise CodecError(f"{kind.__name__} lacks {missing}.")
        try:
            return kind(**values)
        except MusError as error:
            raise CodecError(f"{kind.__name__}: {error}") from error

    return Form(encode_without_rare if rare else encode, decode)


FORMS: dict[Any, Form] = {
    int: _exactly(int, "A whole number"),
    str: _exactly(str, "A text"),
    bool: _exactly(bool, "true or false"),
}
"""Type hint -> its form. The plain ones stand here; ``form_of`` adds the others."""


# ---- Events and calls as JSON, with versions ----------------------------------------------------
# An event is written as ``{"type": "BetMade", "v": 1, "seat": 2, ...}``: every field, those that
# hold their default too, so that a default that changes later leaves old journals as they were.
# Only a ``RARE`` field, whose default never changes, is left out. A field with a default may be
# absent when read: adding one whose default means "as before" needs no new version. Any other
# change raises the event's ``VERSION`` and adds an upcast from the old one.
#
# Cards are written as printed on them ("R", "7e"). A class is compiled once, when first met.


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


# In an evening the same few hundred events come again and again ("seat 2 passes at grande"): three
# out of four events of a replay come from the cache. They are frozen, so sharing them is safe.
@lru_cache(maxsize=512)
def event_from_json(text: str) -> events.Event:
    """Read what ``event_to_json`` wrote. Raises CodecError, NewerVersionError."""
    try:
        value = parse_json(text)
    except ValueError:
        raise CodecError(f"This is no JSON: {short(text)}.") from None
    return event_from_dict(value)


def call_to_dict(what: calls.Call | Command) -> Json:
    """Write the call or command of a button as JSON values."""
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
    """Refuse sizes that no button sends, before anything else reads them. Raises CodecError."""
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
