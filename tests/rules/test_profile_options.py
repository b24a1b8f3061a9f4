"""Every option of the house rules: its default, its values, its text form and its refusals."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, fields

import pytest

from assistant.rules.errors import ProfileError
from assistant.rules.profile import (
    OPTIONS,
    Penalty,
    Profile,
    Real31,
    Sides,
    differences,
    profile_from,
    rules_of,
)
from tests.rules.options import CHOICES, DEFAULTS, PINNED
from tests.tables import each_row

LIMITS = {
    "target": (5, 200, "choose 5 to 200 stones."),
    "juegos": (1, 20, "choose 1 to 20 juegos."),
    "vacas": (1, 20, "choose 1 to 20 vacas."),
    "pedrete": (0, 1, "choose off, or 1 stone."),
}


def refused(**values: object) -> ProfileError:
    with pytest.raises(ProfileError) as caught:
        profile_from(values)
    return caught.value


def test_the_defaults_are_those_of_the_rule_table() -> None:
    assert rules_of(Profile()) == DEFAULTS
    assert profile_from({}) == Profile()
    assert profile_from(dict(DEFAULTS)) == Profile()


def test_a_number_has_the_limits_that_options_toml_pins() -> None:
    for key, pin in PINNED.items():
        if key not in CHOICES and pin.takes:
            allowed = OPTIONS[key].values.numbers
            assert [min(allowed), max(allowed)] == pin.takes, key


def test_every_rule_is_an_option_with_an_explanation() -> None:
    assert list(OPTIONS) == [field.name for field in fields(Profile)] == list(DEFAULTS)
    for key, rule in OPTIONS.items():
        assert rule.key == key
        assert rule.values.told, key
        assert len(rule.means.split()) > 1, key
        without_row = key in ("calls", "voice") and not rule.row
        assert re.fullmatch(r"R[0-5]\d|R60", rule.row) or without_row, key


@each_row("key, told", [("real31_cards", "cards"), ("calls", "languages"), ("voice", "language")])
def test_the_page_of_options_says_what_kind_of_word_is_taken(key: str, told: str) -> None:
    assert OPTIONS[key].values.told == told


@each_row("key, text", [(key, text) for key, texts in CHOICES.items() for text in texts])
def test_each_choice_of_the_rule_table_is_taken_and_written_back(key: str, text: str) -> None:
    profile = profile_from({key: text})
    assert rules_of(profile) == DEFAULTS | {key: text}
    assert differences(profile) == ({} if text == DEFAULTS[key] else {key: text})
    assert profile_from(rules_of(profile)) == profile


@each_row("key", CHOICES)
def test_the_page_of_options_offers_just_these_choices(key: str) -> None:
    assert set(OPTIONS[key].values.told.split("|")) == set(CHOICES[key])


@each_row("key", CHOICES)
def test_any_other_choice_is_refused_with_its_key_and_the_choices(key: str) -> None:
    error = refused(**{key: "7"})
    assert error.key == key
    assert str(error).startswith(f"{key}=7: choose ")
    for choice in CHOICES[key]:
        assert choice in str(error)


@each_row("key", LIMITS)
def test_a_number_is_taken_within_its_limits_and_refused_beyond(key: str) -> None:
    low, high, told = LIMITS[key]
    for number in (low, high):
        assert profile_from({key: number}) == profile_from({key: str(number)})
        assert rules_of(profile_from({key: number}))[key] == str(number)
    for number in (low - 1, high + 1):
        error = refused(**{key: number})
        assert (str(error), error.key) == (f"{key}={number}: {told}", key)


@each_row("key", ["target", "juegos", "vacas"])
def test_the_page_of_options_offers_just_the_numbers_that_are_taken(key: str) -> None:
    low, high = map(int, OPTIONS[key].values.told.split("-"))
    for number in (low, high):
        assert rules_of(profile_from({key: number}))[key] == str(number)
    for number in (low - 1, high + 1):
        assert f"choose {low} to {high} " in str(refused(**{key: number}))


def test_a_wrong_number_of_kings_is_refused_in_one_whole_sentence() -> None:
    assert str(refused(kings=5)) == "kings=5: choose 8 or 4 kings, as in a deck of Mus."


@each_row("key", ["min_bet", "min_raise"])
def test_the_page_of_options_offers_a_least_bet_of_one(key: str) -> None:
    low, high = OPTIONS[key].values.told.split("-")
    assert rules_of(profile_from({key: low}))[key] == low
    assert refused(**{key: int(low) - 1}).key == key
    assert high == ""  # the highest value depends on the target


@each_row("key", ["min_bet", "min_raise"])
def test_r21_the_least_bet_is_from_one_stone_to_the_target(key: str) -> None:
    assert rules_of(profile_from({key: 1}))[key] == "1"
    assert rules_of(profile_from({key: 40}))[key] == "40"
    assert rules_of(profile_from({key: 200, "target": 200}))[key] == "200"
    assert str(refused(**{key: 0})) == f"{key}=0: choose 1 stone or more."
    assert "more than the target" in str(refused(**{key: 41}))
    assert "1 stone or more" in str(refused(**{key: 201, "target": 200}))


@each_row("value", ["", "-1", "1.0", "123456", "٤", None, 8.0, True, ["8"]])
def test_a_value_that_is_no_whole_number_is_refused(value: object) -> None:
    error = refused(target=value)
    assert (str(error), error.key) == (f"target={value}: a whole number is needed.", "target")


def test_a_number_of_five_figures_is_read_and_is_too_large() -> None:
    assert str(refused(target="99999")) == "target=99999: choose 5 to 200 stones."


@each_row(
    "value, taken",
    [
        *((text, True) for text in (True, "on", "true", "yes")),
        *((text, False) for text in (False, "off", "false", "no")),
    ],
)
def test_a_switch_is_on_or_off_in_text_and_true_or_false_in_toml(
    value: object, taken: bool
) -> None:
    assert profile_from({"both": value}).both is taken


@each_row("value", ["maybe", "", "On!", None, 2])
def test_any_other_value_of_a_switch_is_refused(value: object) -> None:
    error = refused(both=value)
    assert (str(error), error.key) == (f"both={value}: choose on or off.", "both")


@each_row("value, stones", [("off", 0), (False, 0), (0, 0), ("1", 1), (1, 1)])
def test_pedrete_is_off_or_one_stone(value: object, stones: int) -> None:
    assert profile_from({"pedrete": value}).pedrete == stones


def test_an_unknown_rule_is_refused_with_its_name() -> None:
    error = refused(reyes=8)
    assert "reyes" in str(error)
    assert error.key == "reyes"


def test_a_rule_that_is_left_out_keeps_the_value_of_the_base() -> None:
    base = Profile(kings=4, target=30, both=False)
    read = profile_from({"target": 35}, base)
    assert read == Profile(kings=4, target=35, both=False)
    assert differences(read, base) == {"target": "35"}
    assert differences(read) == {"kings": "4", "target": "35", "both": "off"}


def test_a_profile_is_frozen_and_hashable() -> None:
    profile = Profile()
    with pytest.raises(FrozenInstanceError):
        profile.target = 30  # type: ignore[misc]
    assert len({profile, Profile(), Profile(kings=4)}) == 2


# --- R40: the real of four named cards ------------------------------------------------------------


@each_row("text", ["So 7o 7c 7e", "So+7o+7c+7e"])
def test_r40_the_real_of_suits_names_its_four_cards(text: str) -> None:
    profile = profile_from({"real31": "suits", "real31_cards": text})
    assert profile.real31 is Real31.SUITS
    assert rules_of(profile)["real31_cards"] == "So+7o+7c+7e"
    assert profile_from(rules_of(profile)) == profile


@each_row("text", ["S 7o 7c 7e", "So 7 7c 7e", "So Co 7c 7e", "So 7o Sc 7e"])
def test_r40_the_cards_of_the_real_are_three_sevens_and_another_each_with_its_suit(
    text: str,
) -> None:
    error = refused(real31="suits", real31_cards=text)
    assert error.key == "real31_cards"
    assert "three sevens and a figure, each with its suit" in str(error)


def test_r40_a_real_that_is_no_hand_is_refused() -> None:
    error = refused(real31="suits", real31_cards="So 7o 7c")
    assert str(error).startswith("real31_cards=So 7o 7c: A hand has 4 cards, not 3")
    assert error.key == "real31_cards"


@each_row(
    "values",
    [{"real31": "suits"}, {"real31_cards": "So 7o 7c 7e"}]
    + [{"real31": kind, "real31_cards": "So 7o 7c 7e"} for kind in ("off", "sota", "figura")],
)
def test_r40_the_real_of_suits_and_its_cards_go_together(values: dict[str, object]) -> None:
    error = refused(**values)
    assert error.key == "real31_cards"
    assert "real31=suits needs real31_cards" in str(error)


# --- contradictions, and languages ----------------------------------------------------------------


def test_r03_where_each_plays_for_himself_mus_is_not_asked_by_pair() -> None:
    error = refused(mus_order="pair", sides="each")
    assert error.key == "mus_order"
    assert "no partner to ask" in str(error)
    assert profile_from({"sides": "each"}).sides is Sides.EACH


def test_r45_article_8_4_rules_out_late_claims() -> None:
    error = refused(late_claims="on", penalty="interpenas")
    assert error.key == "late_claims"
    assert "8.4" in str(error)
    assert profile_from({"penalty": "interpenas"}).penalty is Penalty.INTERPENAS


@each_row(
    "value, codes",
    [
        ("es", ("es",)),
        ("es+eu", ("es", "eu")),
        ("es + eu", ("es", "eu")),
        (["eu"], ("eu",)),
        (("es-ES", "eu"), ("es-ES", "eu")),
        ("a+b+c+d", ("a", "b", "c", "d")),
    ],
)
def test_one_to_four_languages_of_calls_are_accepted(value: object, codes: tuple[str, ...]) -> None:
    assert profile_from({"calls": value}).calls == codes


@each_row("value", ["", "es+", "es+es", "a+b+c+d+e", [], "e s", "../es", "ñ"])
def test_an_unknown_language_or_too_many_are_refused(value: object) -> None:
    error = refused(calls=value)
    assert error.key == "calls"
    assert "name a language, as in 'es' or 'eu'." in str(error)


@each_row("value", ["", "es+eu", "/", "ñ"])
def test_the_voice_has_one_language(value: str) -> None:
    assert refused(voice=value).key == "voice"
    assert profile_from({"voice": "eu"}).voice == "eu"
