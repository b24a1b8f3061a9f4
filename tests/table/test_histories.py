"""Other histories: later calls decide what the last ones were, or the table asks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.files.resources import load_phrases
from assistant.language.lexicon import Lexicon, context_of
from assistant.language.phrases import Level
from assistant.messages import (
    Accepted,
    Ask,
    Command,
    Heard,
    Ignored,
    Narrowed,
    Outcome,
    Pressed,
    Refused,
    Told,
    batches,
)
from assistant.review.chronicle.build import disputes
from assistant.review.mus_record import load_words
from assistant.review.record.build import build
from assistant.review.record.markdown import markdown
from assistant.review.record.sections import Note
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.calls import Pass
from assistant.rules.changes import Draft
from assistant.rules.engine import open_game, to_speak
from assistant.rules.events import How
from assistant.rules.history import fold, number
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Profile
from assistant.rules.settle import settle
from assistant.table.runner import describe
from assistant.table.snapshot import LastHeard, snapshot
from assistant.table.table import Table
from tests.lexicons import spanish
from tests.table.sounds import later, sounding, take, words
from tests.tables import each_row


class Evening:
    """A table that hears one utterance every three seconds."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.now = 10.0

    def hear(self, *said: str) -> tuple[Outcome, ...]:
        """Hear clear utterances; return the outcomes of the last."""
        outcomes: tuple[Outcome, ...] = ()
        for text in said:
            outcomes = self.sound({text.replace(" ", "_"): 0.97, "UNK": 0.03})
        return outcomes

    def faint(self, **ways: float) -> tuple[Outcome, ...]:
        return self.sound(ways)

    def sound(self, ways: dict[str, float]) -> tuple[Outcome, ...]:
        self.now += 3.0
        return take(self.table, later(sounding(**ways), self.now))

    def sound_again(self, first: str, again: str, *, probability: float) -> tuple[Outcome, ...]:
        """Hear what was clear at first, and something else by the moment's grammar."""
        self.now += 3.0
        heard = later(sounding(**{first: 1.0}), self.now)
        ways = later(sounding(**{again.replace(" ", "_"): 1.0}), self.now).hypotheses
        narrowed = Narrowed(ways, 0.0, probability)
        return take(self.table, replace(heard, narrowed=narrowed))

    def type(self, *said: str) -> None:
        """Type calls, which leave no doubt."""
        for text in said:
            take(self.table, Heard(words(text)))

    @property
    def stands(self) -> tuple[Phase, tuple[int, ...]]:
        return self.table.state.phase, self.table.state.spoken


@pytest.fixture
def evening(table: Table) -> Evening:
    return Evening(table)


def understood(outcomes: tuple[Outcome, ...]) -> list[str]:
    return [
        f"{type(event).__name__} {getattr(event, 'seat', None)}"
        for outcome in outcomes
        if isinstance(outcome, Accepted)
        for event in outcome.understood
    ]


def asks(outcomes: tuple[Outcome, ...]) -> list[str]:
    return [outcome.code for outcome in outcomes if isinstance(outcome, Ask)]


# ---- replacing the last calls ------------------------------------------------------------------


def test_a_faint_quiero_counts_once_a_later_call_fits_only_with_it(evening: Evening) -> None:
    evening.hear("envido")
    assert evening.faint(UNK=0.8, quiero=0.2) == (Ignored("noise", "[unk]"),)
    assert evening.table.state.pending is not None
    outcomes = evening.hear("paso a chica")
    assert understood(outcomes) == ["BetAccepted 2"]
    assert evening.stands == (Phase.CHICA, (1,))
    result = evening.table.state.result(Lance.GRANDE)
    assert result is not None
    assert (result.how, result.stones) == ("accepted", 2)


def test_one_corrige_undoes_a_replacement_completely(evening: Evening) -> None:
    evening.hear("envido")
    evening.faint(UNK=0.8, quiero=0.2)
    before = evening.table.state
    evening.hear("paso a chica")
    evening.hear("corrige")
    assert evening.table.state == before


def test_a_misheard_call_is_undone_when_later_calls_fit_only_without_it(evening: Evening) -> None:
    evening.hear("envido")
    evening.faint(no_queremos=0.8, queremos=0.16, UNK=0.04)
    assert evening.table.state.stones == (1, 0)
    outcomes = evening.hear("cinco más a la grande")  # by the partner of the player who accepted
    assert understood(outcomes) == ["BetAccepted 2"]
    bet = evening.table.state.pending
    assert bet is not None
    assert (bet.lance, bet.seat, bet.stones) == (Lance.GRANDE, 4, 7)
    assert evening.table.state.stones == (0, 0)


