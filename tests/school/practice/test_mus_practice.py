"""The practice game without a browser: the dealer, the company, and the snapshots of the page."""

from __future__ import annotations

import re
from typing import Any

import pytest

from assistant.messages import Accepted, Command, Heard, Pressed, Refused, Word
from assistant.rules.calls import Call
from assistant.rules.cards import parse_hand
from assistant.rules.hands import value
from assistant.rules.phases import Lance
from assistant.school.practice.levels import LEVELS
from assistant.school.practice.page import chance_views
from tests.school.practice.practising import offered, practising

CARD = re.compile(r"[RCS7654321][oceb]")
OVER = ("count", "over")


def quiet(view: dict[str, Any]) -> Call:
    """Choose mus, no bets, and accept every bet."""
    return offered(view, "mus", "accept", "pass")


def bold(view: dict[str, Any]) -> Call:
    return offered(view, "cut", "bet", "accept", "pass")


def cards_in(payload: object) -> set[str]:
    """Every text in a payload that is a card."""
    match payload:
        case dict():
            return set().union(*map(cards_in, payload.values()), set())
        case list():
            return set().union(*map(cards_in, payload), set())
        case str() if CARD.fullmatch(payload):
            return {payload}
    return set()


@pytest.mark.parametrize("level", LEVELS)
def test_a_juego_is_played_to_its_end_by_taps(level: str) -> None:
    with practising(seed=3) as game:
        game.begin(level)
        game.play(quiet if level == "fuerte" else bold)
        shown = game.board.snapshot()
        assert shown["winner"] in ("A", "B")
        assert {seat for seat, _ in game.voices.said} == {2, 3, 4}


def test_no_payload_has_another_players_cards_before_the_showdown() -> None:
    with practising(seed=5) as game:
        game.begin("paciente")
        game.play(quiet)
        game.until(lambda: game.seen and game.seen[-1]["over"])
        hidden = [one for one in game.seen if one["phase"] not in (*OVER, "showdown")]
        assert len(hidden) > 50
        for one in hidden:
            assert cards_in(one) <= set(one["practice"]["hand"]), one["phase"]
        laid = [one for one in game.seen if one["phase"] == "showdown"]
        for one in laid:
            public = {card for seat in one["seats"] for card in seat["hand"] or ()}
            assert cards_in(one) <= public | set(one["practice"]["hand"])
        assert any(len(cards_in(one)) == 16 for one in game.seen if one["phase"] in OVER)


def test_the_same_seed_deals_the_same_cards() -> None:
    hands = []
    for _ in range(2):
        with practising(seed=7) as game:
            game.begin("normal")
            hands.append(game.turn()["hand"])
    assert hands[0] == hands[1]
    assert len(set(hands[0])) == 4


def test_a_tap_silences_the_speaker_and_counts_at_once() -> None:
    with practising(seed=2) as game:
        game.begin("normal")
        view = game.turn()
        game.voices.busy = True  # somebody is in the middle of a sentence
        hushed = game.voices.hushed
        assert isinstance(game.tap(offered(view, "mus"))[0], Accepted)
        assert game.voices.hushed > hushed


def test_the_company_waits_until_the_speaker_has_finished() -> None:
    with practising(seed=2) as game:
        game.voices.busy = True
        game.begin("normal")
        game.until(lambda: game.dealer.moment().state.deal == 0)
        assert game.voices.said == []
        game.voices.busy = False
        game.turn()


def test_speech_over_a_voice_silences_it() -> None:
    with practising(seed=2) as game:
        game.begin("normal")
        game.turn()
        hushed = game.voices.hushed
        game.runner.post(Heard((), seat=1, over=True)).result(60)
        assert game.voices.hushed > hushed


def test_a_call_by_voice_belongs_to_the_person() -> None:
    with practising(seed=2) as game:
        game.begin("normal")
        game.turn()
        said = ("no", "hay", "mus")
        words = tuple(Word(text, n * 0.4, (n + 1) * 0.4) for n, text in enumerate(said))
        outcomes = game.runner.post(Heard(words, seat=1)).result(60)
        assert isinstance(outcomes[0], Accepted)
        assert isinstance(outcomes[0].call, Call)
        assert outcomes[0].call.seat == 1


