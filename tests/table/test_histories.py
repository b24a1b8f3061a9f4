"""Later calls decide what the last ones were; where none fits, the table asks where it stands."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.files.resources import load_lexicon, load_phrases
from assistant.language.lexicon import Lexicon
from assistant.language.phrases import Level
from assistant.messages import (
    Accepted,
    Ask,
    Command,
    Heard,
    Ignored,
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
from assistant.rules import events as e
from assistant.rules.calls import Pass
from assistant.rules.changes import Draft
from assistant.rules.engine import open_game, to_speak
from assistant.rules.history import fold, number
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Profile
from assistant.rules.settle import settle
from assistant.table.runner import describe
from assistant.table.snapshot import LastHeard, snapshot
from assistant.table.table import Table
from tests.table.sounds import later, sounding, take, words
from tests.tables import each_row


class Evening:
    """A table to which things are said one after the other, three seconds apart."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.now = 10.0

    def hear(self, *said: str) -> tuple[Outcome, ...]:
        """Each said clearly; what became of the last."""
        outcomes: tuple[Outcome, ...] = ()
        for text in said:
            outcomes = self.sound({text.replace(" ", "_"): 0.97, "UNK": 0.03})
        return outcomes

    def faint(self, **ways: float) -> tuple[Outcome, ...]:
        return self.sound(ways)

    def sound(self, ways: dict[str, float]) -> tuple[Outcome, ...]:
        self.now += 3.0
        return take(self.table, later(sounding(**ways), self.now))

    def type(self, *said: str) -> None:
        """Nothing is doubtful of what is typed."""
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


# ---- taking another history over ---------------------------------------------------------------


def test_a_faint_quiero_counts_once_a_call_fits_only_if_it_was_said(evening: Evening) -> None:
    evening.hear("envido")
    assert evening.faint(UNK=0.8, quiero=0.2) == (Ignored("noise", "[unk]"),)
    assert evening.table.state.pending is not None
    outcomes = evening.hear("paso a chica")
    assert understood(outcomes) == ["BetAccepted 2"]
    assert evening.stands == (Phase.CHICA, (1,))
    result = evening.table.state.result(Lance.GRANDE)
    assert result is not None
    assert (result.how, result.stones) == ("accepted", 2)


def test_one_corrige_takes_a_takeover_back_whole(evening: Evening) -> None:
    evening.hear("envido")
    evening.faint(UNK=0.8, quiero=0.2)
    before = evening.table.state
    evening.hear("paso a chica")
    evening.hear("corrige")
    assert evening.table.state == before


def test_what_was_taken_for_another_call_is_taken_back(evening: Evening) -> None:
    evening.hear("envido")
    evening.faint(no_queremos=0.8, queremos=0.16, UNK=0.04)
    assert evening.table.state.stones == (1, 0)
    outcomes = evening.hear("cinco más a la grande")  # of the partner of who wants it
    assert understood(outcomes) == ["BetAccepted 2"]
    bet = evening.table.state.pending
    assert bet is not None
    assert (bet.lance, bet.seat, bet.stones) == (Lance.GRANDE, 4, 7)
    assert evening.table.state.stones == (0, 0)