def test_corrige_restores_a_replaced_call_and_rehacer_replaces_it_again(
    evening: Evening,
) -> None:
    evening.hear("envido")
    evening.faint(no_queremos=0.8, queremos=0.16, UNK=0.04)
    refused = evening.table.state
    evening.hear("cinco más a la grande")
    wanted = evening.table.state
    evening.hear("corrige")
    assert evening.table.state == refused
    evening.hear("rehacer")
    assert evening.table.state == wanted


def test_a_replaced_call_is_shown_wherever_records_are_shown(evening: Evening) -> None:
    table = evening.table
    evening.hear("envido")
    evening.faint(no_queremos=0.8, queremos=0.16, UNK=0.04)
    before = table.state
    outcomes = evening.hear("cinco más a la grande")
    phrases = load_phrases("es")
    batch = [r.event for r in table.records if r.batch == table.records[-1].batch]
    said = phrases.say(batch, before, table.state, level=Level.FULL, history=table.records)
    assert said is not None
    assert said.startswith("O quiere la grande: van dos.")
    assert phrases.answer(outcomes[0], table.state) == "Entiendo: O había querido."
    heard = LastHeard("cinco más a la grande", outcomes)
    shown = snapshot(table.state, table.records, phrases, version=1, heard=heard)
    assert shown["heard"] is not None
    assert shown["heard"]["say"] == "Entiendo: O había querido."
    notes = [Note(0.0, "cinco más", None, *describe(outcomes[0]))]
    told = markdown(build("mesa", table.records, notes, phrases), load_words(), phrases)
    assert "cinco más" in told
    (dispute,) = disputes(table.records)
    assert (dispute.kind, dispute.deal) == ("retracted", 1)


def test_a_clear_no_quiero_followed_by_legal_calls_is_never_replaced(evening: Evening) -> None:
    evening.hear("envido", "no quiero", "no quiero")
    won = evening.table.state.stones
    outcomes = evening.hear("paso", "paso", "paso", "paso", "pares no")
    assert not understood(outcomes)
    assert evening.table.state.stones == won == (1, 0)


def test_a_tap_settles_the_calls_that_were_heard_before_it(evening: Evening) -> None:
    evening.hear("envido")
    evening.faint(UNK=0.8, quiero=0.2)
    tapped = evening.table.propose(Pressed(Pass(seat=2)))
    evening.table.commit(batches(tapped, evening.table.seq, at=0.0))
    assert not understood(evening.hear("paso a chica"))


@pytest.mark.parametrize(
    "talk", ["mañana llueve UNK", "UNK", "quiérele", "qué llevas", "sí hombre claro"]
)
def test_talk_replaces_no_call(evening: Evening, talk: str) -> None:
    evening.hear("envido")
    evening.faint(UNK=0.8, quiero=0.2)
    records = list(evening.table.records)
    evening.hear(talk, talk, talk, talk)
    assert evening.table.records == records


def test_an_envido_after_a_question_that_nobody_answered_is_the_next_lances(
    evening: Evening,
) -> None:
    evening.hear("envido")
    asked = evening.faint(quiero_paso=0.82, no_quiero_paso=0.17)
    assert asks(asked) == ["which_said"]
    assert asks(evening.hear("paso")) == ["which_said"]  # it may be the answer
    outcomes = evening.hear("envido")
    assert understood(outcomes) == ["BetAccepted 2", "Passed 1", "Passed 2"]
    bet = evening.table.state.pending
    assert bet is not None
    assert bet.lance is Lance.CHICA
    evening.hear("no quiero")  # refuses that bet, and does not answer the question
    result = evening.table.state.result(Lance.GRANDE)
    assert result is not None
    assert (result.how, result.stones) == ("accepted", 2)


def test_an_envido_after_a_doubt_that_is_nearly_even_is_asked_about(evening: Evening) -> None:
    evening.hear("envido")
    evening.faint(quiero_paso=0.55, no_quiero_paso=0.45)
    evening.hear("paso")
    assert asks(evening.hear("envido")) == ["bare_raise"]


