"""The codec of events: each survives a round trip; damaged and newer ones are refused."""

import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given

from assistant.messages import codec
from assistant.messages.codec import (
    EVENT_TYPES,
    CodecError,
    NewerVersionError,
    event_from_dict,
    event_from_json,
    event_to_dict,
    event_to_json,
)
from assistant.rules import events as e
from assistant.rules.cards import parse_hand
from assistant.rules.errors import HistoryError
from assistant.rules.phases import Lance
from assistant.rules.profile import Corrido, Penalty, Profile, Real31
from tests.messages.strategies import events
from tests.tables import each_row

BET = {"type": "BetMade", "v": 1, "seat": 2, "lance": "grande", "stones": 5}


@given(events)
def test_every_event_survives_a_round_trip(event: e.Event) -> None:
    text = event_to_json(event)
    assert event_from_json(text) == event
    assert type(event_from_json(text)) is type(event)
    assert event_from_dict(json.loads(text)) == event


@given(events)
def test_json_is_one_ascii_line(event: e.Event) -> None:
    text = event_to_json(event)
    assert text.isascii()
    assert text.isprintable()


def test_the_codec_knows_every_event_of_the_rules() -> None:
    assert set(EVENT_TYPES) == {kind.__name__ for kind in e.EVENTS}
    assert all(getattr(e, name) is kind for name, kind in EVENT_TYPES.items())


def test_no_field_hides_the_type_or_the_version() -> None:
    names = {field.name for kind in EVENT_TYPES.values() for field in fields(kind)}
    assert not names & {"type", "v"}


def test_the_json_form_is_the_documented_one() -> None:
    opened = e.GameOpened(Profile(kings=4, real31=Real31.SOTA), ("Ana", "Íñigo"))
    assert event_to_json(opened) == (
        '{"type":"GameOpened","v":2,"profile":{"kings":4,"target":40,"juegos":3,"vacas":1,'
        '"sides":"two","corrido":"match","order":"free","mus_order":"seat","paso_cuts":true,'
        '"min_bet":2,"min_raise":1,"bare_raise":"ask","reenvido":"double","both":true,'
        '"auto_declare":false,"answer":"both","partner_conflict":"highest","implicit_no":false,'
        '"show_is_accept":false,"real31":"sota","real31_cards":[],"pedrete":0,"adentro":true,'
        '"late_claims":false,"penalty":"warn","articles":"off","exposed":"redeal","senas":"fem","calls":["es"],'
        '"voice":"es"},'
        '"seats":["Ana","\\u00cd\\u00f1igo"],"sides":2}'
    )
    shown = e.HandShown(3, parse_hand("Ro C 7e 1"))
    assert event_to_dict(shown) == {
        "type": "HandShown",
        "v": 1,
        "seat": 3,
        "cards": ["Ro", "C", "7e", "1"],
    }


def test_a_journal_of_version_1_is_read_with_the_rules_it_was_played_by() -> None:
    """Version 1 had neither mus corrido nor penalties, and claims were open."""
    old = (
        '{"type":"GameOpened","v":1,"profile":{"kings":4,"target":30,"juegos":2,"real31":"sota"},'
        '"seats":["Ana","Luis","Eva","Juan"],"sides":2}'
    )
    played = Profile(
        kings=4,
        target=30,
        juegos=2,
        real31=Real31.SOTA,
        corrido=Corrido.OFF,
        penalty=Penalty.OFF,
        late_claims=True,
    )
    assert event_from_json(old) == e.GameOpened(played, ("Ana", "Luis", "Eva", "Juan"), 2)


def test_a_field_with_a_default_may_be_absent() -> None:
    assert event_from_dict(BET) == e.BetMade(2, Lance.GRANDE, 5)


@each_row(
    "change, named",
    [
        ({"seat": "2"}, "BetMade.seat: A whole number is needed, not '2'"),
        ({"seat": True}, "BetMade.seat: A whole number is needed, not True"),
        ({"seat": 2.0}, "BetMade.seat"),
        ({"seat": None}, "BetMade.seat"),
        ({"lance": "pares?"}, "BetMade.lance: One of grande, chica"),
        ({"lance": ["grande"]}, "BetMade.lance"),
        ({"both": 1}, "BetMade.both: true or false"),
        ({"colour": "red"}, "BetMade has no field 'colour'"),
        ({"type": 7}, "An event has a type and a version"),
        ({"v": "1"}, "An event has a type and a version"),
        ({"v": True}, "An event has a type and a version"),
        ({"v": 0}, "Nothing reads BetMade version 0 any more"),
    ],
)
def test_a_damaged_event_is_refused_with_the_name_of_the_field(
    change: dict[str, Any], named: str
) -> None:
    with pytest.raises(CodecError) as caught:
        event_from_dict({**BET, **change})
    assert named in str(caught.value)


def test_a_missing_field_is_named() -> None:
    short = {key: value for key, value in BET.items() if key != "stones"}
    with pytest.raises(CodecError, match="BetMade lacks stones"):
        event_from_dict(short)


@each_row(
    "cards, named",
    [("RRC1", "A list is needed"), (["R", "X"], "A card like 'R' or '7e' is needed, not 'X'")],
)
def test_a_damaged_hand_is_refused(cards: object, named: str) -> None:
    with pytest.raises(CodecError, match=named):
        event_from_dict({"type": "HandShown", "v": 1, "seat": 1, "cards": cards})


def test_impossible_house_rules_are_refused_with_the_rules_own_reason() -> None:
    opened = {"type": "GameOpened", "v": 1, "profile": {"kings": 5}, "seats": ["a", "b"]}
    with pytest.raises(CodecError, match="8 or 4 kings"):
        event_from_dict(opened)


@each_row("text", ["", "{", "nul", "[" * 100_000, '{"type":', "9" * 5_000])
def test_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(CodecError) as caught:
        event_from_json(text)
    assert len(str(caught.value)) < 200


@each_row("text", ["null", "[]", "1", '"BetMade"'])
def test_json_that_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(CodecError, match="An event is a JSON object"):
        event_from_json(text)


@each_row("change", [{"v": 2}, {"type": "TableSet"}])
def test_an_event_of_a_newer_version_asks_for_an_update(change: dict[str, Any]) -> None:
    with pytest.raises(NewerVersionError, match="update mus") as caught:
        event_from_dict({**BET, **change})
    assert isinstance(caught.value, HistoryError)


def test_an_old_event_is_upgraded_version_by_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """First "Bet" with ``size``, then "BetMade" with ``size``, now "BetMade" with ``stones``."""

    def renamed(old: dict[str, Any]) -> dict[str, Any]:
        return {**old, "type": "BetMade", "v": 0}

    def resized(old: dict[str, Any]) -> dict[str, Any]:
        stones = old.pop("size")
        return {**old, "stones": stones, "v": 1}

    monkeypatch.setitem(codec.UPCASTS, ("Bet", 7), renamed)
    monkeypatch.setitem(codec.UPCASTS, ("BetMade", 0), resized)
    oldest = {"type": "Bet", "v": 7, "seat": 2, "lance": "grande", "size": 5}
    kept = dict(oldest)
    assert event_from_dict(oldest) == e.BetMade(2, Lance.GRANDE, 5)
    assert oldest == kept  # an upcast may change only its own copy


def test_every_older_version_can_still_be_read() -> None:
    missing = [
        (name, version)
        for name, kind in EVENT_TYPES.items()
        for version in range(1, kind.VERSION)
        if (name, version) not in codec.UPCASTS
    ]
    assert not missing
