"""The n-best hypotheses of an utterance: the table takes the likeliest one that is a legal call."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.language.lexicon import Lexicon
from assistant.messages import Accepted, Ask, Command, Heard, Ignored, Told
from assistant.rules.calls import Accept, Bet, Call, Declare, Ordago, Pass, Raise, Refuse
from assistant.rules.phases import Lance
from assistant.table.asked import ANSWERED_WITHIN
from assistant.table.table import Table
from scripts.lab.rendering.dealing import new_table
from tests.table.sounds import later, sounding, take, words
from tests.tables import each_row


def test_a_legal_call_beats_a_likelier_hypothesis_that_is_no_call(table: Table) -> None:
    (outcome,) = take(table, sounding(sota=0.55, paso=0.45))
    assert isinstance(outcome, Accepted)
    assert isinstance(outcome.call, Pass)


def test_the_same_sounds_are_another_call_at_another_moment(table: Table) -> None:
    heard = sounding(quiero=0.5, envido=0.5)
    (first,) = take(table, heard)
    assert isinstance(first, Ask)
    assert first.options == (Bet(),)
    (bet,) = take(table, sounding(sí=1.0))
    assert isinstance(bet, Accepted)
    (second,) = take(table, heard)
    assert isinstance(second, Ask)
    assert second.options == (Accept(),)


def test_the_probabilities_of_hypotheses_with_the_same_outcome_add_up(table: Table) -> None:
    heard = sounding(envido_cinco=0.4, paso=0.3, yo_paso=0.3)
    (asked,) = take(table, heard)
    assert isinstance(asked, Ask)
    assert asked.options == (Pass(), Bet(stones=5)), "the two add up, so they come first"


def test_too_improbable_a_call_changes_nothing(table: Table, lexicon: Lexicon) -> None:
    faint = lexicon.hearing.floor - 0.05
    before = table.state
    (outcome,) = take(table, sounding(UNK=0.5, sota=0.5 - faint, paso=faint))
    assert isinstance(outcome, Ignored)
    assert outcome.code == "unsure"
    assert table.state == before


def test_an_utterance_is_talk_if_every_hypothesis_is_talk(table: Table) -> None:
    (outcome,) = take(table, sounding(UNK=0.6, sota=0.4))
    assert isinstance(outcome, Ignored)


@pytest.mark.parametrize(
    ("said", "call"), [("paso_de_todo", "paso"), ("quiérele", "envido"), ("qué_dices", "paso")]
)
def test_advice_that_is_likelier_than_a_call_is_advice(table: Table, said: str, call: str) -> None:
    (outcome,) = take(table, sounding(**{said: 0.55, call: 0.45}))
    assert isinstance(outcome, Ignored)
    (outcome,) = take(table, sounding(**{said: 0.05, call: 0.95}))
    assert isinstance(outcome, Accepted)


def test_a_question_can_be_the_likeliest_hypothesis(table: Table) -> None:
    take(table, sounding(envido=1.0))
    (outcome,) = take(table, sounding(cinco=0.9, UNK=0.1))
    assert isinstance(outcome, Ask)
    assert outcome.code == "bare_raise"


def test_an_utterance_without_hypotheses_is_certain(table: Table) -> None:
    (outcome,) = take(table, Heard(words("paso")))
    assert isinstance(outcome, Accepted)


def test_a_faint_ordago_is_asked_about_and_counts_when_it_is_repeated(
    table: Table, lexicon: Lexicon
) -> None:
    faint = sounding(UNK=1 - (lexicon.hearing.dear - 0.05), órdago=lexicon.hearing.dear - 0.05)
    before = table.state
    (asked,) = take(table, faint)
    assert isinstance(asked, Ask)
    assert (asked.code, asked.options) == ("sure_ordago", (Ordago(),))
    assert table.state == before
    (outcome,) = take(table, faint)
    assert isinstance(outcome, Accepted)
    assert outcome.call == Ordago()


def test_a_faint_answer_is_asked_about_and_more_readily_one_to_an_ordago(
    table: Table, lexicon: Lexicon
) -> None:
    sure, dear = lexicon.hearing.sure, lexicon.hearing.dear
    faint = sounding(UNK=1.05 - sure, quiero=sure - 0.05)
    clearer = sounding(UNK=1.05 - dear, quiero=dear - 0.05)
    assert sure < dear - 0.1
    take(table, Heard(words("órdago")))
    # A player who said no and repeats something similar is asked which of the two he means.
    for heard, code in ((faint, "sure_accept"), (clearer, "which_said")):
        (asked,) = take(table, heard)
        assert isinstance(asked, Ask)
        assert asked.code == code
        if code == "sure_accept":
            take(table, later(sounding(no=1.0), 1.0))
    take(table, Heard(words("no quiero")))
    take(table, Heard(words("envido")))
    (asked,) = take(table, faint)
    assert isinstance(asked, Ask)
    assert asked.code == "sure"
    (outcome,) = take(table, later(clearer, 2.0))
    assert isinstance(outcome, Accepted)


@pytest.mark.parametrize("call", ["envido", "quiero", "no quiero", "envido cinco"])
def test_faintly_heard_stones_are_asked_about_and_count_when_repeated(
    table: Table, lexicon: Lexicon, call: str
) -> None:
    sure = lexicon.hearing.sure
    faint = sounding(**{"sota": 1.05 - sure, call.replace(" ", "_"): sure - 0.05})
    if not call.startswith("envido"):
        take(table, Heard(words("envido")))
    before = table.state
    (asked,) = take(table, faint)
    assert isinstance(asked, Ask)
    assert asked.code == "sure"
    assert table.state == before
    (outcome,) = take(table, faint)
    assert isinstance(outcome, Accepted)
    assert (outcome.call,) == asked.options


@each_row(
    "after, said, rival",
    [
        ("", "mus", "no_hay_mus"),
        ("", "no_hay_mus", "mus"),
        ("paso", "paso", "órdago"),
        ("paso", "envido", "paso"),
        ("paso", "órdago", "envido"),
        ("envido", "órdago", "no_quiero"),
        ("envido", "dos_más", "no_quiero"),
    ],
)
def test_a_call_that_a_lost_word_would_reverse_is_asked_about_with_both(
    lexicon: Lexicon, after: str, said: str, rival: str
) -> None:
    table = new_table(lexicon)
    for call in ("no hay mus", after) if after else ():
        take(table, Heard(words(call)))
    (asked,) = take(table, sounding(**{said: 0.7, rival: 0.3}))
    assert isinstance(asked, Ask)
    assert asked.code == "which_said"
    assert len(asked.options) == 2


@pytest.mark.parametrize("pending", [False, True])
def test_a_yes_to_the_question_makes_its_call(
    table: Table, lexicon: Lexicon, pending: bool
) -> None:
    if pending:
        take(table, Heard(words("envido")))
    call = "quiero" if pending else "envido"
    sure = lexicon.hearing.sure
    (asked,) = take(table, sounding(**{"sota": 1.05 - sure, call: sure - 0.05}))
    assert isinstance(asked, Ask)
    (outcome,) = take(table, sounding(sí=0.6, sota=0.4))
    assert isinstance(outcome, Accepted)
    assert (outcome.call,) == asked.options


def test_a_faint_yes_or_a_yes_without_a_question_changes_nothing(
    table: Table, lexicon: Lexicon
) -> None:
    sure = lexicon.hearing.sure
    before = table.state
    take(table, sounding(sí=1.0))
    take(table, sounding(sota=1.05 - sure, envido=sure - 0.05))
    take(table, sounding(sí=0.4, sota=0.6))
    assert table.state == before
    take(table, Heard(words("paso")))
    after = table.state
    take(table, sounding(sí=1.0))
    assert table.state == after


@pytest.mark.parametrize(
    ("after", "said", "rival", "options"),
    [
        ("envido", "quiero", "no_quiero", (Accept(), Refuse())),
        ("envido", "no_quiero", "lo_quiero", (Refuse(), Accept())),
        ("paso", "envido_treinta", "envido_veinte", (Bet(stones=30), Bet(stones=20))),
        ("envido", "cinco_más", "siete_más", (Raise(stones=5), Raise(stones=7))),
    ],
)
def test_a_call_that_may_be_its_opposite_or_have_other_stones_is_asked_about(
    table: Table, lexicon: Lexicon, after: str, said: str, rival: str, options: tuple[Call, ...]
) -> None:
    take(table, Heard(words(after)))
    share = lexicon.hearing.rival / (1 + lexicon.hearing.rival)
    (asked,) = take(table, sounding(**{said: 1 - share - 0.02, rival: share + 0.02}))
    assert isinstance(asked, Ask)
    assert (asked.code, asked.options) == ("which_said", options)
    (again,) = take(table, sounding(**{rival: 0.6, said: 0.4}))
    assert isinstance(again, Accepted)
    assert again.call == options[1]


@pytest.mark.parametrize(("said", "rival"), [("quiero", "no_quiero"), ("no_quiero", "lo_quiero")])
def test_an_answer_whose_opposite_is_improbable_counts_at_once(
    table: Table, lexicon: Lexicon, said: str, rival: str
) -> None:
    take(table, Heard(words("envido")))
    share = lexicon.hearing.rival / (1 + lexicon.hearing.rival)
    (outcome,) = take(table, sounding(**{said: 1 - share + 0.02, rival: share - 0.02}))
    assert isinstance(outcome, Accepted)


def at_pares(table: Table) -> None:
    for _ in range(8):
        take(table, Heard(words("paso")))


@pytest.mark.parametrize(("answer", "holds"), [("sí", True), ("no", False), ("no_tengo", False)])
def test_a_declaration_that_may_be_its_opposite_is_asked_about_and_answered_by_one(
    table: Table, answer: str, holds: bool
) -> None:
    at_pares(table)
    (asked,) = take(table, sounding(tengo=0.7, no_tengo=0.3))
    assert isinstance(asked, Ask)
    assert asked.code == "which_said"
    assert asked.options == (Declare(holds=True), Declare(holds=False))
    (outcome,) = take(table, sounding(**{answer: 1.0}))
    assert isinstance(outcome, Accepted)
    assert outcome.call == Declare(holds=holds)


def test_an_ambiguous_declaration_that_is_repeated_counts_as_the_likelier(table: Table) -> None:
    at_pares(table)
    take(table, sounding(tengo=0.7, no_tengo=0.3))
    (outcome,) = take(table, sounding(tengo=0.3, no_tengo=0.7))
    assert isinstance(outcome, Accepted)
    assert outcome.call == Declare(holds=False)


@pytest.mark.parametrize("call", ["envido", "quiero", "no_quiero"])
def test_a_no_to_the_question_changes_nothing(table: Table, lexicon: Lexicon, call: str) -> None:
    if call != "envido":
        take(table, Heard(words("envido")))
    faint = sounding(**{"sota": 1.05 - lexicon.hearing.sure, call: lexicon.hearing.sure - 0.05})
    take(table, faint)
    before = table.state
    (outcome,) = take(table, sounding(no=0.6, sota=0.4))
    assert isinstance(outcome, Ignored)
    assert table.state == before
    # the "no" was the answer, so a repeated call is asked about again
    (asked,) = take(table, faint)
    assert isinstance(asked, Ask)


def test_a_doubt_is_forgotten_after_a_while(table: Table, lexicon: Lexicon) -> None:
    faint = sounding(sota=1.05 - lexicon.hearing.sure, envido=lexicon.hearing.sure - 0.05)
    take(table, faint)
    before = table.state
    take(table, later(sounding(sí=1.0), ANSWERED_WITHIN + 1))
    assert table.state == before
    (asked,) = take(table, later(faint, ANSWERED_WITHIN + 2))
    assert isinstance(asked, Ask)
    (outcome,) = take(table, later(sounding(sí=1.0), 2 * ANSWERED_WITHIN))
    assert isinstance(outcome, Accepted)


def test_a_yes_right_after_talk_is_talk(table: Table, lexicon: Lexicon) -> None:
    take(table, sounding(sota=1.05 - lexicon.hearing.sure, envido=lexicon.hearing.sure - 0.05))
    before = table.state
    take(table, later(sounding(UNK=1.0), 1.0))
    take(table, later(sounding(sí=1.0), 1.3 + lexicon.hearing.after_talk / 2))
    assert table.state == before
    (outcome,) = take(table, later(sounding(sí=1.0), 4.0))
    assert isinstance(outcome, Accepted)


def test_a_paused_table_takes_no_yes(table: Table, lexicon: Lexicon) -> None:
    take(table, sounding(sota=1.05 - lexicon.hearing.sure, envido=lexicon.hearing.sure - 0.05))
    before = table.state
    table.paused = True
    take(table, sounding(sí=1.0))
    assert table.state == before


def test_a_faint_call_that_moves_no_stones_is_not_asked_about(
    table: Table, lexicon: Lexicon
) -> None:
    faint = lexicon.hearing.sure - 0.05
    (outcome,) = take(table, sounding(paso=faint, sota=1 - faint))
    assert isinstance(outcome, Accepted)


def test_a_very_faint_call_that_moves_no_stones_is_asked_about(
    table: Table, lexicon: Lexicon
) -> None:
    share = lexicon.hearing.faint - 0.02
    before = table.state
    (asked,) = take(table, sounding(paso=share, UNK=share - 0.01, sota=1.01 - 2 * share))
    assert isinstance(asked, Ask)
    assert (asked.code, asked.options) == ("sure", (Pass(),))
    assert table.state == before
    (outcome,) = take(table, sounding(sí=1.0))
    assert isinstance(outcome, Accepted)
    assert isinstance(outcome.call, Pass)


def test_a_call_without_stones_counts_though_the_assistants_voice_cut_it_off(
    table: Table, lexicon: Lexicon
) -> None:
    clear = sounding(paso=lexicon.hearing.faint + 0.3, sota=0.7 - lexicon.hearing.faint)
    (outcome,) = take(table, replace(clear, cut=True))
    assert isinstance(outcome, Accepted)


def test_a_doubt_is_forgotten_once_the_game_has_moved_on(table: Table, lexicon: Lexicon) -> None:
    faint = sounding(UNK=1 - (lexicon.hearing.dear - 0.05), órdago=lexicon.hearing.dear - 0.05)
    take(table, faint)
    take(table, Heard(words("paso")))
    (asked,) = take(table, faint)
    assert isinstance(asked, Ask)


def test_a_clear_ordago_counts_at_once(table: Table, lexicon: Lexicon) -> None:
    (outcome,) = take(
        table, sounding(órdago=lexicon.hearing.dear + 0.05, UNK=0.95 - lexicon.hearing.dear)
    )
    assert isinstance(outcome, Accepted)


def test_a_distant_voice_is_asked_before_it_moves_stones(table: Table) -> None:
    before = table.state
    (asked,) = take(table, replace(sounding(órdago=1.0), distant=True))
    assert isinstance(asked, Ask)
    assert table.state == before


def test_a_distant_voice_is_asked_before_it_undoes_a_call(table: Table) -> None:
    take(table, sounding(envido=1.0))
    before = table.state
    (asked,) = take(table, replace(later(sounding(corrige=1.0), 1.0), distant=True))
    assert isinstance(asked, Ask)
    assert asked.code == "sure_undo"
    assert table.state == before
    (again,) = take(table, replace(later(sounding(rehaz=1.0), 2.0), distant=True))
    assert isinstance(again, Ignored)


def test_a_yes_to_an_ordago_is_as_dear_after_corrige_in_the_same_breath(table: Table) -> None:
    take(table, sounding(órdago=1.0))
    take(table, later(sounding(no_quiero=1.0), 1.0))
    undone, asked = take(table, later(sounding(corrige_quiero=0.7, corrige=0.3), 2.0))
    assert isinstance(undone, Accepted)
    assert isinstance(asked, Ask)
    assert table.state.pending is not None


def test_a_doubtful_pausa_does_not_silence_the_assistant(table: Table) -> None:
    (ignored,) = take(table, sounding(pausa=0.6, UNK=0.4))
    assert isinstance(ignored, Ignored)
    (told,) = take(table, sounding(pausa=0.9, UNK=0.1))
    assert told == Told(Command.PAUSE)


def test_telling_of_a_bet_where_none_is_pending_makes_one(table: Table) -> None:
    (outcome,) = take(table, sounding(van_cinco_a_la_grande=1.0))
    assert isinstance(outcome, Accepted)
    assert outcome.call == Bet(lance=Lance.GRANDE, stones=5)
