"""The deal that a set of shown hands belongs to."""

from __future__ import annotations

from assistant.cli.script_cards import hands_by_deal
from assistant.language.script import parse_script
from assistant.rules.cards import parse_hand

HANDS = ("R R C 1", "C C S 1", "S S 7 1", "7 7 6 1")
CARDS = "".join(f"cards {seat}: {hand}\n" for seat, hand in enumerate(HANDS, start=1))
ORDAGO = "1: no hay mus\n1: órdago\n2: quiero\n"


def test_decisions_during_the_showdown_begin_no_other_deal() -> None:
    """A void deal is dealt again, so its cards belong to another deal (S2 1.7)."""
    script = parse_script(
        "mano: 1\n1: mus\n?: mus visto\n?: se aplica\nmano: 1\n"
        + ORDAGO
        + CARDS
        + "?: mus\nexpect: phase=mus deal=3\n"
    )
    shown = tuple(enumerate(map(parse_hand, HANDS), start=1))
    first, second, third = hands_by_deal(script)
    assert (first, third) == ((), ())
    assert set(second) <= set(shown)
    assert second


def test_a_correction_after_the_showdown_begins_no_other_deal() -> None:
    script = parse_script(
        "mano: 1\n1: no hay mus\n1: envido\n2: quiero\n1: paso\n2: paso\n3: paso\n4: paso\n"
        "1: pares sí\n2: pares sí\n3: pares sí\n4: pares sí\n1: paso\n2: paso\n3: paso\n4: paso\n"
        "1: juego sí\n2: juego sí\n3: juego no\n4: juego no\n1: paso\n2: paso\n"
        + "cards 1: R R C 1\n?: corrige la grande eran 5\n"
        + "cards 2: C C S 1\ncards 3: S S 7 1\ncards 4: 7 7 6 1\n"
        + "expect: phase=count deal=1\n"
    )
    assert hands_by_deal(script) == (tuple(enumerate(map(parse_hand, HANDS), start=1)),)
