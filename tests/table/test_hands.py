"""Hands named aloud: taken where they are clear and possible, asked for where they are not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.messages import Accepted, Ask, Heard, Ignored, Narrowed, Outcome
from assistant.rules.calls import ShowHand
from assistant.rules.events import DeclarationDisproved
from assistant.table.doubt import HAND_CLEAR
from assistant.table.table import Table
from tests.table.sounds import later, sounding, take, words

DECLARED = "paso ... paso ... paso ... paso"


def hand(margin: float = 1.0, heard: str = "[unk]", at: float = 0.0, **ways: float) -> Heard:
    """An utterance that sounds like these hands, whatever the whole grammar made of it."""
    found = later(sounding(**ways), at)
    narrowed = Narrowed(found.hypotheses, margin)
    return replace(later(sounding(**{heard.replace("[unk]", "UNK"): 1.0}), at), narrowed=narrowed)


def shown(outcomes: tuple[Outcome, ...]) -> str:
    """The ranks of the hand that counts; "?" and the hand where it is asked for."""
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
    """Norte (1) has declared juego, and no pares; Oeste (2) pares; the others neither."""
    for said in (
        "paso ... paso ... paso ... paso", "paso ... paso ... paso ... paso",
        "no ... sí ... no ... no", "sí ... no ... no ... no",
    ):  # fmt: skip
        take(table, Heard(words(said)))
    assert table.state.phase == "showdown"
    return table


def test_a_clear_hand_counts_though_the_whole_grammar_heard_noise(showdown: Table) -> None:
    assert shown(take(showdown, hand(rey_caballo_sota_as=1.0))) == "RCS1"


def test_of_two_hands_as_likely_the_one_that_fits_what_was_declared(showdown: Table) -> None:
    # Without juego: 10 + 7 + 4 + 6.
    heard = hand(rey_siete_cuatro_seis=0.5, rey_siete_tres_as=0.4, rey_caballo_sota_as=0.1)
    assert shown(take(showdown, heard)) == "?RCS1"


def test_a_hand_against_the_declaration_is_taken_where_nothing_else_is_likely(
    showdown: Table,
) -> None:
    (outcome,) = take(showdown, hand(rey_siete_cuatro_seis=1.0))
    assert isinstance(outcome, Accepted)
    assert any(isinstance(event, DeclarationDisproved) for event in outcome.events)


def test_an_unsure_hand_is_asked_for_and_counts_with_a_yes(showdown: Table) -> None:
    assert (
        shown(take(showdown, hand(rey_caballo_sota_as=0.6, rey_caballo_sota_siete=0.4))) == "?RCS1"
    )
    assert shown(take(showdown, later(sounding(sí=1.0), 3.0))) == "RCS1"


def test_a_poor_margin_is_asked_for_however_alone_the_hand_stands(showdown: Table) -> None:
    assert shown(take(showdown, hand(HAND_CLEAR - 1, rey_caballo_sota_as=1.0))) == "?RCS1"


def test_who_says_no_is_not_asked_for_the_same_hand_again(showdown: Table) -> None:
    heard = hand(rey_caballo_sota_as=0.6, rey_caballo_sota_siete=0.4)
    assert shown(take(showdown, heard)) == "?RCS1"
    (left,) = take(showdown, later(sounding(no=1.0), 3.0))
    assert isinstance(left, Ignored)
    again = hand(at=6.0, rey_caballo_sota_as=0.6, rey_caballo_sota_siete=0.4)
    assert shown(take(showdown, again)) == "RCS7"


def test_a_hand_that_is_said_again_answers_the_question(showdown: Table) -> None:
    heard = hand(rey_caballo_sota_as=0.6, rey_caballo_sota_siete=0.4)
    assert shown(take(showdown, heard)) == "?RCS1"
    again = hand(at=3.0, rey_caballo_sota_as=0.6, rey_caballo_sota_siete=0.4)
    assert shown(take(showdown, again)) == "RCS1"


def test_hands_of_the_same_worth_count_together(showdown: Table) -> None:
    # With eight reyes a tres is a rey, and a dos an as: nobody need ask which.
    heard = hand(rey_caballo_sota_as=0.5, tres_caballo_sota_dos=0.4, rey_caballo_sota_siete=0.1)
    assert shown(take(showdown, heard)) == "RCS1"


def test_cards_that_lie_open_already_are_in_no_other_hand(showdown: Table) -> None:
    take(showdown, hand(cuatro_caballo_sota_rey=1.0))
    take(showdown, hand(at=4.0, cuatro_cuatro_cuatro_seis=1.0))
    heard = hand(at=8.0, cuatro_cinco_seis_siete=0.9, cinco_seis_siete_sota=0.1)
    assert shown(take(showdown, heard)) == "567S", "a deck has four cuatros"


def test_nobody_shows_a_hand_before_the_showdown(table: Table) -> None:
    (outcome,) = take(table, hand(rey_caballo_sota_as=1.0))
    assert isinstance(outcome, Ignored)
