"""The record as JSON: the facts of ``shape`` with times in ISO and events as the journal's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

from assistant.codec import event_to_dict
from assistant.record.shape import DealTold, MatchTold
from assistant.rules.events import Event


def as_json(told: MatchTold) -> dict[str, Any]:
    """The match as plain values; each deal has ``agrees`` beside its checks."""
    result: dict[str, Any] = plain(told)
    return result


def plain(value: Any) -> Any:
    """Any part of a record as plain values."""
    if isinstance(value, Event):
        return event_to_dict(value)
    if is_dataclass(value) and not isinstance(value, type):
        found = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        return {**found, "agrees": value.agrees} if isinstance(value, DealTold) else found
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value
