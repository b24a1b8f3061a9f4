"""Questions and answers as they come at a table: blurred, said twice, or with a call after them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.messages import Accepted, Ask, Command, Heard, Hypothesis, Ignored, Narrowed, Outcome
from assistant.rules import calls as c
from assistant.rules.events import How
from assistant.rules.phases import Lance, Phase
from assistant.table.table import Table
from tests.table.sounds import later, sounding, take
from tests.table.test_answers import TO_PARES, table_at

BET = (c.Cut(seat=1), c.Bet(seat=1, stones=3))
YES_OR_NO = (c.Accept(), c.Refuse())


def calls(outcomes: tuple[Outcome, ...]) -> list[object]:
    return [outcome.call for outcome in outcomes if isinstance(outcome, Accepted)]


def asked(outcomes: tuple[Outcome, ...]) -> tuple[str, tuple[c.Call, ...]]:
    ask = outcomes[-1]
    assert isinstance(ask, Ask), outcomes
    return ask.code, ask.options


def twice(first: dict[str, float], again: dict[str, float], probability: float, at: float) -> Heard:
    """An utterance as it was heard first, and again in a part of it."""
    one, other = later(sounding(**first), at), later(sounding(**again), at)
    second = tuple(Hypothesis(way.words, way.probability) for way in other.hypotheses)
    return replace(one, narrowed=Narrowed(second, 0.0, probability, part=True))


@pytest.fixture
def bet() -> Table:
    """A table where Norte has bet three at grande, and nobody has answered."""
    return table_at("es", *BET)


# ---- An answer to the bet while a raise is in doubt ---------------------------------------------


@pytest.mark.parametrize("number", ["dos_a_grande", "a_la_grande_dos"])
def test_an_answer_after_a_number_with_its_lance_is_one_to_the_bet_at_once(
    bet: Table, number: str
) -> None:
    first = {"queremos_a_grande": 0.8, "diez_más_a_grande": 0.2}
    assert asked(take(bet, twice(first, {number: 1.0}, 0.95, 1)))[0] == "bare_raise"
    (answer,) = calls(take(bet, later(sounding(no_queremos_a_grande=1.0), 5)))
    assert answer == c.Refuse(lance=Lance.GRANDE, plural=True)
    assert bet.state.stones == (1, 0)


def test_an_answer_after_a_doubtful_raise_that_may_have_been_an_answer_is_one_to_the_bet(
    bet: Table,
) -> None:
    first = {"dos_más": 0.55, "vemos": 0.45}
    assert asked(take(bet, later(sounding(**first), 1))) == ("sure", (c.Raise(stones=2),))
    assert calls(take(bet, later(sounding(no_vemos=1.0), 5))) == [c.Refuse(plural=True)]


def test_an_answer_is_one_to_the_bet_where_the_table_has_asked_for_it_before_the_raise(
    bet: Table,
) -> None:
    assert asked(take(bet, later(sounding(lo_veo=0.6, no_veo=0.4), 1))) == ("which_said", YES_OR_NO)
    assert asked(take(bet, later(sounding(y_yo=0.5, UNK=0.5), 5))) == ("sure", (c.Raise(),))
    assert calls(take(bet, later(sounding(no_veo=1.0), 9))) == [c.Refuse()]


def test_a_paso_after_such_a_raise_settles_no_bet(bet: Table) -> None:
    take(bet, later(sounding(lo_veo=0.6, no_veo=0.4), 1))
    question = asked(take(bet, later(sounding(y_yo=0.5, UNK=0.5), 5)))
    assert asked(take(bet, later(sounding(paso=1.0), 9))) == question


def test_an_answer_to_a_raise_in_doubt_is_none_to_a_raise_that_counts_since(
    bet: Table,
) -> None:
    take(bet, later(sounding(lo_veo=0.6, no_veo=0.4), 1))
    take(bet, later(sounding(subo_cinco=1.0), 4))
    question = asked(take(bet, later(sounding(cinco_más=0.6, siete_más=0.4), 8)))
    assert asked(take(bet, later(sounding(no_quiero=1.0), 11))) == question


# ---- A number where a yes or a no is waited for -------------------------------------------------


def test_a_number_in_place_of_a_yes_or_a_no_has_the_question_asked_once_more(bet: Table) -> None:
    question = asked(take(bet, later(sounding(quiero=0.6, no_quiero=0.4), 1)))
    assert question == ("which_said", YES_OR_NO)
    assert asked(take(bet, later(sounding(uno=1.0), 4))) == question
    assert calls(take(bet, later(sounding(no=1.0), 7))) == [c.Refuse()]


def test_a_number_that_is_said_again_is_asked_about_as_a_raise(bet: Table) -> None:
    take(bet, later(sounding(quiero=0.6, no_quiero=0.4), 1))
    take(bet, later(sounding(cinco=1.0), 4))
    assert asked(take(bet, later(sounding(cinco=1.0), 7)))[0] == "bare_raise"


def test_a_raise_in_words_is_a_raise_where_a_yes_or_a_no_is_waited_for(bet: Table) -> None:
    take(bet, later(sounding(quiero=0.6, no_quiero=0.4), 1))
    assert calls(take(bet, later(sounding(cinco_más=1.0), 4))) == [c.Raise(stones=5)]


# ---- "No, corrige" ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer", ["no_corrige", "sí_corrige", "corrige", "no_..._corrige", "no_no_corrige"]
)
def test_corrige_answers_whether_the_last_call_is_undone(bet: Table, answer: str) -> None:
    take(bet, later(sounding(no_quiero=1.0), 1))
    far = replace(later(sounding(corrige=1.0), 3), distant=True)
    assert asked(take(bet, far))[0] == "sure_undo"
    said = replace(later(sounding(**{answer: 1.0}), 6), distant=True)
    assert calls(take(bet, said)) == [Command.UNDO]
    assert bet.state.pending is not None
    assert not bet.state.pending.answered


@pytest.mark.parametrize(
    ("answer", "made"), [("ez_desegin", []), ("ez_zuzendu", []), ("bai_zuzendu", [Command.UNDO])]
)
def test_in_basque_a_no_before_the_same_words_forbids_to_undo(
    answer: str, made: list[Command]
) -> None:
    table = table_at("eu", *BET)
    far = replace(later(sounding(zuzendu=1.0), 1), distant=True)
    assert asked(take(table, far))[0] == "sure_undo"
    assert calls(take(table, later(sounding(**{answer: 1.0}), 4))) == made
    assert table.asked is None


def test_no_corrige_denies_a_call_that_is_asked_about_and_undoes_nothing(bet: Table) -> None:
    before = bet.state
    assert asked(take(bet, later(sounding(quiero=0.5, UNK=0.5), 1)))[0] == "sure"
    said = twice({"no_corrige": 1.0}, {"corrige": 1.0}, 0.9, 4)
    assert take(bet, said) == (Ignored("taken_back", "no corrige"),)
    assert bet.state == before


# ---- The same bet, said again ------------------------------------------------------------------


def test_a_bet_that_was_offered_counts_though_it_sounds_like_one_that_was_not() -> None:
    table = table_at("es", c.Cut(seat=1))
    question = asked(take(table, later(sounding(echo_veinte=0.6, echo_quince=0.4), 1)))
    assert question == ("which_said", (c.Bet(stones=20), c.Bet(stones=15)))
    said = later(sounding(echo_veinte=0.7, echo_treinta=0.3), 5)
    assert calls(take(table, said)) == [c.Bet(stones=20)]


def test_a_bet_that_was_not_offered_is_asked_about() -> None:
    table = table_at("es", c.Cut(seat=1))
    take(table, later(sounding(echo_veinte=0.6, echo_quince=0.4), 1))
    question = asked(take(table, later(sounding(echo_treinta=0.7, echo_veinte=0.3), 5)))
    assert question == ("which_said", (c.Bet(stones=30), c.Bet(stones=20)))


def test_a_great_bet_that_was_offered_is_asked_about_beside_a_usual_one(bet: Table) -> None:
    take(bet, later(sounding(veintidós_más=0.6, doce_más=0.4), 1))
    question = asked(take(bet, later(sounding(veintidós_más=0.9, dos_más=0.1), 5)))
    assert question == ("which_said", (c.Raise(stones=22), c.Raise(stones=2)))


@pytest.mark.parametrize(
    ("before", "first", "again", "stones"),
    [
        (
            (),
            {"veinte_grande": 0.6, "treinta_grande": 0.4},
            {"envido_veinte": 0.6, "envido_treinta": 0.4},
            20,
        ),
        (
            (c.Cut(seat=1),),
            {"echo_seis": 0.6, "echo_diez": 0.4},
            {"seis_a_grande": 0.6, "diez_a_grande": 0.4},
            6,
        ),
    ],
)
def test_a_bet_that_is_said_again_need_not_name_the_lance_that_is_played(
    before: tuple[c.Call, ...], first: dict[str, float], again: dict[str, float], stones: int
) -> None:
    table = table_at("es", *before)
    assert asked(take(table, later(sounding(**first), 1)))[0] == "which_said"
    take(table, later(sounding(**again), 5))
    assert table.state.pending is not None
    assert (table.state.pending.lance, table.state.pending.stones) == (Lance.GRANDE, stones)


def test_a_bet_at_another_lance_is_not_the_one_that_was_asked_about() -> None:
    table = table_at("es", c.Cut(seat=1))
    take(table, later(sounding(seis_a_chica=0.6, diez_a_chica=0.4), 1))
    assert asked(take(table, later(sounding(echo_seis=0.6, echo_diez=0.4), 5)))[0] == "which_said"


# ---- An answer, and the next player's call ------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "made"),
    [
        ("sí_..._paso", [c.Accept(), c.Pass()]),
        ("sí_..._envido_cinco", [c.Accept(), c.Bet(stones=5)]),
        ("no_..._envido_cinco", [c.Refuse(), c.Bet(stones=5)]),
    ],
)
@pytest.mark.parametrize("part", [False, True])
def test_a_call_after_an_answer_is_the_next_players(
    bet: Table, answer: str, made: list[c.Call], part: bool
) -> None:
    assert asked(take(bet, later(sounding(quiero=0.6, no_quiero=0.4), 1)))[0] == "which_said"
    said = later(sounding(**{answer: 1.0}), 5)
    again = Narrowed((Hypothesis(said.words[1:], 1.0),), 0.0, 0.95, part=True)
    assert calls(take(bet, replace(said, narrowed=again) if part else said)) == made
    assert bet.state.phase is Phase.CHICA


def test_a_yes_before_the_next_players_word_answers_what_was_asked_about_a_declaration() -> None:
    table = table_at("es", *TO_PARES)
    faint = Narrowed((Hypothesis(later(sounding(no_tengo=1.0), 1).words, 1.0),), 0.0, 0.55)
    asked_for = replace(later(sounding(UNK=0.7, no_tengo=0.3), 1), narrowed=faint)
    assert asked(take(table, asked_for)) == ("sure", (c.Declare(holds=False),))
    made = calls(take(table, later(sounding(**{"sí_..._tengo": 1.0}), 5)))
    assert made == [c.Declare(holds=False), c.Declare(holds=True)]


@pytest.mark.parametrize("said", ["sí_..._quiero_una_caña", "sí_..._UNK", "sí_y_paso"])
def test_talk_that_begins_like_an_answer_answers_nothing(bet: Table, said: str) -> None:
    take(bet, later(sounding(quiero=0.6, no_quiero=0.4), 1))
    before = bet.state
    take(bet, later(sounding(**{said: 1.0}), 5))
    assert bet.state == before


# ---- A deal -------------------------------------------------------------------------------------


def test_a_deal_with_misheard_answers_comes_to_the_stones_that_were_played_for() -> None:
    table = table_at("es")
    said: list[dict[str, float] | Heard] = [
        {"la_grande_tres": 1.0},
        # "No queremos a grande"
        twice({"queremos_a_grande": 0.8, "diez_más_a_grande": 0.2}, {"dos_a_grande": 1.0}, 0.95, 3),
        {"no_queremos_a_grande": 1.0},
        {"paso": 1.0},
        {"paso": 1.0},
        {"envido": 1.0},
        {"no_quiero": 0.9, "lo_quiero": 0.1},  # "lo quiero"
        replace(later(sounding(corrige=1.0), 21), distant=True),
        {"no_corrige": 0.8, "uno_corrige": 0.2},
        {"lo_quiero": 0.6, "no_quiero": 0.4},
        {"pares_no": 1.0},
    ]
    for place, ways in enumerate(said):
        take(table, ways if isinstance(ways, Heard) else later(sounding(**ways), 3 * place))
    assert table.state.stones == (1, 0)
    chica = table.state.result(Lance.CHICA)
    assert chica is not None
    assert (chica.how, chica.stones) == (How.ACCEPTED, 2)
    assert table.state.pares[0] is False
