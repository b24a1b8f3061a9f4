"""Claims that the open cards contradict: the table is warned, and may count by the cards (R46)."""

from __future__ import annotations

from assistant.messages.codec import event_from_dict, event_to_dict
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.alphabet import claims_again
from assistant.rules.engine import legal_calls
from assistant.rules.phases import Lance, Phase
from tests.rules.play import cards, envido, nueva_mano, ordago, quiero
from tests.rules.tables import Table, refused
from tests.tables import each_row

HANDS = ("4 5 6 7", "R C 5 4", "4 5 6 1", "7 6 5 1")
"""Nobody has pares or juego. By the cards the grande is Oeste's."""


def claim(lance: Lance, side: str, *values: int) -> c.Call:
    return c.ClaimLance(lance=lance, side=side, values=values)


def at_showdown(juegos: int = 3) -> Table:
    """Grande is bet at 2 and accepted; everything else is passed."""
    table = Table(juegos=juegos)
    table.cut().say(envido(1), quiero(2)).all_pass()
    table.declare("no no no no").declare("no no no no").all_pass()
    assert table.phase is Phase.SHOWDOWN
    return table


def wrongly_claimed() -> Table:
    """Side A claims the grande, and then all cards are laid open."""
    table = at_showdown().say(claim(Lance.GRANDE, "A"))
    for seat, hand in enumerate(HANDS, start=1):
        if table.phase is Phase.SHOWDOWN or table.state.hands[seat - 1] is None:
            table.say(cards(seat, hand))
    assert table.phase is Phase.COUNT
    return table


def won_by(table: Table, lance: Lance) -> tuple[str | None, int]:
    result = table.state.result(lance)
    assert result
    return result.side, result.won


def test_r46_a_claim_against_the_cards_warns_the_table() -> None:
    table = wrongly_claimed()
    assert won_by(table, Lance.GRANDE) == ("A", 2)
    assert table.all(e.ClaimDisproved) == [e.ClaimDisproved(Lance.GRANDE, "B", "A")]


def test_r46_cards_that_lie_open_are_stronger_than_a_claim_after_the_count_too() -> None:
    table = wrongly_claimed()
    before = table.stones
    table.say(claim(Lance.GRANDE, "B"))
    assert won_by(table, Lance.GRANDE) == ("B", 2)
    assert table.stones == (before[0] - 2, before[1] + 2)
    assert table.said(e.LanceDecided)[0] == e.LanceDecided(Lance.GRANDE, 2, "B")
    assert table.said(e.ClaimDisproved) == []
    assert table.undo().stones == before


def test_r46_a_claim_against_the_cards_can_be_given_up_before_the_count() -> None:
    """Chica still needs cards when the grande is already clear."""
    table = at_showdown().say(claim(Lance.GRANDE, "A"))
    for seat in (1, 2, 4):
        table.say(cards(seat, HANDS[seat - 1]))
    assert table.phase is Phase.SHOWDOWN
    table.say(claim(Lance.GRANDE, "B"), cards(3, HANDS[2]))
    assert won_by(table, Lance.GRANDE) == ("B", 2)
    assert table.all(e.ClaimDisproved) == []


def test_r46_a_second_claim_replaces_the_first_and_can_be_tapped() -> None:
    table = at_showdown().say(claim(Lance.GRANDE, "A"))
    assert claims_again(table.state) == [claim(Lance.GRANDE, "B")]
    table.say(claim(Lance.GRANDE, "B"))
    assert claims_again(table.state) == [claim(Lance.GRANDE, "A")]
    assert not [x for x in legal_calls(table.state) if x.call in claims_again(table.state)]


def test_r46_claimed_pares_can_be_tapped_again_for_other_hands() -> None:
    table = Table().to_lance(Lance.PARES, "sí sí no no")
    table.all_pass().declare("no no no no").all_pass().say(claim(Lance.PARES, "A", 1))
    again = [(x.side, x.values) for x in claims_again(table.state)]
    assert again == [("A", (2,)), ("A", (3,)), ("B", (1,)), ("B", (2,)), ("B", (3,))]


def test_r46_a_claim_stands_where_no_card_contradicts_it() -> None:
    table = at_showdown().say(claim(Lance.GRANDE, "A"), claim(Lance.CHICA, "A"))
    table.say(claim(Lance.PUNTO, "A"))
    assert (table.phase, table.all(e.ClaimDisproved)) == (Phase.COUNT, [])
    table.say(cards(2, HANDS[1]))  # a hand alone does not show who wins
    assert table.all(e.ClaimDisproved) == []
    assert refused(table, claim(Lance.GRANDE, "B")) == "not_now"


def test_r46_a_true_claim_is_never_disproved() -> None:
    table = at_showdown().say(claim(Lance.GRANDE, "B"))
    table.show_asked(*HANDS)
    assert table.all(e.ClaimDisproved) == []


def test_r46_only_the_side_that_wins_by_the_cards_gets_a_claimed_lance_after_the_count() -> None:
    table = wrongly_claimed()
    assert refused(table, claim(Lance.GRANDE, "A")) == "not_now"
    assert refused(table, claim(Lance.CHICA, "B")) == "not_now"


@each_row("juegos", [1, 3])
def test_r46_an_ordago_claimed_against_the_cards_can_be_given_up(juegos: int) -> None:
    """With one juego, the match was over already."""
    table = Table(juegos=juegos)
    table.cut().say(ordago(1), quiero(2), claim(Lance.GRANDE, "A"))
    assert table.state.juego_won == "A"
    for seat, hand in enumerate(HANDS, start=1):
        table.say(cards(seat, hand))
    assert table.all(e.ClaimDisproved)[-1] == e.ClaimDisproved(Lance.GRANDE, "B", "A")
    table.say(claim(Lance.GRANDE, "B"))
    assert (table.state.juego_won, table.state.juegos) == ("B", (0, 1))
    assert table.state.winner == ("B" if juegos == 1 else None)


def test_r46_claimed_hands_that_are_worth_something_else_warn_the_table() -> None:
    table = Table().to_lance(Lance.PARES, "sí no sí no")
    table.declare("no no no no").all_pass().say(claim(Lance.PARES, "A", 1, 1))
    table.say(claim(Lance.GRANDE, "A"), claim(Lance.CHICA, "A"), claim(Lance.PUNTO, "A"))
    assert won_by(table, Lance.PARES) == ("A", 2)
    table.say(cards(1, "R R 7 1"), cards(3, "5 5 6 6"))
    assert table.said(e.ClaimDisproved) == [e.ClaimDisproved(Lance.PARES, "A", "A", 4)]
    table.say(claim(Lance.PARES, "A"))
    assert won_by(table, Lance.PARES) == ("A", 4)


def test_r45_nothing_of_a_claim_is_given_up_once_the_next_deal_has_begun() -> None:
    table = wrongly_claimed().say(nueva_mano())
    assert refused(table, claim(Lance.GRANDE, "B")) == "not_now"


def test_journals_of_earlier_versions_are_read_as_they_were_written() -> None:
    old = event_to_dict(e.LanceClaimed(Lance.GRANDE, "A"))
    old.pop("by_cards")
    assert event_from_dict(old) == e.LanceClaimed(Lance.GRANDE, "A")
