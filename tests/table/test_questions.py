"""Questions: every call of an utterance is weighed by itself, and answers go to what was asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.language.lexicon import Lexicon
from assistant.messages import Accepted, Ask, Heard, Ignored, Outcome, Pressed, Refused, batches
from assistant.rules import events as e
from assistant.rules.calls import (
    Accept,
    Bet,
    Call,
    ClaimLance,
    Declare,
    NextDeal,
    Ordago,
    Pass,
    Raise,
    Refuse,
)
from assistant.rules.phases import Lance, Phase
from assistant.table.table import Table
from tests.table.sounds import later, sounding, take, words
from tests.table.test_answers import BET_AND_SHOWN, open_at, table_at


def calls(outcomes: tuple[Outcome, ...]) -> list[object]:
    return [outcome.call for outcome in outcomes if isinstance(outcome, Accepted)]


def asked(outcomes: tuple[Outcome, ...]) -> tuple[str, tuple[Call, ...]]:
    ask = outcomes[-1]
    assert isinstance(ask, Ask)
    return ask.code, ask.options


@pytest.mark.parametrize(
    ("ways", "clear", "options"),
    [
        ({"órdago_quiero": 0.65, "órdago_no_quiero": 0.35}, [Ordago()], (Accept(), Refuse())),
        ({"envido_quiero": 0.65, "envido_no_quiero": 0.35}, [Bet()], (Accept(), Refuse())),
        ({"paso_envido_dos": 0.6, "paso_envido_doce": 0.4}, [Pass()], (Bet(), Bet(stones=12))),
    ],
)
def test_an_answer_in_the_same_breath_is_asked_about_and_the_call_before_it_counts(
    table: Table, ways: dict[str, float], clear: list[Call], options: tuple[Call, ...]
) -> None:
    outcomes = take(table, sounding(**ways))
    assert calls(outcomes) == clear
    assert asked(outcomes) == ("which_said", options)


def test_the_second_of_two_declarations_may_be_asked_about(table: Table) -> None:
    for _ in range(8):
        take(table, Heard(words("paso")))
    outcomes = take(table, sounding(no_sí=0.6, no_no=0.4))
    assert calls(outcomes) == [Declare(holds=False)]
    assert asked(outcomes) == ("which_said", (Declare(holds=True), Declare(holds=False)))


def test_whose_the_mano_or_a_lance_is_is_asked_where_two_names_sound_alike() -> None:
    table = open_at("es")
    outcomes = take(table, sounding(es_mano_oeste=0.58, es_mano_este=0.42))
    assert asked(outcomes) == ("which_said", (NextDeal(mano=2), NextDeal(mano=4)))
    assert calls(take(table, later(sounding(este=1.0), 3))) == [NextDeal(mano=4)]
    shown = table_at("es", *BET_AND_SHOWN)
    claimed = sounding(la_grande_para_oeste=0.6, la_grande_para_norte=0.4)
    sides = tuple(ClaimLance(lance=Lance.GRANDE, side=side) for side in "BA")
    assert asked(take(shown, claimed)) == ("which_said", sides)
    lances = sounding(la_grande_para_oeste=0.6, la_chica_para_oeste=0.4)
    assert asked(take(table_at("es", *BET_AND_SHOWN), lances))[0] == "which_said"
    same = sounding(la_grande_para_oeste=0.6, la_grande_para_este=0.4)
    assert calls(take(table_at("es", *BET_AND_SHOWN), same)) == [sides[0]], "one side either way"


def test_a_yes_to_the_first_of_two_calls_does_not_make_the_second(table: Table) -> None:
    heard = sounding(envido_quiero=0.3, envido_no_quiero=0.25, sota=0.45)
    assert asked(take(table, heard)) == ("sure", (Bet(),))
    outcomes = take(table, later(sounding(sí=1.0), 3))
    assert calls(outcomes) == [Bet()]
    assert asked(outcomes) == ("which_said", (Accept(), Refuse()))


def test_a_yes_also_makes_the_calls_that_followed_without_doubt(table: Table) -> None:
    take(table, sounding(**{"envido_..._quiero": 0.5, "sota": 0.5}))
    assert calls(take(table, later(sounding(sí=1.0), 3))) == [Bet(), Accept()]


@pytest.mark.parametrize("again", ["sí", "envido", "tap"])
def test_a_question_about_the_second_call_is_answered_for_the_seat_that_said_it(
    table: Table, again: str
) -> None:
    outcomes = take(table, sounding(paso_envido=0.5, paso_sota=0.2, paso_caballo=0.3))
    assert asked(outcomes) == ("sure", (Bet(),))
    assert calls(outcomes) == [Pass()]
    if again == "tap":
        (bet,) = table.propose(Pressed(Bet(), seen=table.seq))
        table.commit(batches((bet,), table.seq, at=0.0))
    else:
        take(table, later(sounding(**{again: 0.55, "sota": 0.45}), 3))
    made = [record.event for record in table.records if isinstance(record.event, e.BetMade)]
    assert [event.seat for event in made] == [2]


@pytest.mark.parametrize(
    ("before", "said", "call"),
    [("envido", "quiero_..._no_quiero", Accept()), ("", "órdago_..._mus", Ordago())],
)
def test_a_call_whose_rest_is_refused_is_weighed_as_if_it_stood_alone(
    table: Table, before: str, said: str, call: Call
) -> None:
    if before:
        take(table, Heard(words(before)))
    seq = table.seq
    (ask,) = take(table, sounding(UNK=0.5, **{said: 0.3}, sota=0.2))
    assert isinstance(ask, Ask)
    assert ask.options == (call,)
    assert table.seq == seq
    heard = later(sounding(**{said: 1.0}), 20)
    first, rest = take(table, heard)
    assert calls((first,)) == [call]
    assert isinstance(rest, Refused)


def test_a_faint_paso_that_refuses_a_bet_is_asked_about_like_any_answer(
    table: Table, lexicon: Lexicon
) -> None:
    faint = lexicon.hearing.sure - 0.05
    take(table, Heard(words("envido")))
    assert asked(take(table, sounding(paso=faint, sota=1 - faint))) == ("sure", (Pass(),))


def test_a_paso_that_may_be_a_quiero_is_asked_about_with_both(table: Table) -> None:
    take(table, Heard(words("órdago")))
    assert asked(take(table, sounding(paso=0.7, quiero=0.3))) == (
        "which_said",
        (Pass(), Accept()),
    )
    assert table.state.phase is Phase.GRANDE


def test_a_question_raised_by_a_tap_replaces_the_one_before(table: Table, lexicon: Lexicon) -> None:
    take(table, Heard(words("envido")))
    faint = lexicon.hearing.sure - 0.05
    assert asked(take(table, sounding(quiero=faint, sota=1 - faint)))[0] == "sure"
    assert asked(table.propose(Pressed(Bet(stones=5))))[0] == "bare_raise"
    before = table.state
    take(table, later(sounding(sí=1.0), 3))
    assert table.state == before


def test_a_yes_answers_the_question_that_was_asked_last(table: Table, lexicon: Lexicon) -> None:
    take(table, Heard(words("envido")))
    faint = lexicon.hearing.sure - 0.05
    assert asked(take(table, sounding(quiero=faint, sota=1 - faint)))[0] == "sure"
    assert asked(take(table, later(sounding(cinco=1.0), 3)))[0] == "bare_raise"
    before = table.state
    take(table, later(sounding(sí=1.0), 6))
    assert table.state == before


@pytest.mark.parametrize("answer", ["quiero", "no_quiero", "paso"])
def test_an_answer_to_a_raise_in_doubt_is_none_to_the_bet_before_it(
    table: Table, answer: str
) -> None:
    take(table, Heard(words("envido")))
    question = asked(take(table, sounding(cinco_más=0.6, siete_más=0.4)))
    assert question[0] == "which_said"
    before = table.state
    assert asked(take(table, later(sounding(**{answer: 1.0}), 2))) == question
    assert table.state == before
    take(table, later(sounding(cinco=1.0), 4))
    assert table.state.pending is not None
    assert table.state.pending.stones == 7


def test_an_answer_that_is_said_again_is_one_to_the_bet_where_there_was_no_raise(
    table: Table,
) -> None:
    take(table, Heard(words("envido")))
    take(table, sounding(cinco_más=0.6, siete_más=0.4))
    take(table, later(sounding(no_quiero=1.0), 2))
    (outcome,) = take(table, later(sounding(no_quiero=1.0), 5))
    assert isinstance(outcome, Accepted)
    assert isinstance(outcome.call, Refuse)


@pytest.mark.parametrize(("answer", "call"), [("no_quiero", Refuse()), ("quiero", Accept())])
def test_an_answer_after_a_number_alone_is_one_to_the_bet_at_once(
    table: Table, answer: str, call: Call
) -> None:
    take(table, Heard(words("envido")))
    assert asked(take(table, sounding(una=1.0)))[0] == "bare_raise"
    assert calls(take(table, later(sounding(**{answer: 1.0}), 3))) == [call]


@pytest.mark.parametrize("raise_", ["envido_cinco", "cinco_para_empezar"])
def test_an_answer_after_a_raise_in_more_words_than_its_number_is_not_one_to_the_bet(
    table: Table, raise_: str
) -> None:
    take(table, Heard(words("envido")))
    question = asked(take(table, sounding(**{raise_: 1.0})))
    assert question[0] == "bare_raise"
    before = table.state
    assert asked(take(table, later(sounding(quiero=1.0), 3))) == question
    assert table.state == before


@pytest.mark.parametrize(
    ("before", "ways", "number", "call"),
    [
        ("paso", {"envido_treinta": 0.6, "envido_veinte": 0.4}, "treinta", Bet(stones=30)),
        ("paso", {"envido_treinta": 0.6, "envido_veinte": 0.4}, "veinte", Bet(stones=20)),
        ("envido", {"cinco_más": 0.6, "siete_más": 0.4}, "pues_cinco", Raise(stones=5)),
    ],
)
def test_a_question_about_stones_is_answered_by_their_number(
    table: Table, before: str, ways: dict[str, float], number: str, call: Call
) -> None:
    take(table, Heard(words(before)))
    assert asked(take(table, sounding(**ways)))[0] == "which_said"
    assert calls(take(table, later(sounding(**{number: 1.0}), 3))) == [call]


def test_a_number_that_was_not_offered_is_no_answer(table: Table) -> None:
    take(table, Heard(words("envido")))
    take(table, sounding(cinco_más=0.6, siete_más=0.4))
    before = table.state
    assert asked(take(table, later(sounding(ocho=1.0), 3)))[0] == "bare_raise"
    assert table.state == before


def test_a_denied_call_is_reported_as_taken_back(table: Table, lexicon: Lexicon) -> None:
    faint = lexicon.hearing.sure - 0.05
    take(table, sounding(envido=faint, sota=1 - faint))
    assert take(table, later(sounding(no=1.0), 3)) == (Ignored("taken_back", "no"),)


@pytest.mark.parametrize(("said", "options"), [("envido", (Bet(),)), ("quiero", (Accept(),))])
def test_a_bet_or_answer_cut_off_by_the_assistants_voice_is_asked_about(
    table: Table, said: str, options: tuple[Call, ...]
) -> None:
    if said == "quiero":
        take(table, Heard(words("envido")))
    clear = sounding(**{said: 1.0})
    before = table.state
    assert asked(take(table, replace(clear, cut=True))) == ("sure", options)
    assert table.state == before
    assert calls(take(table, later(clear, 3))) == [*options]


def test_only_the_last_call_before_the_cut_is_asked_about(table: Table) -> None:
    outcomes = take(table, replace(sounding(envido_quiero=1.0), cut=True))
    assert calls(outcomes) == [Bet()]
    assert asked(outcomes) == ("sure", (Accept(),))


@pytest.mark.parametrize(
    ("before", "said", "question"),
    [
        ([], "órdago", ("sure_ordago", (Ordago(),))),
        (["órdago"], "quiero", ("sure_accept", (Accept(),))),
        ([], "envido_diez", ("sure", (Bet(stones=10),))),
    ],
)
def test_a_call_on_which_two_ears_disagree_is_asked_about(
    table: Table, before: list[str], said: str, question: tuple[str, tuple[Call, ...]]
) -> None:
    for call in before:
        take(table, Heard(words(call)))
    clear = sounding(**{said: 1.0})
    outcomes = take(table, replace(clear, disputed=True))
    assert calls(outcomes) == []
    assert asked(outcomes) == question
    assert calls(take(table, later(sounding(sí=1.0), 3))) == [question[1][0]]


def test_a_disputed_call_that_is_repeated_counts(table: Table) -> None:
    disputed = replace(sounding(órdago=1.0), disputed=True)
    take(table, disputed)
    assert calls(take(table, later(disputed, 3))) == [Ordago()]


def test_words_spoken_over_the_assistants_voice_are_asked_about_and_ignored(table: Table) -> None:
    heard = replace(Heard(words("quiero")), over=True)
    assert asked(take(table, heard)) == ("spoken_over", ())
    assert calls(take(table, Heard(words("envido")))) == [Bet()]


def test_speech_over_the_voice_is_talk_while_the_table_is_paused(table: Table) -> None:
    table.paused = True
    assert take(table, Heard((), over=True)) == (Ignored("talk"),)


def test_speech_over_the_voice_is_talk_during_the_count(table: Table) -> None:
    table.state = replace(table.state, phase=Phase.COUNT)
    assert take(table, Heard((), over=True)) == (Ignored("talk"),)


@pytest.mark.parametrize(
    "asked_for", [{"quiero": 0.5, "sota": 0.5}, {"quiero": 0.6, "no_quiero": 0.4}]
)
def test_a_paso_settles_no_bet_while_it_is_asked_whether_that_is_accepted(
    table: Table, asked_for: dict[str, float]
) -> None:
    take(table, Heard(words("envido")))
    question = take(table, sounding(**asked_for))
    for at in (3.0, 6.0):
        assert take(table, later(sounding(paso=1.0), at)) == question
    assert calls(take(table, later(sounding(quiero=1.0), 9))) == [Accept()]
    assert table.state.phase is Phase.CHICA


def test_a_no_after_such_a_paso_refuses_the_bet(table: Table) -> None:
    take(table, Heard(words("envido")))
    take(table, sounding(quiero=0.6, no_quiero=0.4))
    take(table, later(sounding(paso=1.0), 3))
    assert calls(take(table, later(sounding(no=1.0), 6))) == [Refuse()]


def test_a_bet_of_rare_stones_is_asked_about_with_a_usual_one_that_sounds_alike(
    table: Table,
) -> None:
    take(table, Heard(words("envido")))
    (ask,) = take(table, sounding(veintidós_más=0.95, dos_más=0.05))
    assert asked((ask,)) == ("which_said", (Raise(stones=22), Raise(stones=2)))
    assert calls(take(table, later(sounding(dos_más=1.0), 3))) == [Raise(stones=2)]


def test_a_usual_bet_is_not_asked_about_because_of_a_rare_one(table: Table) -> None:
    take(table, Heard(words("envido")))
    assert calls(take(table, sounding(dos_más=0.9, veintidós_más=0.1))) == [Raise(stones=2)]
