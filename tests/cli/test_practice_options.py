"""The house rules of ``mus practice``: one juego, plain rules, and what the person names."""

from __future__ import annotations

import argparse
from dataclasses import replace

from assistant.cli.mus_practice import add_parser, practice_settings
from assistant.rules.profile import Corrido, Penalty, Profile
from tests.tables import each_row

PLAIN = Profile(juegos=1, corrido=Corrido.OFF, penalty=Penalty.OFF)


def rules_of(*options: str) -> Profile:
    """The house rules of a practice game that is started with these options."""
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    settings = practice_settings(parser.parse_args(["practice", *options]))
    found = settings.profile or settings.usual_profile
    assert found
    return found


@each_row(
    "options, wanted",
    [
        ((), PLAIN),
        (("--rules", "target=10"), replace(PLAIN, target=10)),
        (("--rules", "juegos=3"), replace(PLAIN, juegos=3)),
        (("--rules", "target=25 corrido=match"), replace(PLAIN, target=25, corrido=Corrido.MATCH)),
    ],
)
def test_single_rules_change_only_what_they_name(options: tuple[str, ...], wanted: Profile) -> None:
    assert rules_of(*options) == wanted


def test_a_named_profile_keeps_all_its_own_rules_below_the_single_ones() -> None:
    named = rules_of("--profile", "vasco")
    assert named.juegos > 1
    assert rules_of("--profile", "vasco", "--rules", "target=20") == replace(named, target=20)
    assert rules_of("--rules", "profile=vasco target=20") == replace(named, target=20)


def test_single_rules_leave_the_language_as_it_was_asked_for() -> None:
    basque = rules_of("--rules", "target=10", "--language", "eu")
    assert (basque.voice, basque.target, basque.juegos) == ("eu", 10, 1)