def test_a_clear_call_that_was_asked_about_counts_where_its_answer_follows(
    evening: Evening,
) -> None:
    evening.hear("paso")
    said = evening.sound_again("envido", "chica envido", probability=0.64)
    assert asks(said) == ["sure"]
    outcomes = evening.hear("no quiero")
    assert understood(outcomes) == ["BetMade 2"]


def test_another_history_with_an_accepted_ordago_is_asked_about(evening: Evening) -> None:
    evening.faint(órdago=0.97, UNK=0.03)
    evening.faint(UNK=0.75, no_quiero=0.25)
    stones = evening.table.state.stones
    outcomes = evening.hear("paso a chica")
    assert asks(outcomes) == ["sure"]
    assert evening.table.state.stones == stones
    evening.hear("sí")
    assert evening.stands == (Phase.CHICA, (1,))
    assert evening.table.state.stones == (1, 0)


def test_no_to_that_question_changes_nothing(evening: Evening) -> None:
    evening.faint(envido_veinte=0.97, UNK=0.03)
    evening.faint(UNK=0.8, quiero=0.2)
    before = evening.table.state
    assert asks(evening.hear("paso a chica")) == ["sure"]
    evening.hear("no")
    assert evening.table.state == before


def test_one_call_that_fits_only_with_a_missed_one_is_not_enough(evening: Evening) -> None:
    evening.type("paso", "paso", "paso", "paso", "paso", "paso", "paso")
    assert not understood(evening.hear("no tengo"))
    assert evening.stands[0] is Phase.CHICA


def test_two_calls_that_fit_only_with_a_missed_paso_imply_it(evening: Evening) -> None:
    evening.type("paso", "paso", "paso", "paso", "paso", "paso", "paso")
    evening.hear("no tengo")
    assert understood(evening.hear("llevo")) == ["Passed 4", "Declared 1"]
    assert evening.table.state.pares == (False, True, None, None)


def test_the_same_words_twice_mean_that_one_player_was_not_heard(evening: Evening) -> None:
    evening.type("paso", "paso", "paso", "paso", "paso", "paso", "paso")
    evening.hear("no tengo")
    assert not understood(evening.hear("no tengo"))
    assert evening.table.state.pares == (None,) * 4


# ---- losing the thread -------------------------------------------------------------------------


def test_several_calls_that_are_not_understood_are_asked_for_once(evening: Evening) -> None:
    evening.type("no hay mus")
    assert asks(evening.faint(UNK_paso_UNK_envido_tres=1.0)) == ["unheard"]
    assert not asks(evening.faint(UNK_paso_UNK_envido_tres=1.0)), "the question is still open"
    evening.now += 60.0
    assert asks(evening.faint(UNK_paso=1.0)) == []
    assert asks(evening.faint(UNK_envido_tres=1.0)) == ["unheard"]


@each_row("mark", ["distant", "noisy"])
def test_calls_from_behind_the_table_or_under_noise_are_not_asked_for(
    evening: Evening, mark: str
) -> None:
    evening.type("no hay mus")
    evening.now += 3.0
    heard = later(sounding(UNK_paso_UNK_envido_tres=1.0), evening.now)
    behind = replace(heard, distant=mark == "distant", noisy=mark == "noisy")
    assert not asks(take(evening.table, behind))


def test_calls_amid_other_words_are_chat_and_not_asked_for(evening: Evening) -> None:
    evening.type("no hay mus")
    assert not asks(evening.faint(UNK_paso_dos_sotas_y_ases_UNK_envido_tres=1.0))


def test_an_answer_is_no_call_that_was_not_understood(evening: Evening) -> None:
    evening.type("no hay mus")
    assert asks(evening.faint(envido=0.5, sota=0.5)) == ["sure"]
    assert evening.hear("no") == (Ignored("taken_back", "no"),)
    assert not asks(evening.faint(UNK_envido_tres=1.0))


def test_calls_after_the_part_that_counts_are_asked_for(evening: Evening) -> None:
    evening.type("no hay mus")
    said = later(sounding(paso_UNK_envido_UNK_no_quiero=1.0), 10.0)
    (way,) = later(sounding(paso=1.0), 10.0).hypotheses
    part = replace(said, narrowed=Narrowed((way,), 0.0, 0.95, part=True))
    passed, asked = take(evening.table, part)
    assert isinstance(passed, Accepted)
    assert asks((asked,)) == ["unheard"]
    assert evening.stands == (Phase.GRANDE, (1,))


