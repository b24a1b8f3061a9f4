"""The legal calls as plain calls, without the range of stones that each may have."""

from __future__ import annotations

from assistant.rules import engine
from assistant.rules.calls import Call
from assistant.rules.state import State


def legal_calls(state: State) -> tuple[Call, ...]:
    """The calls that ``engine.legal_calls`` lists."""
    return tuple(one.call for one in engine.legal_calls(state))
