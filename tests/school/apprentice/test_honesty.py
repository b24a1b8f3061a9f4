"""The apprentice's advice: independent of hidden cards, with odds only after the count."""

from __future__ import annotations

import json
from random import Random

import pytest

from assistant.rules import calls as c
from assistant.rules.cards import Hand, parse_hand
from assistant.rules.engine import missing_hands, to_speak
from assistant.rules.hands import value
from assistant.rules.phases import Lance, Phase
from assistant.school.apprentice import apprentice_view
from scripts.lab.rendering.dealing import DECK
from tests.rules.play import PLAIN, Game, envido, mas, no_queremos
from tests.rules.strategies import deal
from tests.school.apprentice.tables import SPANISH, view_of
from tests.school.apprentice.test_stakes import said_by
from tests.tables import each_row

SEEDS = range(40)
LEARNER = 1


def alike(hands: tuple[Hand, ...], random: Random) -> tuple[Hand, ...]:
    """Other hands for all but the learner; each player can declare the same as before."""
    for _ in range(5000):
        left = list(DECK)
        for card in hands[LEARNER - 1]:
            left.remove(card.rank)
        cards = random.sample(left, 12)
        others = tuple(parse_hand(" ".join(cards[i : i + 4])) for i in (0, 4, 8))
        same = [
            (value(one, PLAIN).pares is None) == (value(other, PLAIN).pares is None)
            and value(one, PLAIN).juego == value(other, PLAIN).juego
            for one, other in zip(hands[1:], others, strict=True)
        ]
        if all(same):
            return (hands[0], *others)
    raise AssertionError("no other hands say the same")


def views(hands: tuple[Hand, ...], seed: int) -> list[str]:
    """Everything that the learner is told until another player's cards lie open."""
    random, game, told = Random(seed), Game(), [""]
    while game.phase is not Phase.COUNT:
        told.append(json.dumps(view_of(game, LEARNER), sort_keys=True))
        seat = to_speak(game.state)
        assert seat is not None
        if game.phase is Phase.SHOWDOWN and seat != LEARNER:
            break
        game.say(said_by(game.state, seat, hands, random))
    return told


@each_row("seed", SEEDS)
def test_the_advice_does_not_depend_on_the_others_hidden_cards(seed: int) -> None:
    hands = deal(Random(seed), 4)
    assert views(hands, seed) == views(alike(hands, Random(seed + 1000)), seed)


@each_row("seed", SEEDS)
def test_a_told_hand_is_not_used_before_the_count(seed: int) -> None:
    hands, random, game = deal(Random(seed), 4), Random(seed), Game()
    while game.phase is not Phase.COUNT:
        view = apprentice_view(game.state, game.records, (), 2, SPANISH, told=hands[1])
        assert view == apprentice_view(game.state, game.records, (), 2, SPANISH)
        assert view["chances"] == []
        assert not view["may_tell"]
        seat = to_speak(game.state)
        assert seat is not None
        game.say(said_by(game.state, seat, hands, random))


def counted() -> Game:
    """A deal of refused bets, in which the count asks only for the hands with pares."""
    game = Game().cut().say(envido(1, 5), mas(2, 5), no_queremos(1))
    game.say(envido(1), no_queremos(2)).declare("sí no sí no").declare("no no no no")
    game.say(envido(1), no_queremos(2))
    assert missing_hands(game.state) == (1, 3)
    for seat, hand in ((1, "R R 4 4"), (3, "1 1 4 5")):
        game.say(c.ShowHand(seat=seat, cards=parse_hand(hand)))
    assert game.phase is Phase.COUNT
    return game


def test_after_the_count_the_chances_of_the_shown_hand_are_told() -> None:
    view = view_of(counted(), 1)
    told = {one["lance"]: one for one in view["chances"]}
    assert list(told) == ["grande", "chica", "punto"], "nobody else had pares"
    percent = told["grande"]["percent"]
    assert told["grande"]["text"] == (
        f"Por las cartas solas, tenías un {percent} % a la grande. Y ganó otro."
    )
    assert told["grande"]["percent"] > 70
    assert told["chica"]["won"]
    assert not view["may_tell"]


def test_a_player_whose_hand_was_not_shown_may_tell_it_to_himself_alone() -> None:
    game = counted()
    assert view_of(game, 2)["may_tell"]
    assert view_of(game, 2)["chances"] == []
    told = apprentice_view(game.state, game.records, (), 2, SPANISH, told=parse_hand("C S 6 5"))
    assert [one["lance"] for one in told["chances"]] == ["grande", "chica", "punto"]
    other = apprentice_view(game.state, game.records, (), 1, SPANISH, told=parse_hand("C S 6 5"))
    assert other == view_of(game, 1), "an open hand is the one that counts"


@pytest.mark.parametrize("cards", ["4 4 4 4", ""])
def test_an_impossible_told_hand_is_refused_in_one_sentence(cards: str) -> None:
    game = counted()
    hand = parse_hand(cards) if cards else ()
    told = apprentice_view(game.state, game.records, (), 2, SPANISH, told=hand)
    assert told["chances"] == []
    assert told["fault"].startswith("Esas cuatro cartas no pueden ser")


def test_a_new_deal_removes_the_chances() -> None:
    view = view_of(counted().say(c.NextDeal()), 1)
    assert view["chances"] == []
    assert view["why"] == []
    assert not view["may_tell"]


def test_r39_a_tie_is_explained_by_the_distance_to_mano() -> None:
    game = Game().cut().all_pass(2).declare("no no no no").declare("no no no no").all_pass()
    game.show("R C 6 4", "C S 6 4", "7 6 5 4", "7 6 4 1")
    why = {one["lance"]: one["text"] for one in view_of(game, 3)["why"]}
    assert "Empatan Norte y Oeste, con 30: gana Norte" in why[Lance.PUNTO]
    assert "Gana Norte, con rey, caballo, seis, cuatro. Enfrente," in why[Lance.GRANDE]
    assert "de Oeste: caballo, sota, seis, cuatro." in why[Lance.GRANDE]
    assert "Gana Este, con as, cuatro, seis, siete." in why[Lance.CHICA]


def test_the_last_call_is_explained_with_its_consequences_until_an_undo() -> None:
    game = Game().cut().say(envido(1, 5), mas(2, 5), no_queremos(1))
    said = view_of(game, 1)["said"]
    assert said
    assert (said["say"], said["mine"]) == ("No queremos", True)
    assert said["then"][1].startswith("5 piedras para Oeste y Este: es el deje")
    again = view_of(game.undo(), 2)["said"]
    assert again
    assert again["say"] == ""
    assert again["means"].startswith("Se ha deshecho lo último")
