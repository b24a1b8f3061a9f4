"""Hypothesis strategies: events and calls of every kind, drawn from the types of their fields."""

from dataclasses import fields
from typing import Any, get_type_hints

from hypothesis import strategies as st

from assistant.messages.codec import CALL_TYPES, EVENT_TYPES, MAX_CALL_NUMBER
from assistant.rules.calls import Call
from assistant.rules.events import Event
from assistant.rules.profile import Profile
from tests.rules.profiles import profiles

_VALUES = ["Command", "Profile", "Event", "Call", "undo", "grande", "R", "7e", *CALL_TYPES]

PROFILES = profiles()


def facts(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Instances with every field filled, also those with a default."""
    hints = get_type_hints(kind)
    drawn = {
        field.name: PROFILES if hints[field.name] is Profile else st.from_type(hints[field.name])
        for field in fields(kind)
    }
    return st.builds(kind, **drawn)


@st.deferred
def events() -> st.SearchStrategy[Event]:
    """Any event; all kinds are equally likely."""
    return st.one_of([facts(kind) for kind in EVENT_TYPES.values()])


@st.deferred
def calls() -> st.SearchStrategy[Call]:
    """Any call with numbers and lists of a size that a button sends."""
    return st.one_of([facts(kind) for kind in CALL_TYPES.values()]).filter(_sendable)


def _sendable(call: Call) -> bool:
    values = [getattr(call, field.name) for field in fields(call)]
    numbers = [part for value in values for part in (value if _is_many(value) else (value,))]
    return len(numbers) < 50 and all(
        abs(number) <= MAX_CALL_NUMBER for number in numbers if isinstance(number, int)
    )


def _is_many(value: object) -> bool:
    return isinstance(value, tuple)


def json_values() -> st.SearchStrategy[Any]:
    """Anything that a JSON parser can return, with the keys and types of calls among it."""
    words = st.sampled_from([*"type command cards stones seat lance both mano".split(), *_VALUES])
    texts = words | st.text(max_size=8)
    plain = st.none() | st.booleans() | st.integers() | st.floats() | texts
    return st.recursive(
        plain, lambda some: st.lists(some) | st.dictionaries(texts, some), max_leaves=20
    )
