"""Acts as JSON: each survives a round trip, and anything else is refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.hall.tournament import (
    Act,
    Drawn,
    Format,
    Opened,
    Options,
    PairEnrolled,
    ResultEntered,
    RoundPaired,
    TournamentError,
    Walkover,
    act_from_dict,
    act_from_json,
    act_to_dict,
    act_to_json,
    draw,
    fold,
)
from assistant.hall.tournament.acts import ACT_TYPES, MAX_ACT
from assistant.messages.codec import CodecError, NewerVersionError
from assistant.rules.errors import MusError
from tests.hall.tournament.playing import enrolled
from tests.hall.tournament.strategies import acts
from tests.tables import each_row


@given(acts)
def test_an_act_survives_a_round_trip(act: Act) -> None:
    text = act_to_json(act)
    assert act_from_json(text) == act
    assert text.isascii()
    assert "\n" not in text


def test_every_kind_of_act_has_its_name_in_json() -> None:
    assert len(ACT_TYPES) == 28
    assert all(name == kind.__name__ for name, kind in ACT_TYPES.items())


def test_an_act_is_written_with_all_its_fields() -> None:
    assert act_to_dict(RoundPaired(2, ((1, 4), (3, None)))) == {
        "type": "RoundPaired",
        "v": 1,
        "number": 2,
        "pairings": [[1, 4], [3, None]],
        "by": "",
    }
    assert act_to_dict(Opened("T", Format.SWISS, Options(rounds=5)))["options"] == {
        "juegos": 3,
        "rounds": 5,
        "groups": 0,
        "advance": 0,
        "tiebreaks": ["juegos", "stones", "direct"],
        "bronze": False,
        "clubs_apart": False,
        "rules": "",
        "profile": "",
    }


def test_the_largest_draw_and_round_survive_a_round_trip() -> None:
    pairs = list(fold(enrolled(2_600, Format.KNOCKOUT)).pairs.values())
    long = tuple(900_000 + number for number in draw(pairs, 1))
    act = Drawn(2**53 - 1, long)
    assert act_from_json(act_to_json(act)) == act
    halves = tuple(zip(long[:1_300], long[1_300:], strict=True))
    assert act_from_json(act_to_json(RoundPaired(9, halves))) == RoundPaired(9, halves)


ENTERED = act_to_dict(ResultEntered("K1.1", (3, 1), (0, 0), "Ana"))


@each_row(
    "change, sentence",
    [
        ({"juegos": [3, 1, 0]}, r"ResultEntered\.juegos: A list of 2 is needed"),
        ({"juegos": [3, True]}, "A whole number is needed, not True"),
        ({"juegos": [3, 1.0]}, "A whole number is needed, not 1.0"),
        ({"juegos": "31"}, "A list of 2 is needed"),
        ({"juegos": [2, 2]}, "A match has a winner"),
        ({"juegos": [16, 2]}, "A pair wins 0 to 15 juegos, not 16"),
        ({"stones": [-1, 2]}, "A pair has 0 to 9999 stones, not -1"),
        ({"by": ""}, "Who enters a result is missing"),
        ({"by": "  "}, "Who enters a result is missing"),
        ({"by": "x" * 121}, "longer than 120 letters"),
        ({"by": "Ana\nLuis"}, "write it on one line"),
        ({"by": "\ud800"}, "letters that nobody can read"),
        ({"match": 3}, "A text is needed"),
        ({"colour": 1}, "has no field 'colour'"),
        ({"v": 0}, "Nothing reads ResultEntered version 0"),
        ({"v": "1"}, "An act has a type and a version"),
        ({"type": None}, "An act has a type and a version"),
    ],
)
def test_a_malformed_act_is_refused_with_the_field(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(CodecError, match=sentence):
        act_from_dict({**ENTERED, **change})


@each_row("change", [{"type": "PairBribed"}, {"v": 2}])
def test_an_unknown_act_is_reported_as_of_a_newer_version(change: dict[str, Any]) -> None:
    with pytest.raises(NewerVersionError, match="is unknown here: update mus"):
        act_from_dict({**ENTERED, **change})


def test_a_field_without_a_default_is_required() -> None:
    with pytest.raises(CodecError, match="ResultEntered lacks juegos"):
        act_from_dict({name: part for name, part in ENTERED.items() if name != "juegos"})


@each_row("text", ["", "{", "[]", "1", '"K1.1"', "[" * 50_000, "9" * 5_000])
def test_text_that_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(CodecError):
        act_from_json(text)


def test_too_long_a_text_is_not_parsed() -> None:
    with pytest.raises(CodecError, match=f"{MAX_ACT} letters at most"):
        act_from_json(json.dumps(ENTERED) + " " * MAX_ACT)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


@given(st.sampled_from(sorted(ACT_TYPES)), st.data())
def test_any_json_value_gives_an_act_or_an_error_with_a_sentence(
    name: str, data: st.DataObject
) -> None:
    fields = list(ACT_TYPES[name].__dataclass_fields__)
    body = data.draw(st.dictionaries(st.sampled_from(fields), json_values))
    said = ""
    try:
        act = act_from_dict({"type": name, "v": 1, **body})
        assert act_from_json(act_to_json(act)) == act
    except MusError as error:
        said = str(error)
    assert len(said) < 400


@each_row(
    "form, options, sentence",
    [
        (Format.SWISS, {}, "Give a Swiss tournament its number of rounds"),
        (Format.ROBIN, {"rounds": 3}, "Only a Swiss tournament has rounds"),
        (Format.GROUPS, {"groups": 1, "advance": 1}, "at least two groups"),
        (Format.GROUPS, {"groups": 2}, "how many pairs of each go on"),
        (Format.KNOCKOUT, {"groups": 2}, "Only a tournament of groups has groups"),
        (Format.DOUBLE, {"bronze": True}, "Only a knock-out has a match for the third place"),
        (Format.ROBIN, {"clubs_apart": True}, "In a round robin all clubs meet: leave it out"),
        (Format.ROBIN, {"tiebreaks": ("buchholz",)}, "buchholz separates nobody"),
        (Format.ROBIN, {"tiebreaks": ("luck",)}, "There is no tie-break 'luck'"),
        (Format.ROBIN, {"tiebreaks": ("stones", "stones")}, "stands in the list twice"),
        (Format.ROBIN, {"juegos": 0}, "A match is won with 1 to 15 juegos, not 0"),
        (Format.SWISS, {"rounds": 61}, "There are 0 to 60 Swiss rounds, not 61"),
    ],
)
def test_options_that_a_format_does_not_know_are_refused(
    form: Format, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(TournamentError, match=sentence):
        Opened("Torneo", form, Options(**options))


@each_row(
    "make, sentence",
    [
        (lambda: Opened(" ", Format.ROBIN), "The tournament's name is missing"),
        (lambda: PairEnrolled(0, "P", ("A", "B")), "The number of a pair is 1 to 999999, not 0"),
        (lambda: PairEnrolled(1, "P", ("A", "")), "A player's name is missing"),
        (lambda: PairEnrolled(1, "P", ("A", "B"), "", 0), "The place of a seeded pair is 1 to"),
        (lambda: Drawn(-1, ()), "The seed of a draw is 0 to"),
        (lambda: Walkover("K1.1", 1, "Juez", ""), "The reason is missing"),
        (lambda: Walkover("K1.1", 1, "", "No vinieron"), "Who did it is missing"),
    ],
)
def test_an_act_is_checked_when_it_is_made(make: Any, sentence: str) -> None:
    with pytest.raises(TournamentError, match=sentence):
        make()
