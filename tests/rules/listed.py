"""The calls that the rules list, without the stones that each may have."""

from __future__ import annotations

from assistant.rules import engine
from assistant.rules.calls import Call
from assistant.rules.state import State


def legal_calls(state: State) -> tuple[Call, ...]:
    """What ``engine.legal_calls`` lists, each call as it stands there."""
    return tuple(one.call for one in engine.legal_calls(state))
