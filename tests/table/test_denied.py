"""Denied calls: a call that a player has undone or denied is unlikely to be his next one."""

from __future__ import annotations

import pytest

from assistant.messages import Accepted, Ask, Ignored, Outcome
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import parse_card
from assistant.table.expected import Denied
from assistant.table.table import Table
from tests.table.sounds import later, sounding, take


@pytest.fixture
def bet(table: Table) -> Table:
    """Norte (1) has bet two at grande, and Oeste (2) answers."""
    take(table, sounding(no_hay_mus=1.0))
    take(table, later(sounding(envido=1.0), 2.0))
    return table


def calls(outcomes: tuple[Outcome, ...]) -> list[type[c.Call]]:
    made = (one.call for one in outcomes if isinstance(one, Accepted))
    return [type(call) for call in made if isinstance(call, c.Call)]


def test_an_undone_call_loses_to_its_opposite_that_sounds_alike(bet: Table) -> None:
    blurred = sounding(no_quiero=0.9, lo_quiero=0.1)
    assert calls(take(bet, later(blurred, 4.0))) == [c.Refuse]
    take(bet, later(sounding(corrige=1.0), 7.0))
    (asked,) = take(bet, later(blurred, 10.0))
    assert isinstance(asked, Ask)
    assert {type(option) for option in asked.options} == {c.Accept, c.Refuse}
    assert calls(take(bet, later(sounding(sí=1.0), 13.0))) == [c.Accept]


@pytest.mark.parametrize(("answer", "meant"), [("no", c.Refuse), ("sí", c.Accept)])
def test_an_undone_call_without_another_hypothesis_is_asked_about(
    bet: Table, answer: str, meant: type[c.Call]
) -> None:
    """Noise has covered the "no" of "no queremos", and covers it again."""
    take(bet, later(sounding(queremos=1.0), 4.0))
    take(bet, later(sounding(corrige=1.0), 7.0))
    (asked,) = take(bet, later(sounding(queremos=1.0), 10.0))
    assert isinstance(asked, Ask)
    assert asked.code == "which_said"
    assert calls(take(bet, later(sounding(**{answer: 1.0}), 13.0))) == [meant]


def test_an_undone_call_without_an_opposite_counts_when_said_again(bet: Table) -> None:
    take(bet, later(sounding(cinco_más=1.0), 4.0))
    take(bet, later(sounding(corrige=1.0), 7.0))
    assert calls(take(bet, later(sounding(cinco_más=1.0), 10.0))) == [c.Raise]


def test_after_several_corrections_the_last_one_tells_what_was_wrong(bet: Table) -> None:
    """Oeste's call was wrong. The call after it was right, and is said once more."""
    take(bet, later(sounding(quiero=1.0), 4.0))
    take(bet, later(sounding(paso=1.0), 6.0))
    take(bet, later(sounding(corrige=1.0), 8.0))
    take(bet, later(sounding(corrige=1.0), 10.0))
    unsure = sounding(quiero=0.6, no_quiero=0.4)
    assert calls(take(bet, later(unsure, 12.0))) == [c.Refuse]
    assert calls(take(bet, later(sounding(paso=0.9, envido=0.1), 14.0))) == [c.Pass]


def test_a_no_to_a_question_rules_out_its_call_for_the_next_utterance(bet: Table) -> None:
    (asked,) = take(bet, later(sounding(envido_diez_más=0.5, UNK=0.5), 4.0))
    assert isinstance(asked, Ask)
    take(bet, later(sounding(no=1.0), 7.0))
    heard = later(sounding(envido_diez_más=0.7, envido_dos_más=0.3), 10.0)
    outcomes = take(bet, heard)
    assert [one.call for one in outcomes if isinstance(one, Accepted)] == [c.Raise(stones=2)]


def test_a_denial_is_forgotten_after_another_call(bet: Table) -> None:
    take(bet, later(sounding(no_quiero=1.0), 4.0))
    take(bet, later(sounding(corrige=1.0), 7.0))
    take(bet, later(sounding(quiero=1.0), 9.0))
    take(bet, later(sounding(envido=1.0), 11.0))
    assert calls(take(bet, later(sounding(no_quiero=0.9, lo_quiero=0.1), 13.0))) == [c.Refuse]


def test_the_answer_to_a_question_need_not_name_the_lance(bet: Table) -> None:
    take(bet, later(sounding(no_quiero_a_la_grande=1.0), 4.0))
    take(bet, later(sounding(corrige=1.0), 7.0))
    (asked,) = take(bet, later(sounding(no_quiero_a_la_grande=1.0), 10.0))
    assert isinstance(asked, Ask)
    assert calls(take(bet, later(sounding(no_aceptamos=1.0), 13.0))) == [c.Refuse]


def test_talk_that_sounds_like_an_undo_undoes_nothing(bet: Table) -> None:
    talk = sounding(deshaz=0.3, cuánto_repite=0.25, asistente_veinte=0.25, UNK=0.2)
    (ignored,) = take(bet, later(talk, 4.0))
    assert isinstance(ignored, Ignored)


def test_a_denied_hand_leaves_the_relative_probability_of_the_others() -> None:
    wrong, right = (
        (e.HandShown(1, tuple(map(parse_card, cards.split()))),) for cards in ("R R 7 1", "R R 6 1")
    )
    denied = Denied()
    denied.note(wrong, 9)
    hand, other, undo = (Accepted(wrong),), (Accepted(right),), (Accepted((e.Retracted(4),)),)
    weighed = denied.weigh({hand: 0.3, other: 0.6, undo: 0.1}, 9)
    assert max(weighed, key=weighed.__getitem__) == other
    assert weighed[other] == pytest.approx(6 * weighed[undo])
    assert weighed[hand] < 0.05
