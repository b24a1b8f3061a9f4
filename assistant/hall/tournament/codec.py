"""Acts as JSON, by the same forms as the events of a table.

An act is written as ``{"type": "Walkover", "v": 1, "match": "K1.3", ...}``: every field, those that
hold their default too, so that a default that changes later leaves old tournaments as they were. A
field with a default may be absent when read. Reading trusts nothing: the text is bounded, types are
strict, unknown fields are refused, and the act checks itself.
"""

from __future__ import annotations

import json

from assistant.hall.tournament import acts
from assistant.messages.documents import parse_json
from assistant.messages.forms import (
    CodecError,
    Json,
    NewerVersionError,
    form_of,
    json_object,
    kinds,
    short,
)

MAX_ACT = 65_536
"""Letters of an act as JSON: a draw of the most pairs there may be has less than half of it."""

ACT_TYPES: dict[str, type[acts.Act]] = kinds(acts, acts.Act)
"""Every kind of act by the name it is written with."""


def act_to_dict(act: acts.Act) -> Json:
    """Write an act as JSON values."""
    kind = type(act)
    return {"type": kind.__name__, "v": kind.VERSION, **form_of(kind).encode(act)}


def act_from_dict(value: object) -> acts.Act:
    """Read an act. Raises CodecError, or NewerVersionError for a type or version unknown here."""
    body = dict(json_object(value, "An act"))
    name, version = body.pop("type", None), body.pop("v", None)
    if type(name) is not str or type(version) is not int:
        raise CodecError(f"An act has a type and a version: {short(value)}.")
    kind = ACT_TYPES.get(name)
    if kind is None or version > kind.VERSION:
        raise NewerVersionError(
            f"The act {short(name)} version {short(version)} is unknown here: "
            "update mus, or look how it is written."
        )
    if version < kind.VERSION:
        raise CodecError(f"Nothing reads {name} version {short(version)} any more.")
    act: acts.Act = form_of(kind).decode(body)
    return act


def act_to_json(act: acts.Act) -> str:
    """Write an act as one line of compact JSON, in ASCII."""
    return json.dumps(act_to_dict(act), separators=(",", ":"))


def act_from_json(text: str) -> acts.Act:
    """Read what ``act_to_json`` wrote, or a stranger did. Raises CodecError, NewerVersionError."""
    if len(text) > MAX_ACT:
        raise CodecError(f"An act has {MAX_ACT} letters at most, not {len(text)}.")
    try:
        value = parse_json(text)
    except (ValueError, RecursionError):
        raise CodecError(f"This is no JSON: {short(text)}.") from None
    return act_from_dict(value)