def test_a_call_that_was_replaced_comes_back_with_corrige_and_goes_with_rehacer(
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


def test_a_replaced_call_is_told_wherever_records_are_told(evening: Evening) -> None:
    table = evening.table
    evening.hear("envido")
    evening.faint(no_queremos=0.8, queremos=0.16, UNK=0.04)
    before = table.state
    outcomes = evening.hear("cinco más a la grande")
    phrases = load_phrases("es")
    batch = [r.event for r in table.records if r.batch == table.records[-1].batch]
    said = phrases.say(batch, before, table.state, level=Level.FULL, history=table.records)
    assert said is not None
    assert said.startswith("O quiere dos a la grande.")
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


def test_a_clear_no_quiero_that_legal_calls_follow_is_never_changed(evening: Evening) -> None:
    evening.hear("envido", "no quiero", "no quiero")
    won = evening.table.state.stones
    outcomes = evening.hear("paso", "paso", "paso", "paso", "pares no")
    assert not understood(outcomes)
    assert evening.table.state.stones == won == (1, 0)


def test_a_tap_settles_what_was_heard_before_it(evening: Evening) -> None:
    evening.hear("envido")
    evening.faint(UNK=0.8, quiero=0.2)
    tapped = evening.table.propose(Pressed(Pass(seat=2)))
    evening.table.commit(batches(tapped, evening.table.seq, at=0.0))
    assert not understood(evening.hear("paso a chica"))


@pytest.mark.parametrize(
    "talk", ["mañana llueve UNK", "UNK", "quiérele", "qué llevas", "sí hombre claro"]
)
def test_talk_takes_over_nothing(evening: Evening, talk: str) -> None:
    evening.hear("envido")
    evening.faint(UNK=0.8, quiero=0.2)
    records = list(evening.table.records)
    evening.hear(talk, talk, talk, talk)
    assert evening.table.records == records


def test_no_other_history_accepts_an_ordago_unasked(evening: Evening) -> None:
    evening.faint(órdago=0.97, UNK=0.03)
    evening.faint(UNK=0.75, no_quiero=0.25)
    stones = evening.table.state.stones
    outcomes = evening.hear("paso a chica")
    assert asks(outcomes) == ["sure"]
    assert evening.table.state.stones == stones
    evening.hear("sí")
    assert evening.stands == (Phase.CHICA, (1,))
    assert evening.table.state.stones == (1, 0)


def test_a_no_to_that_question_leaves_everything_as_it_was(evening: Evening) -> None:
    evening.faint(envido_veinte=0.97, UNK=0.03)
    evening.faint(UNK=0.8, quiero=0.2)
    before = evening.table.state
    assert asks(evening.hear("paso a chica")) == ["sure"]
    evening.hear("no")
    assert evening.table.state == before


def test_one_call_that_fits_if_another_was_missed_is_not_enough(evening: Evening) -> None:
    evening.type("paso", "paso", "paso", "paso", "paso", "paso", "paso")
    assert not understood(evening.hear("no tengo"))
    assert evening.stands[0] is Phase.CHICA


def test_two_calls_that_fit_only_if_a_paso_was_missed_show_that_it_was(evening: Evening) -> None:
    evening.type("paso", "paso", "paso", "paso", "paso", "paso", "paso")
    evening.hear("no tengo")
    assert understood(evening.hear("llevo")) == ["Passed 4", "Declared 1"]
    assert evening.table.state.pares == (False, True, None, None)


def test_the_same_words_twice_are_one_player_who_was_not_heard(evening: Evening) -> None:
    evening.type("paso", "paso", "paso", "paso", "paso", "paso", "paso")
    evening.hear("no tengo")
    assert not understood(evening.hear("no tengo"))
    assert evening.table.state.pares == (None,) * 4


# ---- having lost the thread --------------------------------------------------------------------


def lost(evening: Evening) -> tuple[Outcome, ...]:
    """Three calls that fit nowhere: nobody has cut."""
    return evening.hear("quiero", "no hay mus", "quiero")


def test_after_three_clear_calls_that_fit_nowhere_it_says_so(evening: Evening) -> None:
    evening.hear("quiero", "no hay mus")
    assert asks(evening.hear("quiero")) == ["lost"]


def test_it_says_so_once(evening: Evening) -> None:
    lost(evening)
    assert not asks(evening.hear("quiero", "no hay mus", "quiero", "no hay mus"))


def test_a_call_between_that_fits_makes_it_count_anew(evening: Evening) -> None:
    evening.hear("quiero", "no hay mus", "paso")
    assert not asks(evening.hear("quiero"))


def test_bare_yes_and_no_alone_are_talk(evening: Evening) -> None:
    assert not asks(evening.hear("sí", "no", "sí", "no"))


def test_what_is_typed_is_refused_and_no_reason_to_be_lost(evening: Evening) -> None:
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
def test_each_way_of_saying_where_it_stands_leads_there(
    lexicon: Lexicon, before: tuple[str, ...], told: str, phase: Phase, speaks: int
) -> None:
    seats = ("Norte", "Oeste", "Sur", "Este")
    evening = Evening(Table(lexicon, number(open_game(Profile(), seats), 0, at=0.0)))
    evening.type("no hay mus", *before)
    start = evening.table.state
    evening.hear(told)
    assert (evening.table.state.phase, to_speak(evening.table.state)) == (phase, speaks)
    if phase is not Phase.MUS:  # whose beginning opened the game, and is no call to undo
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
def test_a_bet_that_is_told_stands(
    evening: Evening, before: tuple[str, ...], told: str, stones: int
) -> None:
    evening.type(*before)
    evening.hear(told)
    bet = evening.table.state.pending
    assert bet is not None
    assert (bet.lance, bet.stones, bet.ordago) == (Lance.GRANDE, stones, False)


def test_where_a_bet_waits_it_is_asked_whether_it_was_wanted(evening: Evening) -> None:
    evening.type("envido")
    assert asks(evening.hear("estamos en pares")) == ["no_quereis"]


def test_who_has_pares_must_be_told_before_juego_can_be_played(evening: Evening) -> None:
    evening.type(*["paso"] * 8)
    assert asks(evening.hear("estamos en juego")) == ["holders"]
    evening.hear("nadie tiene pares")
    assert evening.table.state.phase is Phase.JUEGO_SAY


def test_who_has_pares_is_told_by_name(lexicon: Lexicon) -> None:
    seats = ("Norte", "Oeste", "Sur", "Este")
    evening = Evening(Table(lexicon, number(open_game(Profile(), seats), 0, at=0.0)))
    evening.type("no hay mus", *["paso"] * 7)
    evening.hear("tienen pares Norte y Este")
    assert evening.table.state.pares == (True, False, False, True)
    assert evening.table.state.phase is Phase.PARES


def test_a_lance_alone_answers_the_question_and_is_nothing_else(evening: Evening) -> None:
    assert isinstance(evening.hear("a la chica")[0], Ignored)
    assert asks(lost(evening)) == ["lost"]
    evening.hear("a la chica")
    assert evening.stands == (Phase.CHICA, ())


def test_who_is_told_where_it_stands_already_says_so(evening: Evening) -> None:
    assert evening.hear("estamos en grande") == (Ignored("noted"),)
    lost(evening)
    assert evening.hear("estamos en grande") == (Told(Command.WHERE),)


def test_a_lance_said_again_after_a_takeover_leaves_nothing_of_either(evening: Evening) -> None:
    evening.hear("envido")
    evening.faint(UNK=0.8, quiero=0.2)
    evening.hear("paso a chica")
    evening.hear("otra vez desde la grande")
    assert evening.stands == (Phase.GRANDE, ())
    assert evening.table.state.pending is None
    evening.hear("corrige")
    assert fold(evening.table.records) == evening.table.state


# ---- whatever is said ---------------------------------------------------------------------------

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
def test_whatever_is_heard_the_records_fold_to_the_table(
    said: list[tuple[str, str, float]],
) -> None:
    opened = open_game(Profile(), ("Norte", "Oeste", "Sur", "Este"))
    table = Table(load_lexicon(), number(opened, 0, 0.0))
    evening = Evening(table)
    for one, other, share in said:
        ways = {one.replace(" ", "_").replace("[unk]", "UNK"): share}
        ways.setdefault(other.replace(" ", "_").replace("[unk]", "UNK"), 1 - share)
        evening.sound(ways)
        assert fold(table.records) == table.state


def test_what_is_understood_are_calls_of_their_own(evening: Evening) -> None:
    evening.hear("envido")
    evening.faint(UNK=0.8, quiero=0.2)
    (outcome,) = evening.hear("paso a chica")
    assert isinstance(outcome, Accepted)
    assert outcome.call == Pass(lance=Lance.CHICA)
    assert isinstance(outcome.understood[0], e.BetAccepted)


def test_in_another_history_nobody_is_told_where_the_deal_stands(evening: Evening) -> None:
    """The records that lead there are not the table's: a way through those is none."""
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
