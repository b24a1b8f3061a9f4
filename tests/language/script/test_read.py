"""Reading .mus scripts as people write them: what is read, and what is refused with its line."""

from __future__ import annotations

import pytest

from assistant.language.script import Cards, Expect, Mano, Said, Score, ScriptError, parse_script
from assistant.rules.cards import parse_hand
from assistant.rules.errors import ProfileError
from assistant.rules.profile import OPTIONS, Penalty, Profile, Real31, Sides, rules_of
from tests.tables import each_row

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


def test_an_omitted_header_has_its_default() -> None:
    script = parse_script("1: mus")
    assert script.profile == Profile()
    assert script.seats == ("Norte", "Oeste", "Sur", "Este")


def test_juegos_in_an_expect_line_apply_to_the_sides_after_it() -> None:
    (expect,) = parse_script("expect: juegos A=1 B=0 phase=count A=7").steps
    assert isinstance(expect, Expect)
    assert expect.items == (("juegos A", "1"), ("juegos B", "0"), ("phase", "count"), ("A", "7"))


def test_vacas_in_an_expect_line_apply_to_the_sides_after_it() -> None:
    (expect,) = parse_script("expect: juegos A=1 B=0 vacas A=2 B=0; B=7").steps
    assert isinstance(expect, Expect)
    assert [key for key, _ in expect.items] == ["juegos A", "juegos B", "vacas A", "vacas B", "B"]


def test_the_articles_that_wait_for_the_table_can_be_expected() -> None:
    (expect,) = parse_script("expect: penalty=5.3 proposed=none missing=1+3 corrido=TRUE").steps
    assert isinstance(expect, Expect)
    assert expect.items == (
        ("penalty", "5.3"),
        ("proposed", "none"),
        ("missing", "1+3"),
        ("corrido", "true"),
    )


@each_row("key", OPTIONS)
def test_every_house_rule_can_be_set_in_a_script(key: str) -> None:
    values = rules_of(Profile(real31=Real31.SUITS, real31_cards=parse_hand("So 7o 7c 7e")))
    line = f"rules: real31=suits real31_cards=So+7o+7c+7e {key}={values[key]}"
    if key.startswith("real31"):
        line = "rules: real31=suits real31_cards=So+7o+7c+7e"
    assert rules_of(parse_script(line).profile) == values


def look_up(name: str) -> Profile:
    if name != "casa":
        raise ProfileError(f"There is no {name}.")
    return Profile(kings=4, penalty=Penalty.OFF)


def test_single_rules_beside_a_named_profile_override_it() -> None:
    script = parse_script("rules: target=30 profile=casa penalty=warn", look_up)
    assert script.profile == Profile(kings=4, target=30)


def test_an_unknown_profile_is_reported() -> None:
    with pytest.raises(ScriptError, match=r"line 1: There is no nadie\."):
        parse_script("rules: profile=nadie", look_up)
    with pytest.raises(ScriptError, match=r"line 2: .*write its rules out"):
        parse_script("mano: 1\nrules: profile=vasco")


@each_row(
    "header, seats, sides",
    [
        ("seats: Ana Luis", ("Ana", "Luis"), 2),
        ("seats: 6", ("Norte", "Oeste", "Sur", "Este", "Valle", "Monte"), 2),
        ("rules: sides=each\nseats: 3", ("Norte", "Oeste", "Sur"), 3),
        ("seats: A1 B2 C3 D4 E5\nrules: sides=each", ("A1", "B2", "C3", "D4", "E5"), 5),
        ("rules: sides=each", ("Norte", "Oeste", "Sur", "Este"), 4),
    ],
)
def test_r56_a_script_may_have_two_to_six_players(
    header: str, seats: tuple[str, ...], sides: int
) -> None:
    letters = "ABCDEF"[:sides]
    script = parse_script(
        f"{header}\nmano: {len(seats)}\n{len(seats)}: mus\n"
        + "expect: "
        + " ".join(f"{letter}=0" for letter in letters)
    )
    assert (script.seats, script.sides, script.profile.sides is Sides.EACH) == (
        seats,
        sides,
        "each" in header,
    )


@each_row(
    "text, line, said",
    [
        ("1: mus\nwhat is this", 2, "KEY"),
        ("5: mus", 1, "seat"),
        ("7: mus", 1, "seat is 1 to 6"),
        ("seats: 2\n1: mus\n3: mus", 3, "seat is 1 to 2"),
        ("seats: 2\ncards 3: R R C 1", 2, "seat is 1 to 2"),
        ("seats: 2\nmano: 3", 2, "seat is 1 to 2"),
        ("score: A=1 C=2", 1, "sides are A and B"),
        ("score: K=2", 1, "no side"),
        ("1: mus\nexpect: juegos A=1 C=0", 2, "sides are A and B"),
        ("seats: Ana Luis Eva", 1, "2, 4 or 6 play so, not 3"),
        ("seats: 3\nrules: sides=two", 2, "2, 4 or 6 play so, not 3"),
        ("seats: 7", 1, "2 to 6 different names"),
        ("seats: Ana", 1, "2 to 6 different names"),
        ("seats: Ana Luis Eva ana", 1, "different names"),
        ("seats: Ana Luis Eva 42", 1, "no name"),
        ("seats: Ana Luis Eva " + "x" * 21, 1, "20 letters"),
        ("rules: kings=4 kings=8", 1, "set twice"),
        ("rules: penalty=interpenas late_claims=on", 1, "article 8.4"),
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
        ("juegos: A=3", 1, "before its first deal"),
        ("rules: juegos=1\njuegos: B=1", 2, "before its first deal"),
        ("juegos: C=1", 1, "sides are A and B"),
    ],
)
def test_a_broken_line_is_reported_with_its_number(text: str, line: int, said: str) -> None:
    with pytest.raises(ScriptError, match=rf"line {line}: .*{said}") as caught:
        parse_script(text)
    assert caught.value.line == line


def test_a_line_is_one_breath() -> None:
    """A hundred words are read. A longer line is no call and is reported."""
    (said,) = parse_script("1: " + "mus " * 100).steps
    assert isinstance(said, Said)
    with pytest.raises(ScriptError, match=r"line 2: .*100 words"):
        parse_script("1: mus\n2: " + "mus " * 101)


def test_a_script_has_a_bounded_size() -> None:
    with pytest.raises(ScriptError, match="at most"):
        parse_script("# x\n" * 400_000)
