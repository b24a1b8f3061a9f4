"""The ear knows the names of the players at its table and no others; espeak-ng speaks them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from assistant.ear import Recogniser
from assistant.ear.audio import RATE
from assistant.ear.hearing import attend, vocabulary_of
from assistant.ear.source import BLOCK, Block
from assistant.files.resources import load_lexicon
from assistant.messages import Accepted, Heard, Outcome, Pressed
from assistant.rules import calls as c
from assistant.rules.cards import parse_hand
from assistant.rules.engine import open_game
from assistant.rules.events import Irregularity
from assistant.rules.history import number
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile
from assistant.table.table import Table
from tests.ear.conftest import Say, model_dir, say
from tests.table.sounds import take, words
from tests.table.test_answers import BET_AND_SHOWN, handle

__all__ = ["model_dir", "say"]

TABLES = [
    ("Norte", "Oeste", "Sur", "Este"),
    ("Maite", "Patxi", "Begoña", "Nacho"),
    ("Jose Luis", "Chus", "Itziar", "Manolo"),
    ("Jordi", "Iñaki", "Carmen", "Xabier"),
]


def table_of(seats: Sequence[str], *calls: c.Call, mano: int | None = 1) -> Table:
    table = Table(load_lexicon(), number(open_game(Profile(), tuple(seats), mano), 0, at=0.0))
    for call in calls:
        handle(table, Pressed(call))
    return table


def said_at(
    table: Table, say: Say, model_dir: Path, text: str, start_at: float = 0.0
) -> tuple[Outcome, ...]:
    """The outcomes of a text that is spoken at a table, so many seconds after it began."""
    ear = Recogniser(model_dir, table.lexicon.whole_grammar(table.state.seats))
    attend(ear, table.lexicon, lambda: table.state, lambda: table.question)
    sound, results = say(0.5, text, 0.9), []
    for start in range(0, len(sound), BLOCK):
        samples = sound[start : start + BLOCK]
        results += ear.feed(Block(samples, start_at + (start + len(samples)) / RATE))
    heard = [one for one in [*results, *ear.flush()] if isinstance(one, Heard)]
    return tuple(outcome for one in heard for outcome in take(table, one))


def call_in(outcomes: Sequence[Outcome]) -> object:
    return next((one.call for one in outcomes if isinstance(one, Accepted)), outcomes)


@pytest.mark.slow
@pytest.mark.parametrize("seats", TABLES, ids=lambda seats: seats[0])
@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_a_player_is_known_by_name(
    say: Say, model_dir: Path, seats: tuple[str, ...], seat: int
) -> None:
    name, side = seats[seat - 1], "AB"[(seat - 1) % 2]
    table = table_of(seats, *BET_AND_SHOWN)
    claimed = call_in(said_at(table, say, model_dir, f"la grande para {name}"))
    assert claimed == c.ClaimLance(lance=Lance.GRANDE, side=side)
    table = table_of(seats, *BET_AND_SHOWN)
    shown = call_in(said_at(table, say, model_dir, f"{name}, rey rey caballo as"))
    assert shown == c.ShowHand(seat=seat, cards=parse_hand("R R C 1"))
    table = table_of(seats)
    told = call_in(said_at(table, say, model_dir, f"{name} tiene cinco cartas"))
    assert told == c.Report(kind=Irregularity.CARD_COUNT, player=seat, cards=5)
    table = table_of(seats, mano=None)
    outcomes = said_at(table, say, model_dir, f"es mano {name}")
    if name in ("Oeste", "Este") and table.asked == "which_said":  # "mano Oeste", "mano Este"
        outcomes = said_at(table, say, model_dir, name, start_at=5.0)
    assert call_in(outcomes) == c.NextDeal(mano=seat)


@pytest.mark.slow
def test_partners_are_known_by_both_names(say: Say, model_dir: Path) -> None:
    table = table_of(TABLES[1], *BET_AND_SHOWN)
    claimed = call_in(said_at(table, say, model_dir, "la chica para Patxi y Nacho"))
    assert claimed == c.ClaimLance(lance=Lance.CHICA, side="B")


@pytest.mark.parametrize("text", ["la chica para norte y sur", "la chica para norte sur"])
def test_partners_are_known_where_the_y_between_them_is_lost(text: str) -> None:
    table = table_of(TABLES[0], *BET_AND_SHOWN)
    claimed = call_in(take(table, Heard(words(text))))
    assert claimed == c.ClaimLance(lance=Lance.CHICA, side="A")


@pytest.mark.parametrize("text", ["la chica para norte y este", "la chica para norte este"])
def test_players_of_two_sides_are_no_side(text: str) -> None:
    table = table_of(TABLES[0], *BET_AND_SHOWN)
    assert not isinstance(call_in(take(table, Heard(words(text)))), c.ClaimLance)


def test_a_name_that_the_model_lacks_is_reported(model_dir: Path) -> None:
    known = vocabulary_of(model_dir, load_lexicon(), TABLES[1])
    assert not known.unheard
    lacking = vocabulary_of(model_dir, load_lexicon(), ("Maite", "Patxi", "Xzqy", "Nacho"))
    assert lacking.silent == ("xzqy",)
    assert lacking.unheard
    assert all("xzqy" in phrase.split() for phrase in lacking.unheard)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "stones"),
    [
        ("envido diez y ocho", 18),
        ("envido diez y seis", 16),
        ("veinte y uno", 21),
        ("veinte ocho", 28),
        ("envido treinta uno", 31),
    ],
)
def test_a_number_in_several_words_is_heard(
    say: Say, model_dir: Path, said: str, stones: int
) -> None:
    table = table_of(TABLES[0], c.Cut(seat=1))
    assert call_in(said_at(table, say, model_dir, said)) == c.Bet(stones=stones)


@pytest.mark.slow
def test_cero_moves_no_stone(say: Say, model_dir: Path) -> None:
    table = table_of(TABLES[0], c.Cut(seat=1), c.Bet(seat=1))
    before = table.state
    said_at(table, say, model_dir, "cero")
    assert table.state == before