def test_a_call_that_is_understood_makes_up_for_those_that_were_not(evening: Evening) -> None:
    evening.type("no hay mus")
    assert not asks(evening.faint(UNK_paso=1.0))
    assert isinstance(evening.hear("paso")[0], Accepted)
    assert not asks(evening.faint(UNK_envido_tres=1.0))


@each_row(
    "said, calls",
    [
        ("paso yo UNK envido cinco", 2), ("no llevo tampoco UNK no llevo", 3), ("diez cartas", 0),
        ("órdago quiero", 2), ("corrige cuántas van", 0), ("UNK", 0),
    ],
)  # fmt: skip
def test_calls_among_other_words_are_counted(table: Table, said: str, calls: int) -> None:
    heard = words(said.replace("UNK", "[unk]"))
    assert table.lexicon.calls_among(heard, context_of(table.state)) == calls


def lost(evening: Evening) -> tuple[Outcome, ...]:
    """Three calls that fit nowhere, because nobody has cut."""
    return evening.hear("quiero", "no hay mus", "quiero")


def test_after_three_clear_calls_that_fit_nowhere_the_table_says_that_it_is_lost(
    evening: Evening,
) -> None:
    evening.hear("quiero", "no hay mus")
    assert asks(evening.hear("quiero")) == ["lost"]


def test_the_table_says_only_once_that_it_is_lost(evening: Evening) -> None:
    lost(evening)
    assert not asks(evening.hear("quiero", "no hay mus", "quiero", "no hay mus"))


def test_a_call_that_fits_restarts_the_count_of_misfits(evening: Evening) -> None:
    evening.hear("quiero", "no hay mus", "paso")
    assert not asks(evening.hear("quiero"))


def test_bare_yes_and_no_are_talk_and_no_misfits(evening: Evening) -> None:
    assert not asks(evening.hear("sí", "no", "sí", "no"))


def test_refused_typed_calls_are_no_misfits(evening: Evening) -> None:
    for _ in range(5):
        (outcome,) = take(evening.table, Heard(words("quiero")))
        assert not isinstance(outcome, Ask)


@each_row(
    "before, told, phase, speaks",
    [
        ((), "estamos en grande", Phase.GRANDE, 1),
        ((), "estamos a la chica", Phase.CHICA, 1),
        (("paso", "paso"), "estamos en pares", Phase.PARES_SAY, 1),
        (("paso",), "vamos a la chica", Phase.CHICA, 1),
        (("paso",), "habla Este", Phase.GRANDE, 4),
        (("paso",), "le toca a Sur", Phase.GRANDE, 3),
        (("paso", "paso", "paso"), "habla Oeste", Phase.GRANDE, 2),
        (("paso",), "estamos en mus", Phase.MUS, 1),
        (("paso", "paso"), "nadie tiene pares", Phase.JUEGO_SAY, 1),
        (("paso", "paso"), "todos tienen pares", Phase.PARES, 1),
        (("paso",) * 6, "otra vez desde la chica", Phase.CHICA, 1),
        (("paso",) * 6, "otra vez desde la grande", Phase.GRANDE, 1),
        (("paso",) * 6, "estamos a grande", Phase.GRANDE, 1),
    ],
)
def test_each_wording_of_where_the_deal_stands_leads_there(
    lexicon: Lexicon, before: tuple[str, ...], told: str, phase: Phase, speaks: int
) -> None:
    seats = ("Norte", "Oeste", "Sur", "Este")
    evening = Evening(Table(lexicon, number(open_game(Profile(), seats), 0, at=0.0)))
    evening.type("no hay mus", *before)
    start = evening.table.state
    evening.hear(told)
    assert (evening.table.state.phase, to_speak(evening.table.state)) == (phase, speaks)
    if phase is not Phase.MUS:  # the mus begins the game, so there is no call to undo
        evening.hear("corrige")
        assert evening.table.state == start or told == "estamos en grande"


@pytest.mark.parametrize(
    ("before", "told", "stones"),
    [
        ((), "hay cuatro a la grande", 4),
        (("paso", "paso"), "hay cinco a la grande", 5),
        (("envido",), "hay seis a la grande", 6),
        (("órdago",), "hay tres a la grande", 3),
        (("paso",) * 5, "hay cuatro a la grande", 4),
    ],
)
def test_a_bet_that_the_table_tells_of_is_pending(
    evening: Evening, before: tuple[str, ...], told: str, stones: int
) -> None:
    evening.type(*before)
    evening.hear(told)
    bet = evening.table.state.pending
    assert bet is not None
    assert (bet.lance, bet.stones, bet.ordago) == (Lance.GRANDE, stones, False)


