"""House rules for all tables of a tournament: read, written out, compared and refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.hall.tournament import (
    Format,
    Opened,
    Options,
    TournamentError,
    act_from_dict,
    act_to_dict,
    fold,
    shown,
)
from assistant.hall.tournament.house_rules import (
    notable_rules,
    plays_by,
    profile_of,
    table_profile,
    written_rules,
)
from assistant.rules.profile import Profile, Sides, rules_of
from tests.tables import each_row

FOUR = "kings=4 target=30"


def test_rules_are_written_out_so_that_a_new_default_changes_nothing() -> None:
    text = written_rules(profile_of(FOUR))
    assert "corrido=match" in text.split()
    assert profile_of(text) == profile_of(FOUR)
    assert written_rules(profile_of(text)) == text
    real = "real31=suits real31_cards=So+7o+7c+7e"
    assert profile_of(written_rules(profile_of(real))).real31_cards == profile_of(real).real31_cards


def test_a_tournament_ignores_the_sides_length_and_language_of_a_profile() -> None:
    base = Profile(kings=4, juegos=9, sides=Sides.EACH, voice="eu", calls=("eu",))
    found = profile_of("target=30", base)
    assert (found.kings, found.target) == (4, 30)
    assert (found.juegos, found.sides, found.voice) == (3, Sides.TWO, "es")


def test_a_table_keeps_its_language_and_takes_the_other_rules() -> None:
    usual = Profile(kings=8, pedrete=1, voice="eu", calls=("es", "eu"))
    found = table_profile(usual, FOUR)
    assert (found.kings, found.target, found.pedrete) == (4, 30, 0)
    assert (found.voice, found.calls) == ("eu", ("es", "eu"))


def test_a_game_may_be_played_by_the_rules_in_any_language() -> None:
    profile = table_profile(Profile(voice="eu", juegos=5), FOUR)
    assert plays_by(profile, FOUR)
    assert plays_by(profile, "")
    assert not plays_by(profile, "kings=4")
    assert not plays_by(replace(profile, pedrete=1), FOUR)


@each_row(
    "rules, code",
    [
        ("kings", "rules_unreadable"),
        ("kings=4 kings=8", "rule_twice"),
        ("juegos=2", "rule_elsewhere"),
        ("voice=eu", "rule_elsewhere"),
        ("king=4", "no_rule"),
        ("profile=vasco", "no_rule"),
        ("kings=5", "rule_wrong"),
        ("min_bet=50", "rule_wrong"),
        ("real31=suits", "rule_wrong"),
        ("  ", "missing"),
        ("kings=4\n", "unreadable"),
        ("x" * 2000, "too_long"),
    ],
)
def test_rules_that_no_table_can_play_are_refused_at_the_opening(rules: str, code: str) -> None:
    with pytest.raises(TournamentError) as refused:
        Options(rules=rules)
    assert refused.value.code == code


def test_an_opening_from_before_there_were_rules_is_read() -> None:
    act = act_to_dict(Opened("San Blas", Format.KNOCKOUT))
    for name in ("rules", "profile"):
        del act["options"][name]
    assert act_from_dict(act) == Opened("San Blas", Format.KNOCKOUT)


def test_people_are_shown_kings_target_and_unusual_rules() -> None:
    assert notable_rules("") == {}
    assert notable_rules("pedrete=1") == {"kings": "8", "target": "40", "pedrete": "1"}
    assert notable_rules(written_rules(Profile())) == {"kings": "8", "target": "40"}
    options = Options(rules=FOUR, profile="casa")
    whole = shown(fold([Opened("San Blas", Format.KNOCKOUT, options)]))
    assert (whole["rules"], whole["profile"]) == ({"kings": "4", "target": "30"}, "casa")
    assert rules_of(profile_of(FOUR))["kings"] == "4"
