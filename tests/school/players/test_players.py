"""Computer players: always legal, blind to other hands, and of the expected strength."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.odds import Known, chances
from assistant.rules import calls as c
from assistant.rules.cards import Card, parse_hand
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile
from assistant.school.players import Chancer, Novice, Player, Sight, sight_of
from assistant.school.players.strength import OtherHands, Strength
from assistant.school.players.thinker import BetStakes, Temper, Thinker
from assistant.school.practice.reasons import DECK
from scripts.lab.playing.juego import play
from scripts.lab.playing.matches import babbler, chancer, matches, novice, strength, thinking

PROFILE = Profile()


def cards_in(thing: object) -> Iterator[Card]:
    """All cards that can be reached from an object."""
    if isinstance(thing, Card):
        yield thing
    elif isinstance(thing, tuple | list | set | frozenset):
        for one in thing:
            yield from cards_in(one)
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from cards_in(getattr(thing, field.name))


class Watched:
    """A player that keeps everything it was shown."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.sights: list[Sight] = []

    def call(self, sight: Sight) -> c.Call:
        self.sights.append(sight)
        return self.player.call(sight)

    def discard(self, sight: Sight) -> tuple[int, ...]:
        self.sights.append(sight)
        return self.player.discard(sight)


def four(seed: int) -> list[Player]:
    """Two thinkers, a novice, and one that makes random calls."""
    first, second = (Thinker(strength(), Temper(), seed + n) for n in range(2))
    return [first, Novice(), second, Chancer(seed)]


@pytest.mark.parametrize("seed", range(6))
def test_a_player_is_shown_only_its_own_and_open_cards(seed: int) -> None:
    one, _, other, _ = four(seed)
    watched = [Watched(player) for player in (one, Novice(), other, Novice())]
    play(watched, seed)
    sights = [sight for one in watched for sight in one.sights]
    assert len(sights) > 20
    for sight in sights:
        opened = {card for hand in sight.state.hands if hand for card in hand}
        assert set(cards_in(replace(sight, hand=()))) <= opened | set(PROFILE.real31_cards)


@pytest.mark.parametrize("seed", range(8))
def test_one_seed_plays_one_juego_and_every_call_is_legal(seed: int) -> None:
    assert play(four(seed), seed, mano=seed % 4 + 1) == play(four(seed), seed, mano=seed % 4 + 1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("bet", "more"), [(1, 1), (4, 4), (9, 1), (2, 30)])
def test_r21_no_player_bets_or_raises_less_than_the_house_allows(
    bet: int, more: int, seed: int
) -> None:
    """The juego is played to its end. A call that the rules refuse would end it with an error."""
    profile = Profile(juegos=1, min_bet=bet, min_raise=more)
    assert play(four(seed), seed, profile=profile).side


@settings(max_examples=40)
@given(st.lists(st.sampled_from(DECK), min_size=4, max_size=4, unique=True), st.integers(1, 4))
def test_the_fast_estimate_of_a_chance_is_near_the_exact_one(hand: list[Card], mano: int) -> None:
    quick = strength()
    exact = chances(Known(tuple(card.rank for card in hand), 1, mano), PROFILE)
    place = {seat: (seat - mano) % 4 for seat in range(1, 5)}
    others = tuple(OtherHands(seat == 3, place[seat]) for seat in (2, 3, 4))
    for lance in (Lance.GRANDE, Lance.CHICA, Lance.PARES, Lance.JUEGO):
        found = quick.wins(quick.number(tuple(hand)), place[1], lance, others)
        assert found == pytest.approx(exact[lance].side, abs=0.03)


def test_a_rival_who_bet_is_more_likely_to_win() -> None:
    quick = strength()
    mine = quick.number(parse_hand("R C S 7"))
    chance = [
        quick.wins(
            mine,
            0,
            Lance.GRANDE,
            (OtherHands(False, 1, lean), OtherHands(True, 2), OtherHands(False, 3)),
        )
        for lean in (-0.5, 0.0, 1.0, 3.0)
    ]
    assert chance == sorted(chance, reverse=True)
    assert chance[0] - chance[-1] > 0.2


def test_four_reyes_are_kept_and_a_worthless_hand_is_thrown() -> None:
    quick = Strength(PROFILE)
    assert len(quick.thrown(parse_hand("R R 3 3"))) == 1  # a player must throw at least one card
    assert quick.thrown(parse_hand("R R 3 5")) == (3,)
    assert len(quick.thrown(parse_hand("4 5 6 7"))) >= 3


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 30))
def test_more_stones_are_never_worse(left: int, theirs: int, stones: int) -> None:
    stakes = BetStakes(left, theirs, 1.3, 1.0)
    assert stakes.chance(stones, 0) >= stakes.chance(0, 0) >= stakes.chance(0, stones)
    assert stakes.chance(left, 0) == 1.0
    assert BetStakes(theirs, left, 1.3, 1.0).chance(0, 0) == pytest.approx(1 - stakes.chance(0, 0))


def test_a_thinker_beats_a_novice_and_a_random_player() -> None:
    """A small match; scripts/lab/bench_players.py plays the large one."""
    assert matches(thinking(Temper()), chancer, range(100), jobs=1).interval[0] > 0.75
    assert matches(thinking(Temper()), babbler, range(100), jobs=1).interval[0] > 0.65
    assert matches(novice, novice, range(100), jobs=1).share == pytest.approx(0.5, abs=0.2)


def test_two_players_that_raise_each_other_come_to_an_end() -> None:
    """At 38 to 39 stones any bet decides. Two tempers once raised each other for ever."""
    prudent = Temper(cut=5.8, bet=2.0, margin=0.01, bluff=0.0, folds_ordago=0.1)
    assert matches(thinking(prudent), thinking(Temper()), range(40), jobs=1).juegos == 40


def test_a_sight_has_exactly_the_legal_calls_of_its_seat() -> None:
    watched = [Watched(Novice()) for _ in range(4)]
    play(watched, 3)
    for seat, one in enumerate(watched, start=1):
        for sight in one.sights:
            assert sight.seat == seat
            assert sight == sight_of(sight.state, seat, sight.hand, events=sight.events)
            assert all(one.call.seat == seat for one in sight.legal)


def test_a_juego_of_thinkers_takes_as_many_deals_as_at_a_table() -> None:
    """It does not end after two deals because of bets that nobody makes at a table."""
    four = [thinking(Temper())(seed) for seed in range(4)]
    deals = [play(four, seed).deals for seed in range(24)]
    assert 4 <= sum(deals) / len(deals) <= 10