def test_the_table_asks_whether_a_pending_bet_was_accepted(evening: Evening) -> None:
    evening.type("envido")
    assert asks(evening.hear("estamos en pares")) == ["no_quereis"]


def test_a_call_of_the_next_lance_counts_once_it_is_said_that_the_bet_is_refused(
    evening: Evening,
) -> None:
    evening.type("envido cinco")
    assert asks(evening.hear("a chica envido dos")) == ["no_quereis"]
    evening.hear("no")
    bet = evening.table.state.pending
    assert bet is not None
    assert (bet.lance, bet.stones) == (Lance.CHICA, 2)
    assert evening.table.state.stones == (1, 0)
    seq = evening.table.seq
    evening.hear("a chica envido dos")  # said again, it is the same bet
    assert evening.table.seq == seq
    evening.hear("dos más")
    assert evening.table.state.pending
    assert evening.table.state.pending.stones == 4


def test_an_ordago_at_the_next_lance_counts_once_it_is_said_that_the_bet_is_accepted(
    evening: Evening,
) -> None:
    evening.type("envido", "órdago a la chica")
    evening.type("quiero")
    bet = evening.table.state.pending
    assert bet is not None
    assert (bet.lance, bet.ordago) == (Lance.CHICA, True)
    grande = evening.table.state.result(Lance.GRANDE)
    assert grande is not None
    assert grande.how is How.ACCEPTED


def test_where_the_deal_stands_counts_once_the_bet_is_answered_by_a_tap(evening: Evening) -> None:
    evening.type("envido")
    evening.hear("estamos en pares")
    take(evening.table, Pressed(c.Refuse(plural=True)))
    assert evening.table.state.phase is Phase.PARES_SAY
    assert evening.table.state.stones == (1, 0)


def test_a_call_does_not_wait_for_the_partner_of_one_who_refuses_for_himself(
    evening: Evening,
) -> None:
    evening.type("envido")
    evening.hear("a chica envido dos")
    take(evening.table, Pressed(c.Refuse(seat=2)))
    bet = evening.table.state.pending
    assert bet is not None
    assert bet.lance is Lance.GRANDE


def test_a_number_alone_after_one_of_a_pair_has_refused_is_asked_about(evening: Evening) -> None:
    """His partner may raise by so many (R22, R35), or somebody bets them at chica."""
    evening.type("envido", "no quiero")
    for _ in range(2):  # said again, it is no clearer
        (asked,) = evening.hear("cinco")
        assert isinstance(asked, Ask)
        assert asked.options == (c.Raise(stones=5), c.Bet(stones=5, lance=Lance.CHICA))
        assert load_phrases("es").answer(asked, evening.table.state) == (
            "¿5 más, o envido 5 a la chica?"
        )
    assert evening.table.state.stones == (0, 0)
    assert asks(evening.hear("quiero")) == ["which_said"]  # it may answer what was asked about
    evening.hear("cinco más")
    bet = evening.table.state.pending
    assert bet is not None
    assert (bet.lance, bet.stones, bet.seat) == (Lance.GRANDE, 7, 4)


def test_quiero_answers_whether_it_was_quiero(evening: Evening) -> None:
    evening.type("envido")
    asked = evening.faint(quiero=0.6, no_quiero=0.4)
    assert asks(asked) == ["which_said"]
    evening.hear("quiero")
    grande = evening.table.state.result(Lance.GRANDE)
    assert grande is not None
    assert (grande.how, grande.stones) == (How.ACCEPTED, 2)


def test_envido_with_a_number_after_one_of_a_pair_has_refused_opens_the_next_lance(
    evening: Evening,
) -> None:
    evening.type("envido", "no quiero")
    evening.hear("envido cinco")
    bet = evening.table.state.pending
    assert bet is not None
    assert (bet.lance, bet.stones) == (Lance.CHICA, 5)


def test_a_bet_that_nobody_heard_is_asked_about_and_then_counts(evening: Evening) -> None:
    evening.type(*["paso"] * 4)
    asked = evening.hear("la grande eran cinco")
    assert asks(asked) == ["sure"]
    assert load_phrases("es").answer(asked[0], evening.table.state) == (
        "¿Has dicho «Grande: eran 5»?"
    )
    evening.hear("sí")
    grande = evening.table.state.result(Lance.GRANDE)
    assert grande is not None
    assert (grande.how, grande.stones) == (How.ACCEPTED, 5)
    seq = evening.table.seq
    assert evening.hear("la grande eran cinco") == (Ignored("noted"),)
    assert evening.table.seq == seq


