"""Señas in practice: only true ones, at their time, caught as a person would, read or missed."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.files.paths import data_dir
from assistant.files.resources import load_toml
from assistant.rules.calls import Call, NextDeal
from assistant.rules.cards import Card, parse_hand
from assistant.rules.hands import value
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Profile, Senas
from assistant.rules.state import State
from assistant.school.lessons.mus_senas import LISTS
from assistant.school.players.senas import FITS, NOTHING, CaughtSign, may_make, true_signs
from assistant.school.players.strength import OtherHands, Strength
from assistant.school.practice.game import signing_of
from assistant.school.practice.reasons import DECK, dealt
from assistant.school.practice.signing import MISSED, SIGNED_IN, Signing
from tests.school.practice.practising import Practising, offered, practising
from tests.school.practice.test_reasons import table
from tests.tables import each_row

PROFILE = Profile()


def deal() -> State:
    """A deal whose first mus is not run."""
    return replace(table(), corrido=False)


def keys_of(name: Senas) -> tuple[str, ...]:
    signs = load_toml(data_dir("models") / "senas" / f"{name}.toml")["signs"]
    return tuple(sign["holds"] for sign in signs)


def signs(hand: str, name: Senas = Senas.FEM, kings: int = 8) -> tuple[str, ...]:
    held = value(parse_hand(hand), Profile(kings=kings))
    return true_signs(held, keys_of(name), name)


@each_row(
    "hand, name, told",
    [
        ("R R 4 5", Senas.FEM, ("two_kings", "twenty_nine")),
        ("R 3 4 5", Senas.FEM, ("two_kings", "twenty_nine")),
        ("R R R 4", Senas.FEM, ("medias_of_kings", "juego")),
        ("1 2 1 4", Senas.FEM, ("medias_of_aces",)),
        ("S S S 4", Senas.FEM, ("medias", "juego")),
        ("R R 1 1", Senas.FEM, ("duples",)),
        ("R R R R", Senas.FEM, ("duples", "juego")),
        ("R C S 1", Senas.FEM, ("thirty_one",)),
        ("7 7 4 5", Senas.FEM, ("pares",)),
        ("7 6 5 4", Senas.FEM, (NOTHING,)),
        ("C S 6 4", Senas.FEM, ("thirty",)),
        ("R R R 4", Senas.INTERPENAS, ("three_kings",)),
        ("R R C 4", Senas.INTERPENAS, ("two_kings_and_caballo", "juego")),
        ("R R 1 1", Senas.INTERPENAS, ("duples",)),
        ("7 7 4 5", Senas.INTERPENAS, (NOTHING,)),
        ("7 7 4 5", Senas.EUSKADI, (NOTHING,)),
    ],
)
def test_r58_a_hand_has_the_signs_of_its_tables_list(
    hand: str, name: Senas, told: tuple[str, ...]
) -> None:
    assert signs(hand, name) == told


@given(st.lists(st.sampled_from(DECK), min_size=4, max_size=4, unique=True), st.sampled_from(LISTS))
def test_no_sign_is_false_and_none_is_foreign_to_the_list(hand: list[Card], name: Senas) -> None:
    held = value(tuple(hand), PROFILE)
    made = true_signs(held, keys_of(name), name)
    assert made
    for sign in made:
        assert sign in keys_of(name)
        if sign != NOTHING:
            assert FITS[sign](held)
    if NOTHING in made:
        assert made == (NOTHING,)


def test_every_sign_that_tells_of_cards_is_known() -> None:
    every = {key for name in LISTS for key in keys_of(name)}
    assert every - set(FITS) - {NOTHING} == {"cut", "bet_more"}  # wishes, no cards


def test_r06_nobody_signs_in_a_mus_corrido_nor_where_there_are_no_signs() -> None:
    state = deal()
    assert may_make(state, "two_kings")
    assert not may_make(replace(state, corrido=True), "two_kings")
    without = replace(state, profile=replace(state.profile, senas=Senas.OFF))
    assert not may_make(without, "two_kings")


@pytest.mark.parametrize(
    ("name", "sign", "phase", "may"),
    [
        (Senas.FEM, "medias", Phase.MUS, False),
        (Senas.FEM, "medias", Phase.GRANDE, False),
        (Senas.FEM, "medias", Phase.CHICA, True),
        (Senas.FEM, "medias_of_kings", Phase.MUS, True),
        (Senas.INTERPENAS, "medias", Phase.CHICA, False),
        (Senas.INTERPENAS, "medias", Phase.PARES, True),
        (Senas.INTERPENAS, "thirty", Phase.PARES, False),
        (Senas.INTERPENAS, "thirty", Phase.PUNTO, True),
    ],
)
def test_r58_a_sign_waits_for_its_time(name: Senas, sign: str, phase: Phase, may: bool) -> None:
    state = replace(deal(), phase=phase, profile=replace(PROFILE, senas=name))
    assert may_make(state, sign) is may


def signing(name: Senas = Senas.FEM, seed: int = 1) -> Signing:
    found = signing_of(name, "es", random.Random(seed))
    found.begin(on=True)
    return found


def test_partners_catch_most_signs_and_rivals_few_and_nobody_those_of_the_hand_before() -> None:
    found = signing()
    state, ours, theirs, made = deal(), 0, 0, 0
    for seed in range(400):
        found.new_deal()
        found.new_hands(dealt(random.Random(seed)), state)
        found._calls = 99
        while (seat := found.due(state)) is not None:
            found.make(seat, state)
            if seat != 3:
                made += 1
                partner = (seat + 1) % 4 + 1
                ours += CaughtSign(seat, found.made[-1].sign.key) in found.seen_by(partner)
                theirs += CaughtSign(seat, found.made[-1].sign.key) in found.seen_by(3)
        found.new_hands(dealt(random.Random(seed + 1)), state)
        assert not any(found.seen_by(seat) for seat in (2, 3, 4))
    assert 0.8 < ours / made < 1.0
    assert 0.15 < theirs / made < 0.35


def test_a_player_believes_the_sign_that_it_saw() -> None:
    strength = Strength(PROFILE)
    mine = strength.number(parse_hand("R C 5 4"))

    def wins(*signs: str) -> float:
        others = (
            OtherHands(False, 1, signs=signs),
            OtherHands(True, 2),
            OtherHands(False, 3),
        )
        return strength.wins(mine, 0, Lance.GRANDE, others)

    assert wins("two_kings") < wins() < wins("two_aces")
    assert wins("bet_more") == pytest.approx(wins())


def play_with_signs(game: Practising, told: list[dict[str, Any]]) -> None:
    """Play to the end; each question of a sign is answered rightly, wrongly or not seen."""

    def choose(view: dict[str, Any]) -> Call:
        return offered(view, "mus", "pass", "refuse")

    while not game.board.snapshot()["over"]:
        view = game.turn()
        if view["throws"]:
            game.dealer.throw([0])
        elif view["offers"]:
            game.tap(choose(view))
        elif game.board.snapshot()["phase"] == "count":
            told += game.view()["senas"]["asked"]
            game.tap(NextDeal())


def test_signs_are_made_in_a_game_and_their_meaning_is_told_only_once_it_was_asked() -> None:
    with practising(seed=5, target=20) as game:
        game.begin("normal", senas=True)
        asked: list[dict[str, Any]] = []
        play_with_signs(game, asked)
        assert asked
        for one in asked:
            assert one["right"] is None
            assert (one["draw"], one["holds"], one["gesture"]) == ("", "", "")
            assert len(set(one["choices"])) == 4
        shown = [one["practice"]["senas"] for one in game.seen]
        made = {one["made"]["n"]: one["made"] for one in shown if one["made"]}
        assert {one["seat"] for one in made.values()} <= {2, 3, 4}
        assert all(
            (data_dir("web") / "static/senas" / f"{one['draw']}.svg").exists()
            for one in made.values()
        )
        last = game.view()["senas"]["asked"]
        first, *others = last
        assert game.dealer.answer_sign(first["n"], MISSED)
        assert not game.dealer.answer_sign(first["n"], 0)  # once
        after = game.view()["senas"]
        assert (after["read"], after["of"]) == (0, 1)
        assert after["asked"][0]["holds"] in first["choices"]
        assert (
            after["asked"][0]["choices"][after["asked"][0]["right"]] == after["asked"][0]["holds"]
        )
        for one in others:
            right = next(a.right for a in game.dealer.signing.asked if a.made.number == one["n"])
            assert game.dealer.answer_sign(one["n"], right)
        after = game.view()["senas"]
        assert (after["read"], after["of"]) == (len(others), len(last))


def test_every_sign_of_a_game_is_true_of_the_hand_that_made_it() -> None:
    with practising(seed=8, target=30) as game:
        wrong: list[object] = []
        made: list[str] = []

        class Watched(Signing):
            def make(self, seat: int, state: Any) -> None:
                super().make(seat, state)
                pack = game.dealer._pack()
                assert pack is not None
                held = value(pack.hand(seat), state.profile)
                key = self.made[-1].sign.key
                made.append(key)
                if key not in true_signs(held, keys_of(Senas.FEM), Senas.FEM) or seat == 1:
                    wrong.append((seat, key, held))
                if state.phase not in SIGNED_IN or not may_make(state, key):
                    wrong.append((state.phase, key))

        usual = game.dealer.signing
        game.dealer.signing = Watched(usual.listed, usual.senas, usual.me, usual.dice)
        game.begin("fuerte", senas=True)
        play_with_signs(game, [])
        assert made
        assert wrong == []


def test_without_the_mode_and_without_senas_nobody_signs() -> None:
    for profile, senas in ((PROFILE, False), (Profile(senas=Senas.OFF), True)):
        short = replace(profile, juegos=1, target=10)
        with practising(seed=5, profile=short) as game:
            game.begin("normal", senas=senas)
            play_with_signs(game, [])
            shown = game.view()["senas"]
            assert shown["offered"] is (profile.senas is not Senas.OFF)
            assert not shown["on"]
            assert not any(one["practice"]["senas"]["made"] for one in game.seen)


def test_a_seen_sign_has_no_field_for_a_card() -> None:
    assert {one.name: one.type for one in fields(CaughtSign)} == {"seat": "int", "holds": "str"}
