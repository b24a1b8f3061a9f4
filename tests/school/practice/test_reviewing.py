"""The review of a finished practice game: every own move, its mark and its cost."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from assistant.cli.mus_practice import _keep_reviews
from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import load_phrases, load_wording
from assistant.messages import Command, Pressed
from assistant.rules.calls import Call
from assistant.rules.cards import Card
from assistant.rules.profile import Profile, Real31
from assistant.school.judge import Judge
from assistant.school.judge.telling import SHAPE
from assistant.school.players.maestro import read_lore
from assistant.school.practice.page import review_view
from assistant.school.practice.reviewing import (
    ALIKE_UP_TO,
    DOUBTFUL_UP_TO,
    GOOD_UP_TO,
    STONE,
    Mark,
    OwnMove,
    Reviewed,
    Reviewer,
    mark_of,
    review_move,
)
from tests.school.practice.practising import Practising, offered, practising
from tests.school.practice.test_practice_rules import play, session
from tests.tables import each_row

TARGET = 10


@cache
def judge() -> Judge:
    return Judge(read_lore(data_dir("models") / "players" / "maestro.npz"))


def words() -> Any:
    return load_wording("judge", "es", SHAPE)


def reviewer(able: bool = True) -> Reviewer:
    return Reviewer(judge() if able else None, load_phrases().label, words())


def careless(view: dict[str, Any]) -> Call:
    """Change cards once, then go all in with anything: some of that has to be a mistake."""
    return offered(view, "mus", "ordago", "refuse", "pass")


def moves_of(game: Practising) -> tuple[OwnMove, ...]:
    return game.dealer.own_moves(game.runner.table.records)


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


@each_row(
    "lost, mark",
    [
        (0.0, Mark.BEST),
        (ALIKE_UP_TO, Mark.BEST),
        (ALIKE_UP_TO + 0.01, Mark.GOOD),
        (GOOD_UP_TO, Mark.GOOD),
        (GOOD_UP_TO + 0.01, Mark.DOUBTFUL),
        (DOUBTFUL_UP_TO, Mark.DOUBTFUL),
        (DOUBTFUL_UP_TO + 0.01, Mark.MISTAKE),
        (60.0, Mark.MISTAKE),
    ],
)
def test_a_move_is_marked_by_the_points_that_it_costs(lost: float, mark: Mark) -> None:
    assert mark_of(lost) is mark


def test_a_stone_is_worth_what_maestros_table_of_scores_says() -> None:
    values = judge().tables.lore.values
    ahead, behind = values[39, 40] - values[40, 40], values[40, 40] - values[40, 39]
    assert pytest.approx(50 * (ahead + behind), abs=0.25) == STONE


def test_the_review_knows_only_what_the_person_could_know() -> None:
    with practising(seed=3, target=TARGET) as game:
        game.begin("normal")
        game.play(lambda view: offered(view, "mus", "bet", "accept", "pass"))
        moves = moves_of(game)
    assert len(moves) > 3
    for move in moves:
        opened = {card for hand in move.sight.state.hands if hand for card in hand}
        assert set(cards_in(replace(move, sight=replace(move.sight, hand=())))) <= opened
        assert move.sight.seat == 1
        assert all(type(many) is int for many in move.thrown.values())


def test_every_own_call_and_throw_is_kept_in_order_as_it_was_made() -> None:
    made: list[Call | int] = []
    with practising(seed=4, target=TARGET) as game:
        game.begin("paciente")

        def choose(view: dict[str, Any]) -> Call:
            call = offered(view, "mus", "pass", "refuse")
            made.append(call)
            return call

        game.play(choose)
        moves = moves_of(game)
    calls = [move.call for move in moves if move.call]
    assert calls == made
    assert any(move.places for move in moves)
    assert [move.seq for move in moves] == sorted(move.seq for move in moves)


def test_a_call_that_was_taken_back_is_not_reviewed() -> None:
    with practising(seed=2) as game:
        game.begin("normal")
        game.tap(offered(game.turn(), "cut"))
        game.turn()
        game.runner.post(Pressed(Command.UNDO)).result(60)
        game.until(lambda: game.board.snapshot()["phase"] == "mus")
        game.turn()
        assert moves_of(game) == ()


def test_a_game_that_ends_is_reviewed_and_another_begins_a_review_of_its_own() -> None:
    with session("--rules", "target=5") as game:
        game.practice.begin("normal")
        assert game.practice.review()["over"] is False
        play(game)
        first = game.practice.review()
        assert first["over"]
        assert first["of"] > 0
        game.practice.begin("normal")
        assert game.practice.review()["over"] is False
        play(game)
        moves = game.practice.dealer.own_moves(game.runner.table.records)
        assert game.practice.review()["of"] == len(moves)


@pytest.fixture(scope="module")
def finished() -> tuple[tuple[OwnMove, ...], list[Reviewed]]:
    with practising(seed=7, target=20) as game:
        game.begin("normal")
        game.play(careless)
        moves = moves_of(game)
    found = [review_move(judge(), move, load_phrases().label, words()) for move in moves]
    return moves, [one for one in found if one]


def test_a_careless_game_has_mistakes_and_each_sentence_names_the_better_call(
    finished: tuple[tuple[OwnMove, ...], list[Reviewed]],
) -> None:
    _, found = finished
    assert found
    assert {one.mark for one in found} & {Mark.DOUBTFUL, Mark.MISTAKE}
    for one in found:
        assert one.lost >= 0
        gamble = depends(one) and mark_of(one.lost) is Mark.BEST
        assert one.mark is (Mark.GOOD if gamble else mark_of(one.lost))
        assert one.depends is gamble
        assert one.text.endswith(".")
        assert one.said
        assert one.better
        if one.lost == 0 and one.move.call:
            assert {one.said.split()[0], one.better.split()[0]} <= as_good_as_the_best(one)


def as_good_as_the_best(one: Reviewed) -> set[str]:
    """The first words of the calls that are worth as much as the best: often there is only one."""
    calls = judge().judge(one.move.sight, thrown=one.move.thrown).calls
    label, state = load_phrases().label, one.move.sight.state
    equal = [each.call for each in calls if each.chance == calls[0].chance]
    return {label(call, state).split()[0] for call in equal}


def depends(one: Reviewed) -> bool:
    """Whether a call is better or worse as the others play: then it is good, and never the best."""
    if one.move.call is None:
        return False
    return judge().judge(one.move.sight, thrown=one.move.thrown).of(one.move.call).depends


def test_the_same_game_is_reviewed_alike_again(
    finished: tuple[tuple[OwnMove, ...], list[Reviewed]],
) -> None:
    moves, found = finished
    again = [review_move(judge(), move, load_phrases().label, words()) for move in moves[:3]]
    assert [one for one in again if one] == found[: sum(one is not None for one in again)]


def test_the_review_goes_on_in_the_background_and_comes_to_an_end(
    finished: tuple[tuple[OwnMove, ...], list[Reviewed]],
) -> None:
    moves, found = finished
    working = reviewer()
    try:
        first = review_view(working, moves, over=True)
        assert (first["of"], first["able"]) == (len(moves), True)
        assert first["done"] < len(moves)  # it has answered before it was done
        with practising() as game:
            game.until(lambda: review_view(working, moves, over=True)["done"] == len(moves))
        shown = review_view(working, moves, over=True)["moves"]
        assert [one["lost"] for one in shown] == [round(one.lost, 1) for one in found]
        assert [one["mark"] for one in shown] == [one.mark for one in found]
    finally:
        working.close()


def test_of_a_game_in_progress_nothing_is_told(
    finished: tuple[tuple[OwnMove, ...], list[Reviewed]],
) -> None:
    moves, _ = finished
    assert review_view(reviewer(), moves, over=False) == {
        "able": True,
        "over": False,
        "done": 0,
        "of": 0,
        "moves": [],
    }


def test_rules_that_nobody_learnt_have_no_review() -> None:
    profile = Profile(juegos=1, real31=Real31.SOTA, target=TARGET)
    with practising(seed=1, profile=profile) as game:
        game.begin("maestro")
        game.play(careless)
        shown = review_view(reviewer(able=False), moves_of(game), over=True)
    assert shown["able"] is False
    assert shown["moves"] == []


def test_the_command_writes_the_review_of_a_game_that_ended(tmp_path: Path) -> None:
    path, stop = tmp_path / "review.json", Event()
    with session("--rules", "target=5") as game:
        game.practice.begin("normal")
        writing = Thread(target=_keep_reviews, args=(game.practice, path, stop))
        writing.start()
        play(game)
        deadline = time.monotonic() + 60
        while not path.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        stop.set()
        writing.join()
        assert json.loads(path.read_text("utf-8")) == game.practice.review()


def test_a_review_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with session("--rules", "target=5") as game:
        game.practice.begin("normal")
        play(game)
        with pytest.raises(UsageError, match="cannot be written"):
            _keep_reviews(game.practice, tmp_path, Event())  # a folder


def test_the_review_of_a_call_says_what_was_advised_at_that_moment() -> None:
    hints: list[str] = []
    with practising(seed=9, target=TARGET) as game:
        game.begin("paciente")

        def choose(view: dict[str, Any]) -> Call:
            hints.append(view["hint"]["text"])
            return offered(view, "mus", "bet", "accept", "pass")

        game.play(choose)
        moves = [move for move in moves_of(game) if move.call]
    assert len(moves) == len(hints)
    judged = 0
    for move, hint in zip(moves, hints, strict=True):
        found = review_move(judge(), move, load_phrases().label, words())
        if found is not None:
            judged += 1
            assert found.text == hint
    assert judged > 3