def test_a_bet_that_nobody_heard_counts_at_once_if_it_is_typed(evening: Evening) -> None:
    evening.type(*["paso"] * 4, "corrige la grande eran cinco")
    grande = evening.table.state.result(Lance.GRANDE)
    assert grande is not None
    assert (grande.how, grande.stones) == (How.ACCEPTED, 5)


@pytest.mark.parametrize(("stones", "asked"), [("treinta", ["sure"]), ("cinco", [])])
def test_a_great_bet_with_unknown_speech_in_its_breath_is_asked_about(
    evening: Evening, stones: str, asked: list[str]
) -> None:
    """Behind the table somebody says "treinta" of anything."""
    heard = evening.sound_again(f"a_la_UNK_{stones}", f"a la grande {stones}", probability=0.95)
    assert asks(heard) == asked
    assert (evening.table.state.pending is None) is bool(asked)


def test_whether_a_yes_accepts_the_bet_is_asked_once(evening: Evening) -> None:
    evening.type("envido")
    assert asks(evening.hear("sí")) == ["sure"]
    assert evening.hear("no") == (Ignored("taken_back", "no"),)
    assert asks(evening.hear("sí")) == []
    bet = evening.table.state.pending
    assert bet is not None
    evening.type("dos más")
    assert asks(evening.hear("sí")) == ["sure"]
    evening.hear("sí")
    grande = evening.table.state.result(Lance.GRANDE)
    assert grande is not None
    assert (grande.how, grande.stones) == (How.ACCEPTED, 4)


def test_a_yes_never_accepts_an_ordago_unasked(evening: Evening) -> None:
    evening.type("órdago")
    assert asks(evening.hear("sí")) == ["sure_accept"]
    assert evening.table.state.pending
    assert asks(evening.faint(sí=0.5, UNK=0.5)) == []


def test_the_holders_of_pares_must_be_told_before_juego(evening: Evening) -> None:
    evening.type(*["paso"] * 8)
    assert asks(evening.hear("estamos en juego")) == ["holders"]
    evening.hear("nadie tiene pares")
    assert evening.table.state.phase is Phase.JUEGO_SAY


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("Oeste", (True, True, False, False)),
        ("Oeste y Este", (True, True, False, True)),
        ("nadie más", (True, False, False, False)),
        ("todos", (True, True, True, True)),
    ],
)
def test_who_else_has_pares_is_told_by_a_name_alone(answer: str, holds: tuple[bool, ...]) -> None:
    """Norte has said so already. Then juego counts, which was told of."""
    opened = open_game(Profile(), ("Norte", "Oeste", "Sur", "Este"))
    evening = Evening(Table(spanish(), number(opened, 0, at=0.0)))
    evening.type("no hay mus", *["paso"] * 8, "pares sí")
    assert asks(evening.hear("estamos en juego")) == ["holders"]
    evening.hear(answer)
    assert evening.table.state.pares == holds
    assert evening.table.state.phase is Phase.JUEGO_SAY


@pytest.mark.parametrize(
    ("declared", "holds"),
    [
        (("pares no", "pares no"), (False, False, True, True)),  # the two who have not spoken
        (("pares no", "pares no", "pares sí"), (False, False, True, True)),
        (("pares sí", "pares no", "pares no"), (True, False, False, True)),
        ((), None),  # the two of either side
        (("pares no",), None),
        (("pares sí", "pares no"), None),  # the rest, or Norte and Sur
        (("pares sí", "pares sí"), None),
    ],
)
def test_both_have_pares_only_where_just_two_can(
    declared: tuple[str, ...], holds: tuple[bool, ...] | None
) -> None:
    opened = open_game(Profile(), ("Norte", "Oeste", "Sur", "Este"))
    evening = Evening(Table(spanish(), number(opened, 0, at=0.0)))
    evening.type("no hay mus", *["paso"] * 8, *declared)
    assert asks(evening.hear("estamos en juego")) == ["holders"]
    before = evening.table.state
    evening.hear("los dos")
    if holds is None:
        assert evening.table.state == before
        assert evening.table.asked
        evening.hear("todos")  # the question is still open
        assert evening.table.state.phase is Phase.JUEGO_SAY
        return
    assert evening.table.state.pares == holds
    assert evening.table.state.phase is Phase.JUEGO_SAY


