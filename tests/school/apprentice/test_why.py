"""Why a lance went as it did: a refused bet's stones at the count, and lances left uncounted."""

from __future__ import annotations

from assistant.rules.phases import Lance, Phase
from assistant.school.apprentice.page import load_tongue
from tests.rules.play import Game, envido, no_queremos, ordago, quiero
from tests.rules.tables import Table
from tests.school.apprentice.tables import LANGUAGES, view_of
from tests.tables import each_row

PARES = ("R R 5 4", "7 7 4 6", "S S 1 4", "R C 5 4")
"""Norte's and Sur's parejas are worth two stones, Oeste's lower one brings nothing."""


def why(game: Game, lance: Lance, language: str = "es") -> str:
    view = view_of(game, 1, tongue=load_tongue(language, language))
    return {one["lance"]: one["text"] for one in view["why"]}[lance]


def pares_refused(bettor: int, rival: int, stones: tuple[int, ...] | None = None) -> Table:
    game = Table(stones=stones)
    game.cut().all_pass(2).declare("sí sí sí no").say(envido(bettor), no_queremos(rival))
    game.declare("no no no no").all_pass()
    return game


def test_r28_refused_pares_are_explained_with_the_stones_of_the_bettors_own_hands() -> None:
    game = pares_refused(1, 2)
    told = "Además, al contar, son para Norte y Sur las piedras de sus propios pares"
    assert told in why(game, Lance.PARES)
    assert not why(game, Lance.PARES).endswith("piedras para Norte y Sur.")  # nobody has seen them
    game.show_asked(*PARES)
    assert why(game, Lance.PARES).startswith("Nadie quiso el primer envite: 1 piedra para Norte y")
    assert told in why(game, Lance.PARES)
    assert why(game, Lance.PARES).endswith("2 piedras para Norte y Sur.")


def test_r28_refused_pares_bring_a_lower_hands_stones_too_and_the_explanation_says_so() -> None:
    game = pares_refused(2, 1)
    game.show_asked(*PARES)
    assert "aunque los de enfrente sean mejores. 1 piedra para Oeste y Este." in why(
        game, Lance.PARES
    )


def test_r28_refused_juego_is_explained_with_the_stones_of_the_bettors_own_hands() -> None:
    game = Table().to_lance(Lance.JUEGO, "sí sí no no")
    game.say(envido(1), no_queremos(2))
    game.show_asked("R C 7 4", "R C S 1", "7 6 5 4", "7 6 5 4")
    assert "las piedras de su propio juego" in why(game, Lance.JUEGO)
    assert why(game, Lance.JUEGO).endswith("3 piedras para Norte y Sur.")


def test_r29_refused_punto_is_explained_with_the_stone_of_the_count() -> None:
    game = Table().to_lance(Lance.PUNTO).say(envido(1), no_queremos(2))
    assert why(game, Lance.PUNTO).endswith(
        "Además, al contar, 1 piedra del punto para Norte y Sur."
    )


def test_r28_every_language_explains_the_own_stones_of_a_refused_bet() -> None:
    shown = pares_refused(1, 2)
    shown.show_asked(*PARES)
    texts = {why(shown, Lance.PARES, language) for language in LANGUAGES}
    assert len(texts) == len(LANGUAGES)
    assert all("Norte" in text.split(". ", 1)[1] for text in texts)


def test_a_refused_grande_brings_nothing_more_and_says_nothing_more() -> None:
    game = Table().cut().say(envido(1), no_queremos(2))
    assert "contar" not in why(game, Lance.GRANDE)


@each_row("juegos", [1, 3])
def test_r30_lances_after_the_end_of_a_juego_are_explained_as_uncounted(juegos: int) -> None:
    """Grande ends the juego; the match goes on where it has three."""
    game = Table(juegos=juegos, stones=(39, 0))
    game.cut().all_pass(2).declare("sí sí no no").all_pass().declare("no no no no").all_pass()
    game.show_asked("R R 5 4", "7 7 6 4", "C S 5 4", "S 6 5 4")
    assert game.phase is (Phase.OVER if juegos == 1 else Phase.COUNT)
    assert game.state.juego_won == "A"
    uncounted = "El juego se acabó antes de contarlo: no se apunta nada."
    assert uncounted not in why(game, Lance.GRANDE)
    for lance in (Lance.CHICA, Lance.PARES, Lance.PUNTO):
        assert why(game, lance).endswith(uncounted)
        assert "Gana " not in why(game, lance)


def test_r30_refused_pares_after_the_end_of_a_juego_say_that_their_stones_were_not_counted() -> (
    None
):
    game = pares_refused(1, 2, stones=(38, 0))
    game.show_asked("R R 5 4", "7 7 6 4", "C S 5 4", "S 6 5 4")
    assert game.state.juego_won == "A"
    assert why(game, Lance.PARES).endswith(
        "Al contar no se apunta nada más: el juego se acabó antes."
    )


def test_r32_after_an_ordago_the_lances_before_it_are_explained_as_uncounted() -> None:
    game = Table()
    game.cut().all_pass().say(ordago(1), quiero(2))
    game.show_asked("R R 5 4", "7 7 6 4", "C S 5 4", "S 6 5 4")
    assert game.state.juego_won
    assert why(game, Lance.GRANDE).endswith("no se apunta nada.")
