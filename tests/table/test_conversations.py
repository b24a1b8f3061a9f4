"""Questions and answers as they come at a table: blurred, said twice, or with a call after them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.messages import Accepted, Ask, Command, Heard, Hypothesis, Ignored, Narrowed, Outcome
from assistant.rules import calls as c
from assistant.rules.phases import Lance
from assistant.table.table import Table
from tests.table.sounds import later, sounding, take
from tests.table.test_answers import table_at

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
