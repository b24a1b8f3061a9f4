"""Hands named aloud: clear and possible ones are accepted, others are asked about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.messages import Accepted, Ask, Heard, Ignored, Narrowed, Outcome
from assistant.rules.calls import ShowHand
from assistant.rules.events import DeclarationDisproved
from assistant.table.doubt import HAND_CLEAR
from assistant.table.table import Table
from tests.table.sounds import later, sounding, take, words


def hand(margin: float = 1.0, heard: str = "[unk]", at: float = 0.0, **ways: float) -> Heard:
    """An utterance with these hands as hypotheses, whatever the whole grammar heard."""
    found = later(sounding(**ways), at)
    narrowed = Narrowed(found.hypotheses, margin)
    return replace(later(sounding(**{heard.replace("[unk]", "UNK"): 1.0}), at), narrowed=narrowed)


def shown(outcomes: tuple[Outcome, ...]) -> str:
    """The ranks of the accepted hand, or "?" and the ranks of the hand that is asked about."""
    (outcome,) = outcomes
    match outcome:
        case Accepted(call=ShowHand(cards=cards)):
            return "".join(card.rank.value for card in cards)
        case Ask(code="sure", options=(ShowHand(cards=cards),)):
            return "?" + "".join(card.rank.value for card in cards)
        case _:
            return ""


@pytest.fixture
def showdown(table: Table) -> Table:
    """Norte (1) has declared juego and no pares, Oeste (2) pares, the others neither."""
    for said in (
        "paso ... paso ... paso ... paso", "paso ... paso ... paso ... paso",
        "no ... sí ... no ... no", "sí ... no ... no ... no",
    ):  # fmt: skip
        take(table, Heard(words(said)))
    assert table.state.phase == "showdown"
    return table


def test_a_clear_hand_counts_though_the_whole_grammar_heard_noise(showdown: Table) -> None:
    assert shown(take(showdown, hand(rey_caballo_sota_as=1.0))) == "RCS1"


def test_of_two_equally_likely_hands_the_one_that_fits_the_declarations_counts(
    showdown: Table,
) -> None:
    # without juego: 10 + 7 + 4 + 6
    heard = hand(rey_siete_cuatro_seis=0.5, rey_siete_tres_as=0.4, rey_caballo_sota_as=0.1)
    assert shown(take(showdown, heard)) == "?RCS1"


def test_a_hand_against_the_declaration_counts_where_no_other_is_likely(
    showdown: Table,
) -> None:
    (outcome,) = take(showdown, hand(rey_siete_cuatro_seis=1.0))
    assert isinstance(outcome, Accepted)
    assert any(isinstance(event, DeclarationDisproved) for event in outcome.events)


def test_an_uncertain_hand_is_asked_about_and_counts_with_a_yes(showdown: Table) -> None:
    assert (
        shown(take(showdown, hand(rey_caballo_sota_as=0.6, rey_caballo_sota_siete=0.4))) == "?RCS1"
    )
    assert shown(take(showdown, later(sounding(sí=1.0), 3.0))) == "RCS1"


def test_a_hand_is_asked_about_if_what_was_said_before_it_may_be_one_of_its_cards(
    showdown: Table,
) -> None:
    heard = hand(rey_caballo_sota_as=1.0)
    assert heard.narrowed is not None
    last = replace(heard, narrowed=replace(heard.narrowed, part=True))
    assert shown(take(showdown, last)) == "?RCS1"
    assert shown(take(showdown, later(sounding(sí=1.0), 3.0))) == "RCS1"


@pytest.mark.parametrize(("margin", "becomes"), [(-1.0, "RCS1"), (-1.5, "?RCS1")])
def test_a_hand_counts_that_every_word_explains_hardly_better_than_cards_do(
    showdown: Table, margin: float, becomes: str
) -> None:
    assert shown(take(showdown, hand(margin, rey_caballo_sota_as=1.0))) == becomes


def test_a_hand_with_a_poor_margin_is_asked_about_even_without_a_rival(showdown: Table) -> None:
    assert shown(take(showdown, hand(HAND_CLEAR - 1, rey_caballo_sota_as=1.0))) == "?RCS1"


def test_a_hand_that_both_grammars_heard_counts_with_a_poor_margin_too(showdown: Table) -> None:
    heard = hand(HAND_CLEAR - 1, "rey caballo sota as", rey_caballo_sota_as=0.8, sota_seis=0.2)
    assert shown(take(showdown, heard)) == "RCS1"


def test_a_hand_that_both_heard_is_asked_about_where_another_is_nearly_as_likely(
    showdown: Table,
) -> None:
    ways = {"rey_caballo_sota_as": 0.7, "rey_caballo_sota_siete": 0.3}
    assert shown(take(showdown, hand(1.0, "rey caballo sota as", **ways))) == "?RCS1"


def test_the_next_likely_hand_is_asked_about_where_one_is_denied(showdown: Table) -> None:
    heard = hand(rey_caballo_sota_as=0.6, rey_caballo_sota_siete=0.4)
    assert shown(take(showdown, heard)) == "?RCS1"
    assert shown(take(showdown, later(sounding(no=1.0), 3.0))) == "?RCS7"
    assert shown(take(showdown, later(sounding(sí=1.0), 6.0))) == "RCS7"


def test_where_no_other_hand_is_likely_a_denied_one_is_named_again(showdown: Table) -> None:
    heard = hand(
        rey_caballo_sota_as=0.7,
        rey_caballo_sota_siete=0.1,
        rey_caballo_sota_seis=0.1,
        rey_caballo_sota_cinco=0.1,
    )
    assert shown(take(showdown, heard)) == "?RCS1"
    (left,) = take(showdown, later(sounding(no=1.0), 3.0))
    assert isinstance(left, Ignored)


def test_two_hands_are_asked_about_at_most_until_the_cards_are_named_again(
    showdown: Table,
) -> None:
    heard = hand(rey_caballo_sota_as=0.5, rey_caballo_sota_siete=0.3, rey_caballo_sota_cinco=0.2)
    assert shown(take(showdown, heard)) == "?RCS1"
    assert shown(take(showdown, later(sounding(no=1.0), 3.0))) == "?RCS7"
    (left,) = take(showdown, later(sounding(no=1.0), 6.0))
    assert isinstance(left, Ignored)
    again = hand(at=9.0, rey_caballo_sota_as=0.6, rey_caballo_sota_cinco=0.4)
    assert shown(take(showdown, again)) == "RCS5"


def test_what_was_heard_before_counts_where_the_cards_are_named_again(showdown: Table) -> None:
    first = hand(rey_caballo_sota_as=0.6, rey_caballo_sota_siete=0.4)
    assert shown(take(showdown, first)) == "?RCS1"
    second = hand(at=4.0, rey_caballo_sota_siete=0.8, rey_caballo_sota_cinco=0.2)
    assert shown(take(showdown, second)) == "RCS7"


def test_a_hand_that_was_corrected_is_not_taken_again(showdown: Table) -> None:
    assert shown(take(showdown, hand(rey_caballo_sota_as=1.0))) == "RCS1"
    take(showdown, later(sounding(corrige=1.0), 3.0))
    again = hand(at=6.0, rey_caballo_sota_as=0.9, rey_caballo_sota_siete=0.1)
    assert shown(take(showdown, again)) == "RCS7"


def test_repeating_the_hand_answers_the_question(showdown: Table) -> None:
    heard = hand(rey_caballo_sota_as=0.6, rey_caballo_sota_siete=0.4)
    assert shown(take(showdown, heard)) == "?RCS1"
    again = hand(at=3.0, rey_caballo_sota_as=0.6, rey_caballo_sota_siete=0.4)
    assert shown(take(showdown, again)) == "RCS1"


def test_the_probabilities_of_hands_of_equal_value_add_up(showdown: Table) -> None:
    # With eight reyes a tres is a rey and a dos an as, so nobody needs to ask which.
    heard = hand(rey_caballo_sota_as=0.5, tres_caballo_sota_dos=0.4, rey_caballo_sota_siete=0.1)
    assert shown(take(showdown, heard)) == "RCS1"


def test_cards_that_lie_open_are_in_no_other_hand(showdown: Table) -> None:
    take(showdown, hand(cuatro_caballo_sota_rey=1.0))
    take(showdown, hand(at=4.0, cuatro_cuatro_cuatro_seis=1.0))
    heard = hand(at=8.0, cuatro_cinco_seis_siete=0.9, cinco_seis_siete_sota=0.1)
    assert shown(take(showdown, heard)) == "567S", "a deck has four cuatros"


def test_a_hand_named_before_the_showdown_is_ignored(table: Table) -> None:
    (outcome,) = take(table, hand(rey_caballo_sota_as=1.0))
    assert isinstance(outcome, Ignored)


def test_deshaz_right_after_speech_that_was_not_understood_is_asked_about(showdown: Table) -> None:
    """It may be the end of a hand: "tres, as"."""
    assert shown(take(showdown, hand(rey_caballo_sota_as=1.0))) == "RCS1"
    take(showdown, later(sounding(cinco_UNK=1.0), 4.0))
    (asked,) = take(showdown, later(sounding(deshaz=1.0), 5.2))
    assert isinstance(asked, Ask)
    assert asked.code == "sure_undo"
    (undone,) = take(showdown, later(sounding(deshaz=1.0), 12.0))
    assert isinstance(undone, Accepted)


@pytest.mark.parametrize(("share", "noisy", "taken"), [(0.6, True, False), (0.6, False, True)])
def test_in_noise_a_yes_to_a_hand_must_be_clear(
    showdown: Table, share: float, noisy: bool, taken: bool
) -> None:
    """It may be the next table's, or the beginning of the hand named again."""
    heard = hand(rey_caballo_sota_as=0.6, rey_caballo_sota_siete=0.4)
    assert shown(take(showdown, heard)) == "?RCS1"
    yes = later(sounding(sí=share, UNK=1 - share), 3.0)
    assert (shown(take(showdown, replace(yes, noisy=noisy))) == "RCS1") == taken
