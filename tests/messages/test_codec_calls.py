"""The codec of calls: a button's call survives a round trip, everything else is refused."""

import json
from typing import Any

import pytest
from hypothesis import given

from assistant.messages import Command
from assistant.messages.codec import (
    CALL_TYPES,
    MAX_CALL_NUMBER,
    CodecError,
    call_from_dict,
    call_to_dict,
)
from assistant.rules import calls as c
from assistant.rules.cards import parse_hand
from assistant.rules.phases import Lance
from tests.messages.strategies import calls, json_values
from tests.tables import each_row


@given(calls)
def test_every_call_survives_a_round_trip(call: c.Call) -> None:
    sent = json.loads(json.dumps(call_to_dict(call)))
    assert call_from_dict(sent) == call
    assert type(call_from_dict(sent)) is type(call)


@each_row("command", Command)
def test_every_command_survives_a_round_trip(command: Command) -> None:
    sent = json.loads(json.dumps(call_to_dict(command)))
    assert sent == {"type": "Command", "command": str(command)}
    assert call_from_dict(sent) is command


def test_the_codec_knows_every_call_of_the_rules() -> None:
    assert set(CALL_TYPES) == {kind.__name__ for kind in c.Call.__subclasses__()}
    assert all(getattr(c, name) is kind for name, kind in CALL_TYPES.items())


def test_a_field_that_the_page_leaves_out_has_its_default() -> None:
    assert call_from_dict({"type": "Pass"}) == c.Pass()
    assert call_from_dict({"type": "Bet", "seat": 2, "lance": "chica"}) == c.Bet(
        seat=2, lance=Lance.CHICA, stones=c.ENVIDO
    )


def test_cards_are_sent_as_they_are_printed_in_scripts() -> None:
    sent = {"type": "ShowHand", "seat": 3, "cards": ["Ro", "C", "7e", "1"]}
    assert call_from_dict(sent) == c.ShowHand(seat=3, cards=parse_hand("Ro C 7e 1"))


@given(json_values())
def test_any_json_value_is_a_call_or_a_codec_error(value: Any) -> None:
    sentence = ""
    try:
        what = call_from_dict(value)
    except CodecError as error:
        sentence = str(error)
    else:
        assert call_from_dict(call_to_dict(what)) == what
    assert len(sentence) < 400
    assert "\n" not in sentence


@given(calls, json_values(), json_values())
def test_a_call_with_one_damaged_field_is_a_call_or_a_codec_error(
    call: c.Call, key: Any, value: Any
) -> None:
    sent = call_to_dict(call)
    name = key if isinstance(key, str) else "seat"
    try:
        what = call_from_dict({**sent, name: value})
    except CodecError:
        return
    assert isinstance(what, c.Call | Command)


@each_row(
    "value, named",
    [
        (None, "A call is a JSON object, not None"),
        ([], "A call is a JSON object"),
        ({}, "There is no call of type None"),
        ({"type": "GameOpened"}, "There is no call of type 'GameOpened'"),
        ({"type": "Call"}, "There is no call of type 'Call'"),
        ({"type": ["Bet"]}, "There is no call of type"),
        ({"type": "Bet", "colour": 1}, "Bet has no field 'colour'"),
        ({"type": "Bet", "v": 1}, "Bet has no field 'v'"),
        ({"type": "Bet", "stones": "5"}, "Bet.stones: A whole number is needed"),
        ({"type": "Bet", "stones": True}, "Bet.stones: A whole number is needed"),
        ({"type": "Bet", "stones": float("nan")}, "Bet.stones: A whole number is needed"),
        ({"type": "Bet", 5: 5}, "Bet has no field 5"),
        ({"type": "ShowHand", "cards": ["R", None]}, "A card like 'R' or '7e' is needed"),
        ({"type": "Command"}, "A command has its name and nothing else"),
        ({"type": "Command", "command": "undo", "seat": 1}, "A command has its name"),
        ({"type": "Command", "command": "reboot"}, "One of undo, redo"),
    ],
)
def test_a_wrong_call_is_refused_with_the_name_of_the_field(value: object, named: str) -> None:
    with pytest.raises(CodecError) as caught:
        call_from_dict(value)
    assert named in str(caught.value)


def _deep(levels: int) -> object:
    value: object = "R"
    for _ in range(levels):
        value = [value]
    return value


def too_large() -> list[object]:
    return [
        {"type": "ShowHand", "cards": ["R"] * 1_000_000},
        {"type": "SetStones", "stones": [1] * 65},
        {"type": "ShowHand", "cards": _deep(5)},
        {"type": "ShowHand", "cards": _deep(100_000)},
        {"type": "x" * 201},
        {"type": "Bet", "x" * 1_000_000: 1},
        {"type": "Bet", "stones": MAX_CALL_NUMBER + 1},
        {"type": "Bet", "stones": -(10**4_000)},
        {str(n): n for n in range(1_000)},
    ]


@each_row("value", too_large)
def test_too_large_a_value_is_refused_in_a_short_sentence(value: object) -> None:
    with pytest.raises(CodecError) as caught:
        call_from_dict(value)
    assert len(str(caught.value)) < 100
