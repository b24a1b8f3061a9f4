"""A chronicle as JSON: the facts of ``shape``, cards as written, events as in the journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from assistant.codec import event_to_dict
from assistant.rules.cards import Card
from assistant.rules.events import Event


def as_json(told: object) -> dict[str, Any]:
    """A match, one deal, or any other dataclass of facts as plain values."""
    result: dict[str, Any] = _plain(told)
    return result


def _plain(value: Any) -> Any:
    if isinstance(value, Event):
        return event_to_dict(value)
    if isinstance(value, Card):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value
