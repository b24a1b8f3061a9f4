"""Speaker evidence: a voice chooses only among the players who may make the call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from assistant.files.resources import load_phrases
from assistant.language.script import write_script
from assistant.messages import Accepted, Ask, Heard, Outcome, SpeakerEvidence, Word
from assistant.rules import events as e
from assistant.rules.calls import Bet, Declare
from assistant.rules.events import VOICE
from assistant.rules.phases import Lance, Phase
from assistant.table.table import Table
from assistant.table.who import CLEAR, LIKELY, TURN, by_voice, likeliest
from tests.table.sounds import later, sounding, take, words

PLAIN = 0.999
"""The probability of a voice that is like nobody else's."""


def voice(seat: int, some: tuple[Word, ...], share: float = PLAIN) -> SpeakerEvidence:
    """A voice like one seat's; the rest of the probability is spread over the others."""
    rest = (1 - share) / 4
    seats = tuple(share if at == seat else rest for at in (1, 2, 3, 4))
    return SpeakerEvidence(some[0].start, some[-1].end, seats)


def by(seat: int, text: str, share: float = PLAIN) -> Heard:
    return Heard(words(text), voices=(voice(seat, words(text), share),))


def events(outcomes: tuple[Outcome, ...]) -> list[e.Event]:
    return [event for one in outcomes if isinstance(one, Accepted) for event in one.events]


def test_the_voice_of_the_turn_changes_nothing(table: Table) -> None:
    assert table.propose(by(1, "paso")) == table.propose(Heard(words("paso")))


def test_a_pass_out_of_turn_goes_to_the_player_with_that_voice(table: Table) -> None:
    said = events(take(table, by(3, "paso")))
    assert said == [e.SeatInferred(3, VOICE), e.Passed(3, Lance.GRANDE)]


def test_of_a_pair_that_answers_the_player_with_that_voice_has_accepted(table: Table) -> None:
    take(table, Heard(words("envido")))
    accepted = events(table.propose(by(4, "quiero")))
    assert accepted[:2] == [e.SeatInferred(4, VOICE), e.BetAccepted(4, Lance.GRANDE)]


def test_a_declaration_goes_to_the_player_with_that_voice(table: Table) -> None:
    for _ in range(8):
        take(table, Heard(words("paso")))
    assert table.state.phase is Phase.PARES_SAY
    take(table, by(2, "pares sí"))
    assert table.state.declared(Lance.PARES) == (None, True, None, None)


@pytest.mark.parametrize("seat", [1, 3])
def test_the_bettors_own_voice_does_not_accept_his_bet(table: Table, seat: int) -> None:
    take(table, Heard(words("envido")))
    assert table.propose(by(seat, "quiero")) == table.propose(Heard(words("quiero")))


def test_the_voice_of_a_player_who_has_just_passed_does_not_bet(table: Table) -> None:
    take(table, Heard(words("paso")))
    assert table.propose(by(1, "envido")) == table.propose(Heard(words("envido")))


def test_a_voice_closes_no_lance_that_the_turn_would_leave_open(table: Table) -> None:
    for _ in range(2):
        take(table, Heard(words("paso")))
    assert events(table.propose(by(1, "paso")))[-1] == e.Passed(3, Lance.GRANDE)
    assert table.state.phase is Phase.GRANDE


def test_a_faint_voice_leaves_the_call_to_the_turn(table: Table) -> None:
    assert table.propose(by(3, "paso", 0.6)) == table.propose(Heard(words("paso")))


def test_the_voice_of_a_stranger_leaves_the_call_to_the_turn(table: Table) -> None:
    stranger = Heard(words("paso"), voices=(SpeakerEvidence(0.0, 0.3, (0.01, 0.01, 0.01, 0.01)),))
    assert table.propose(stranger) == table.propose(Heard(words("paso")))


def test_evidence_for_another_number_of_players_is_ignored(table: Table) -> None:
    heard = Heard(words("paso"), voices=(SpeakerEvidence(0.0, 0.3, (0.0, 1.0)),))
    assert table.propose(heard) == table.propose(Heard(words("paso")))


def test_a_bet_goes_to_the_other_side_only_by_a_clear_voice(table: Table) -> None:
    assert e.BetMade(2, Lance.GRANDE, 2) in events(table.propose(by(2, "envido")))
    (ask,) = table.propose(by(2, "envido", 0.97))
    assert isinstance(ask, Ask)
    assert ask.code == "who"
    assert ask.options == (Bet(seat=1), Bet(seat=2))


