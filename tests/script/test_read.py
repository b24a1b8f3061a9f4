"""The .mus script as people write it: what is read, and what is refused with its line."""

from __future__ import annotations

import pytest

from assistant.rules.cards import parse_hand
from assistant.rules.profile import Profile, Real31
from assistant.script import Cards, Expect, Mano, Said, Score, ScriptError, parse_script

WHOLE = """
rules: kings=4 target=30 juegos=1 real31=sota
seats: Ana Bea Carlos Dani
score: A=10 B=12
mano: 3
3: no hay mus     # a comment
?: envido cinco
cards 1: R R C 1
expect: A=3 B=8; juegos A=1 B=0; phase=chica to_speak=2 error=IllegalCall
"""


def test_a_whole_script_is_read() -> None:
    script = parse_script(WHOLE)
    assert script.profile == Profile(kings=4, target=30, juegos=1, real31=Real31.SOTA)
    assert script.seats == ("Ana", "Bea", "Carlos", "Dani")
    score, mano, cut, bet, cards, expect = script.steps
    assert isinstance(score, Score)
    assert score.stones == (("A", 10), ("B", 12))
    assert isinstance(mano, Mano)
    assert mano.seat == 3
    assert isinstance(cut, Said)
    assert (cut.heard.seat, cut.heard.text, cut.line) == (3, "no hay mus", 6)
    assert isinstance(bet, Said)
    assert (bet.heard.seat, bet.heard.text) == (None, "envido cinco")
    assert isinstance(cards, Cards)
    assert (cards.seat, cards.hand) == (1, parse_hand("R R C 1"))
    assert isinstance(expect, Expect)
    assert expect.items == (
        ("A", "3"),
        ("B", "8"),
        ("juegos A", "1"),
        ("juegos B", "0"),
        ("phase", "chica"),
        ("to_speak", "2"),
        ("error", "IllegalCall"),
    )


def test_what_is_left_out_is_the_default() -> None:
    script = parse_script("1: mus")
    assert script.profile == Profile()
    assert script.seats == ("Norte", "Oeste", "Sur", "Este")


def test_juegos_reach_over_the_sides_that_follow() -> None:
    (expect,) = parse_script("expect: juegos A=1 B=0 phase=count A=7").steps
    assert isinstance(expect, Expect)
    assert expect.items == (("juegos A", "1"), ("juegos B", "0"), ("phase", "count"), ("A", "7"))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("1: mus\nwhat is this", 2, "KEY"),
        ("5: mus", 1, "seat"),
        ("?:", 1, "KEY"),
        ("cards 1: R R", 1, "hand has 4"),
        ("cards 1: R R X 1", 1, "no card"),
        ("cards 9: R R C 1", 1, "seat"),
        ("rules: colour=red", 1, "Unknown rule"),
        ("rules: kings=7", 1, "8 or 4"),
        ("rules: kings", 1, "KEY=VALUE"),
        ("rules: kings=8\nrules: kings=4", 2, "twice"),
        ("1: mus\nrules: kings=4", 2, "before the first call"),
        ("seats: Ana Ana Eva Juan", 1, "different names"),
        ("mano: north", 1, "seat"),
        ("score: A=many", 1, "number"),
        ("expect: colour=red", 1, "can be expected"),
        ("expect: error=Oops", 1, "error=Oops"),
        ("dealer: 1", 1, "unknown key"),
    ],
)
def test_a_broken_line_is_named_with_its_number(text: str, line: int, said: str) -> None:
    with pytest.raises(ScriptError, match=rf"line {line}: .*{said}") as caught:
        parse_script(text)
    assert caught.value.line == line


def test_a_script_has_a_bounded_size() -> None:
    with pytest.raises(ScriptError, match="at most"):
        parse_script("# x\n" * 400_000)