def test_cards_are_thrown_by_a_spoken_number() -> None:
    with practising(seed=4) as game:
        game.begin("paciente")  # with these cards everybody wants mus
        while not (view := game.turn())["throws"]:
            game.tap(offered(view, "mus"))
        before = view["hand"]
        game.runner.post(Heard((Word("dos"),), seat=1)).result(60)
        game.until(lambda: not game.view()["throws"] and game.view()["hand"] != before)
        assert len(set(before) & set(game.view()["hand"])) == 2


def test_undo_takes_back_the_persons_last_call() -> None:
    with practising(seed=2) as game:
        game.begin("normal")
        view = game.turn()
        first = [(offer["kind"], offer["label"]) for offer in view["offers"]]
        game.tap(offered(view, "cut"))
        game.turn()
        game.runner.post(Pressed(Command.UNDO)).result(60)
        game.until(lambda: game.board.snapshot()["phase"] == "mus")
        again = game.turn()
        assert [(offer["kind"], offer["label"]) for offer in again["offers"]] == first
        assert again["hand"] == view["hand"]


def test_before_the_persons_first_call_undo_is_refused() -> None:
    with practising(seed=2) as game:
        game.begin("normal")
        view = game.turn()
        said = [bubble["text"] for bubble in view["bubbles"]]
        assert not view["undo"]
        for message in (Pressed(Command.UNDO), Heard((Word("deshacer"),), seat=1)):
            outcomes = game.runner.post(message).result(60)
            assert outcomes[0] == Refused("undo_nothing", text="There is nothing to undo.")
        again = game.turn()
        assert again["hand"] == view["hand"]
        assert [bubble["text"] for bubble in again["bubbles"]] == said
        game.tap(offered(view, "mus"))
        assert game.view()["undo"]


def test_the_count_is_explained_lance_by_lance_once_the_cards_lie_open() -> None:
    with practising(seed=3) as game:
        game.begin("paciente")
        game.play(bold)
        shown = game.until(lambda: game.seen and game.seen[-1]["over"] and game.seen[-1])
        assert all(
            one["practice"]["counted"] == [] for one in game.seen if one["phase"] not in OVER
        )
        told = shown["practice"]["counted"]
        assert [one["lance"] for one in told][:2] == ["grande", "chica"]
        texts = [one["text"] for seen in game.seen for one in seen["practice"]["counted"]]
        assert any(", con " in text for text in texts)  # the winner's cards


def test_a_lance_that_was_not_counted_is_explained() -> None:
    with practising(seed=1, target=5) as game:
        game.begin("paciente")
        game.play(quiet)
        told = [one["text"] for one in game.view()["counted"]]
        assert "El juego se acabó antes de contarlo: no se apunta nada." in told[-1]


def test_chances_are_told_only_for_lances_that_the_persons_cards_play() -> None:
    with practising(seed=6) as game:
        game.begin("fuerte")
        hand = parse_hand(" ".join(game.turn()["hand"]))
        held = value(hand, game.runner.table.state.profile)
        told = {view["lance"] for view in chance_views(game.dealer)}
        assert told == {lance for lance in Lance if held.key(lance) is not None}


def test_only_the_true_declaration_is_offered() -> None:
    with practising(seed=6) as game:
        game.begin("fuerte")
        told: list[list[str]] = []

        def choose(view: dict[str, Any]) -> Call:
            kinds = [offer["kind"] for offer in view["offers"]]
            if {"holds", "lacks"} & set(kinds):
                told.append(kinds)
            return bold(view)

        game.play(choose)
        assert told
        assert all(len(kinds) == 1 for kinds in told)


def test_only_the_patient_company_explains_its_calls_and_advises() -> None:
    with practising(seed=2) as game:
        game.begin("paciente")
        view = game.turn()
        assert "% de ganar el juego" in view["hint"]["text"]
        while not view["whys"]:
            game.tap(bold(view))
            view = game.turn()
        why = view["whys"][0]
        assert why["seat"] in (2, 3, 4)
        assert why["code"]
    with practising(seed=2) as game:
        game.begin("fuerte")
        view = game.turn()
        assert view["hint"] is None
        assert view["whys"] == []