def test_the_holders_of_pares_are_told_by_name(lexicon: Lexicon) -> None:
    seats = ("Norte", "Oeste", "Sur", "Este")
    evening = Evening(Table(lexicon, number(open_game(Profile(), seats), 0, at=0.0)))
    evening.type("no hay mus", *["paso"] * 7)
    evening.hear("tienen pares Norte y Este")
    assert evening.table.state.pares == (True, False, False, True)
    assert evening.table.state.phase is Phase.PARES


def test_a_bare_lance_is_an_answer_only_when_the_table_has_asked(evening: Evening) -> None:
    assert isinstance(evening.hear("a la chica")[0], Ignored)
    assert asks(lost(evening)) == ["lost"]
    evening.hear("a la chica")
    assert evening.stands == (Phase.CHICA, ())


def test_telling_the_present_place_is_confirmed_only_when_the_table_is_lost(
    evening: Evening,
) -> None:
    assert evening.hear("estamos en grande") == (Ignored("noted"),)
    lost(evening)
    assert evening.hear("estamos en grande") == (Told(Command.WHERE),)


def test_replaying_a_lance_after_a_replacement_removes_both(evening: Evening) -> None:
    evening.hear("envido")
    evening.faint(UNK=0.8, quiero=0.2)
    evening.hear("paso a chica")
    evening.hear("otra vez desde la grande")
    assert evening.stands == (Phase.GRANDE, ())
    assert evening.table.state.pending is None
    evening.hear("corrige")
    assert fold(evening.table.records) == evening.table.state


# ---- any utterances ----------------------------------------------------------------------------

SAID = (
    "mus", "no hay mus", "paso", "envido", "envido cinco", "quiero", "no quiero", "órdago", "sí",
    "no", "pares sí", "pares no", "juego sí", "juego no", "no tengo", "cinco más", "corrige",
    "rehacer", "estamos en pares", "estamos a chica", "hay cuatro a la grande", "habla mano",
    "nadie tiene pares", "otra vez desde la chica", "paso a chica", "a la grande", "[unk]",
    "nadie lleva juego", "estamos en mus", "hay tres a pares", "todos tienen juego",
)  # fmt: skip
UTTERANCES = st.lists(
    st.tuples(st.sampled_from(SAID), st.sampled_from(SAID), st.floats(0.05, 0.95)), max_size=30
)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(UTTERANCES)
def test_after_any_utterances_the_records_fold_to_the_table(
    said: list[tuple[str, str, float]],
) -> None:
    opened = open_game(Profile(), ("Norte", "Oeste", "Sur", "Este"))
    table = Table(spanish(), number(opened, 0, 0.0))
    evening = Evening(table)
    for one, other, share in said:
        ways = {one.replace(" ", "_").replace("[unk]", "UNK"): share}
        ways.setdefault(other.replace(" ", "_").replace("[unk]", "UNK"), 1 - share)
        evening.sound(ways)
        assert fold(table.records) == table.state


def test_the_understood_events_are_told_apart_from_the_call(evening: Evening) -> None:
    evening.hear("envido")
    evening.faint(UNK=0.8, quiero=0.2)
    (outcome,) = evening.hear("paso a chica")
    assert isinstance(outcome, Accepted)
    assert outcome.call == Pass(lance=Lance.CHICA)
    assert isinstance(outcome.understood[0], e.BetAccepted)


def test_another_history_never_places_the_deal_or_undoes_a_call(evening: Evening) -> None:
    """Its records are not the table's, so a place or an undo target in them would be wrong."""
    evening.type("no hay mus", *["paso"] * 8)
    assert evening.table.state.phase is Phase.PARES_SAY
    draft = Draft(evening.table.state)
    for seat in (1, 2, 3, 4):
        draft.emit(e.Declared(seat, Lance.PARES, holds=False))
    settle(draft)
    assert draft.state.phase is Phase.JUEGO_SAY
    for text in ("tengo juego ... estamos en juego", "tengo juego ... corrige"):
        ways = evening.table.ways(sounding(**{text.replace(" ", "_"): 1.0}), draft.state)
        kinds = [type(one) for outcomes in ways for one in outcomes]
        assert kinds == [Accepted, Refused], text