def test_the_question_who_spoke_offers_the_names(table: Table) -> None:
    (ask,) = table.propose(by(2, "envido", 0.97))
    assert isinstance(ask, Ask)
    assert load_phrases("es").options(ask, table.state) == ("N", "O")


def test_a_bet_goes_to_the_partner_by_a_likely_voice_without_a_question(table: Table) -> None:
    assert e.BetMade(3, Lance.GRANDE, 2) in events(table.propose(by(3, "envido", 0.98)))


def test_each_call_of_an_utterance_goes_to_its_own_voice(table: Table) -> None:
    heard = Heard(words("paso ... envido"))
    first, second = heard.words
    voices = (voice(2, (first,)), voice(4, (first, second)), voice(3, (second,)))
    said = events(table.propose(replace(heard, voices=voices)))
    assert [event for event in said if not isinstance(event, e.SeatInferred)] == [
        e.Passed(2, Lance.GRANDE),
        e.BetMade(3, Lance.GRANDE, 2),
    ]


def test_all_hypotheses_of_a_call_have_one_voice(table: Table) -> None:
    take(table, Heard(words("envido")))
    heard = replace(
        sounding(quiero=0.7, lo_quiero=0.25, sota=0.05), voices=(voice(4, words("quiero")),)
    )
    assert e.BetAccepted(4, Lance.GRANDE) in events(table.propose(heard))


def test_a_corrected_declaration_is_asked_about_unless_the_voice_tells_whose_it_is(
    table: Table,
) -> None:
    for _ in range(8):
        take(table, Heard(words("paso")))
    for said in ("sí", "sí", "no", "no"):
        take(table, Heard(words(said)))
    (ask,) = table.propose(Heard(words("pares sí")))
    assert isinstance(ask, Ask)
    assert ask.code == "who"
    (told,) = table.propose(by(4, "pares sí"))
    assert isinstance(told, Accepted)
    assert isinstance(told.call, Declare)
    assert told.call.seat == 4


def test_the_turn_outweighs_an_equal_voice_by_its_weight() -> None:
    even = (0.25, 0.25, 0.25, 0.25)
    seat, share = likeliest(even, 2)
    assert seat == 2
    assert share == pytest.approx(TURN / (TURN + 3))
    nobody, share = likeliest((0.1, 0.1, 0.1, 0.1), None)
    assert nobody is None
    assert share == pytest.approx(0.6)


def test_between_the_two_limits_of_a_voice_a_question_is_asked() -> None:
    assert 0.5 < LIKELY < CLEAR < 1


def test_a_script_names_players_known_only_by_voice(table: Table) -> None:
    take(table, by(3, "paso"))
    take(table, Heard(words("paso")))
    assert [line for line in write_script(table.records).splitlines() if "paso" in line] == [
        "3: paso",
        "?: paso",
    ]


NOBODYS = (0.1, 0.1, 0.1, 0.1)
"""The missing probability belongs to somebody who does not play."""


@pytest.mark.parametrize(
    ("before", "said", "code"),
    [
        ((), "órdago", "sure_ordago"),
        (("órdago",), "quiero", "sure_accept"),
        (("envido",), "corrige", "sure_undo"),
    ],
)
def test_a_costly_call_in_a_strangers_voice_is_asked_about(
    table: Table, before: Sequence[str], said: str, code: str
) -> None:
    for at, call in enumerate(before):
        take(table, later(Heard(words(call)), float(at)))
    heard = later(sounding(**{said: 1.0}), 3.0)
    start, end = heard.words[0].start, heard.words[-1].end
    outcomes = take(table, replace(heard, voices=(SpeakerEvidence(start, end, NOBODYS),)))
    assert [one.code for one in outcomes if isinstance(one, Ask)] == [code]
    ours = replace(heard, voices=(SpeakerEvidence(start, end, (0.7, 0.0, 0.0, 0.0)),))
    (outcome,) = take(table, ours)
    assert isinstance(outcome, Accepted)


def test_the_inference_by_voice_comes_before_its_own_event() -> None:
    implied, own = e.Passed(1, Lance.GRANDE, implied=True), e.BetMade(3, Lance.CHICA, 2)
    mark = e.SeatInferred(3, VOICE)
    assert by_voice((implied, own), 3) == (implied, mark, own)
