"""House rules as text and back, combinations that no table can play, and their documentation."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given

from assistant.rules.cards import parse_hand
from assistant.rules.errors import ProfileError
from assistant.rules.profile import (
    OPTIONS,
    Corrido,
    Penalty,
    Profile,
    Real31,
    differences,
    profile_from,
    read_values,
    rules_of,
)
from tests.rules.profiles import profiles
from tests.tables import each_row

KEYS = [field.name for field in fields(Profile)]
CHOICES = {
    key: rule.values.told.split("|") for key, rule in OPTIONS.items() if "|" in rule.values.told
}
"""The choices of every rule that lists them. The others are a number, cards or a language."""
DOCUMENT = Path(__file__).parents[2] / "docs" / "rules.md"


@given(profiles())
def test_rules_written_as_text_are_read_back(profile: Profile) -> None:
    text = rules_of(profile)
    assert profile_from(text) == profile
    assert not any(set(value) & set(" ,;=#") for value in text.values())  # fits a script


@given(profiles(), profiles())
def test_the_differences_between_two_profiles_make_one_from_the_other(
    base: Profile, profile: Profile
) -> None:
    assert profile_from(differences(profile, base), base) == profile
    assert differences(profile, profile) == {}


def test_single_rules_are_read_alone_although_they_cannot_be_together() -> None:
    read = read_values({"target": "30", "min_bet": "35", "real31": "suits"})
    assert read == {"target": 30, "min_bet": 35, "real31": Real31.SUITS}
    with pytest.raises(ProfileError, match="more than the target"):
        profile_from({"target": "30", "min_bet": "35"})


@each_row("key, value", [("kings", "7"), ("target", "4"), ("kigns", "4"), ("voice", "a b")])
def test_a_single_rule_that_cannot_be_is_refused_by_itself(key: str, value: str) -> None:
    with pytest.raises(ProfileError) as refused:
        read_values({key: value})
    assert refused.value.key == key


def test_the_default_profile_differs_in_nothing_from_the_defaults() -> None:
    assert differences(Profile()) == {}
    assert rules_of(Profile())["corrido"] == "match"
    assert rules_of(Profile())["penalty"] == "warn"


def test_every_rule_is_an_option() -> None:
    assert list(OPTIONS) == KEYS


@each_row("key, choice", [(key, choice) for key, choices in CHOICES.items() for choice in choices])
def test_every_listed_choice_can_be_chosen(key: str, choice: str) -> None:
    more = {"real31_cards": "So 7o 7c 7e"} if choice == "suits" else {}
    text = {key: choice, **more}
    assert rules_of(profile_from(text))[key] == choice.replace("off", "0", key == "pedrete")


@each_row("key", KEYS)
def test_the_rules_page_documents_every_rule(key: str) -> None:
    told = DOCUMENT.read_text(encoding="utf-8").partition("## How a hand goes")[0]
    assert f"| `{key}` |" in told


@each_row(
    "values, key, said",
    [
        ({"colour": "red"}, "colour", "Unknown rule 'colour': is it one of adentro, answer"),
        ({"reyes": 4}, "reyes", "Unknown rule 'reyes': is it kings"),
        ({"king": 4}, "king", "Unknown rule 'king': is it kings\\?"),
        # At most two similar names are offered.
        ({"mus": "pair"}, "mus", "'mus': is it corrido or mus_order\\?"),
        ({"autorder": "free"}, "autorder", "'autorder': is it order or mus_order\\?"),
        ({"sens": "fem"}, "sens", "'sens': is it senas\\?"),  # "sides" is less similar
        ({"kings": 7}, "kings", "8 or 4"),
        ({"kings": True}, "kings", "whole number"),
        ({"kings": 8.0}, "kings", "whole number"),
        ({"target": "9" * 100}, "target", "whole number"),
        ({"target": 4}, "target", "5 to 200"),
        ({"vacas": 0}, "vacas", "1 to 20"),
        ({"corrido": "siempre"}, "corrido", "off, match, vaca, juego"),
        ({"both": "maybe"}, "both", "on or off"),
        ({"pedrete": 2}, "pedrete", "off, or 1"),
        ({"calls": []}, "calls", "name a language"),
        ({"calls": "es+es"}, "calls", "name a language"),
        ({"voice": "../es"}, "voice", "name a language"),
        ({"real31": "suits"}, "real31_cards", "needs real31_cards"),
        ({"real31": "sota", "real31_cards": "So 7o 7c 7e"}, "real31_cards", "no other"),
        ({"real31": "suits", "real31_cards": "So 7o 7c 6e"}, "real31_cards", "three sevens"),
        ({"real31": "suits", "real31_cards": "S 7 7 7"}, "real31_cards", "three sevens"),
        ({"min_bet": 30, "target": 25}, "min_bet", "more than the target"),
        ({"sides": "each", "mus_order": "pair"}, "mus_order", "no partner"),
        ({"penalty": "interpenas", "late_claims": True}, "late_claims", "article 8.4"),
    ],
)
def test_rules_that_contradict_each_other_are_refused_with_their_key(
    values: dict[str, object], key: str, said: str
) -> None:
    with pytest.raises(ProfileError, match=said) as caught:
        profile_from(values)
    assert caught.value.key == key


def test_toml_and_text_make_the_same_profile() -> None:
    toml = {"kings": 4, "both": False, "calls": ["es", "eu"], "real31": "suits", "pedrete": 1}
    text = {"kings": "4", "both": "off", "calls": "es+eu", "real31": "suits", "pedrete": "1"}
    cards = {"real31_cards": "So 7o 7c 7e"}
    assert profile_from({**toml, **cards}) == profile_from({**text, **cards})
    assert profile_from(cards | text).real31_cards == parse_hand("So 7o 7c 7e")


def test_rules_over_a_profile_leave_its_other_rules_alone() -> None:
    base = Profile(corrido=Corrido.OFF, penalty=Penalty.INTERPENAS, real31=Real31.SOTA)
    assert profile_from({"kings": 4}, base) == replace(base, kings=4)
