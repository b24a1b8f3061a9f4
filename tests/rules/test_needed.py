"""The hands that the count still needs (R46)."""

from __future__ import annotations

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import parse_hand
from assistant.rules.engine import apply, missing_hands, to_speak
from assistant.rules.phases import Lance, Phase
from assistant.rules.prizes import is_countable
from assistant.rules.profile import Penalty
from tests.rules.articles import applied, table
from tests.rules.play import cards, envido, no_queremos, no_quiero, ordago, quiero
from tests.rules.tables import Table, each
from tests.tables import each_row


def both_refused(game: Table) -> Table:
    """Norte bets at grande and chica and both are refused:

    A has two stones, and no card matters.
    """
    return game.cut().say(envido(1), no_queremos(2), envido(1), no_queremos(2))


def test_r46_no_hand_is_asked_for_before_the_showdown_nor_after_it() -> None:
    game = Table()
    assert missing_hands(game.state) == ()
    game.cut().all_pass()
    assert missing_hands(game.state) == ()
    assert missing_hands(game.say(c.Redeal()).state) == ()


def test_r46_at_the_showdown_the_turn_is_the_first_player_whose_hand_is_needed() -> None:
    """Norte's dejes count without a card. Then Oeste shows his own pares, and nobody after him."""
    game = both_refused(Table()).declare("no sí no no").declare("no no no no")
    game.say(envido(1), no_queremos(2))
    assert to_speak(game.state) == 2
    assert to_speak(game.say(cards(2, "5 5 6 S")).state) is None


@each_row(
    "penalty, lance",
    [
        (Penalty.OFF, Lance.PARES),  # no article looks at the hands
        (Penalty.INTERPENAS, Lance.GRANDE),  # nobody can have claimed it falsely
    ],
)
def test_r32_four_reyes_of_mano_win_an_ordago_before_any_other_hand_is_seen(
    penalty: Penalty, lance: Lance
) -> None:
    game = Table(penalty=penalty).to_lance(lance, "sí sí sí no").say(ordago(2), quiero(1))
    assert missing_hands(game.state) != ()
    assert game.say(cards(1, "R R R R")).state.juego_won == "A"


def test_r46_every_hand_is_needed_after_a_lance_that_is_still_open() -> None:
    """Norte, at 30, has shown the better hand of a grande for ten. Oeste may yet beat it."""
    game = each(3, stones=(30, 0, 0)).cut().say(envido(1, 10), quiero(2), no_quiero(3))
    game.all_pass().declare("no no no").declare("no no no").all_pass()
    game.say(cards(1, "R C 5 4"))
    assert missing_hands(game.state) == (2, 3)  # Sur for chica, whoever wins grande


def test_r46_the_count_can_begin_just_when_no_hand_is_missing() -> None:
    game = each(3).cut().say(envido(1, 10), quiero(2), no_quiero(3))
    game.all_pass().declare("no no no").declare("no no no").all_pass()
    state = game.state
    for seat, hand in ((1, "R C 5 4"), (2, "5 5 6 S"), (3, "R C 4 1")):
        assert missing_hands(state)
        assert not is_countable(state)
        state = apply(state, e.HandShown(seat, parse_hand(hand)))
    assert missing_hands(state) == ()
    assert is_countable(state)


def test_r46_an_ordago_settled_by_agreement_needs_no_card_under_any_penalty_rule() -> None:
    game = table("waived").to_pares("sí sí no no").say(ordago(1), quiero(2))
    assert missing_hands(game.state) == (1, 2)
    game.say(c.ClaimLance(lance=Lance.PARES, side="A"))
    assert game.state.juego_won == "A"


def test_r46_after_a_void_ordago_every_hand_is_needed_for_the_unplayed_lances() -> None:
    game = both_refused(table()).declare("sí sí no no").say(ordago(1), quiero(2))
    game.say(cards(1, "R C S 1"), cards(2, "5 5 6 S"))
    assert applied(game) == [("5.5", 1)]
    assert missing_hands(game.state) == (3, 4)


def test_r46_pares_that_the_rivals_of_a_denial_have_claimed_need_no_hand() -> None:
    """Sur denies. B claims two parejas by agreement, and only Oeste's has been seen."""
    game = both_refused(table()).declare("sí sí no sí").all_pass().declare("no no no no")
    game.say(envido(1), no_queremos(2), cards(3, "R R 4 1"), cards(2, "5 5 6 S"))
    assert game.phase is Phase.SHOWDOWN
    game.say(c.ClaimLance(lance=Lance.PARES, side="B", values=(1, 1)))
    assert applied(game) == [("5.3", 3)]
    assert (game.phase, game.stones) == (Phase.COUNT, (2 + 1 + 1, 1 + 1 + 1))
