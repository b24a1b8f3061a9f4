"""The rules that the voice keeps: amarracos, adentro and the spoken count (R42 to R44)."""

from __future__ import annotations

from dataclasses import replace

from assistant.language.phrases import Level, Phrases
from assistant.rules import calls as c
from tests.language.phrases.aloud import PLAIN, Aloud
from tests.rules.play import Game, cards
from tests.tables import each_row


@each_row(
    "stones, told",
    [
        (0, "a cero"),
        (1, "una piedra"),
        (4, "cuatro piedras"),
        (5, "un amarraco"),
        (18, "tres amarracos y tres"),
        (35, "siete amarracos"),
    ],
)
def test_r42_stones_are_told_in_amarracos_of_five(es: Phrases, stones: int, told: str) -> None:
    assert es.language.score(stones) == told


def adentro(es: Phrases, stones: int, *, said: bool = True) -> str:
    game = Game(replace(PLAIN, adentro=said)).say(c.SetStones(stones=(stones - 1, 0)))
    before = game.cut().say(c.Bet(seat=1)).state
    game.say(c.Refuse(seat=2, plural=True))
    return es.say(game.last, before, game.state) or ""


def test_r43_adentro_is_said_at_five_from_the_target_where_the_house_has_it(es: Phrases) -> None:
    assert adentro(es, 35).endswith("Treinta y cinco a cero, adentro.")
    assert "adentro" not in adentro(es, 34)
    assert "adentro" not in adentro(es, 35, said=False)


@each_row("level", [Level.ESSENTIAL, Level.FULL])
def test_r44_the_count_tells_how_many_and_why_lance_by_lance(es: Phrases, level: Level) -> None:
    table = Aloud(es).to_juego("no no no no").all_pass()
    shown = table.show("RC71", "C765", "7654").voice(cards(4, "SC41"), level)
    assert shown is not None
    full = ("Grande en paso, una para", "hica en paso, una", "unto, una")
    for lance in full if level is Level.FULL else ("grande una", "chica una", "punto una"):
        assert lance in shown
