"""The eye at the table: it reads cards only at the showdown, asks, and keeps its pictures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from assistant.eye.at_table import Eye, ShowdownEvidence, read_hands
from assistant.eye.calibration import Calibration
from assistant.eye.deck import load_deck
from assistant.eye.images import Image
from assistant.eye.plane import fit_plane
from assistant.eye.read import Reader, Reading, Sighting, Unread
from assistant.eye.source import CameraError, Frame
from assistant.eye.view import EmptyTable
from assistant.eye.watch import Reopening
from assistant.files.paths import data_dir
from assistant.files.resources import load_phrases
from assistant.messages import Ask, CardsSeen, Command, Heard, Pressed, Word
from assistant.messages.showdown import settle
from assistant.rules.cards import parse_card
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.phases import Phase
from assistant.rules.profile import Profile
from assistant.table.journal import MemoryJournal
from assistant.table.runner import News, Runner
from assistant.table.table import Table
from scripts.lab.eyebench import scenes
from scripts.lab.eyebench.layouts import Way
from scripts.lab.eyebench.light import Lit
from scripts.lab.eyebench.scenes import Scene
from scripts.lab.eyebench.trial import shot
from tests.lexicons import spanish

SIZE, CARD = (1280, 720), 113.0
SEED = 4
NOBODY, NO = ["paso"] * 4, ["no"] * 4
TO_SHOWDOWN = ("no hay mus", "envido", "quiero", *NOBODY, *NO, *NO, *NOBODY)


@cache
def reader() -> Reader:
    return Reader(load_deck(data_dir("models") / "decks" / "mus"))


@cache
def table_of_cards() -> Scene:
    return scenes.dealt(SEED, Way.SEPARATED, Lit.NORMAL, CARD, SIZE)


@cache
def shown(seats: tuple[int, ...] = (1, 2, 3, 4)) -> tuple[Image, ...]:
    """Frames of the table with the cards of these seats."""
    scene = table_of_cards()
    cards = tuple(card for card in scene.cards if card.seat in seats)
    art = load_deck(data_dir("models") / "decks" / "mus").faces
    return tuple(shot(replace(scene, cards=cards), dict(art), 4, 1))


def calibration() -> Calibration:
    scene = table_of_cards()
    quads = [seen.quad for seen in scenes.truth(scene)]
    plane, _ = fit_plane(SIZE, quads, (61.0, 95.0))
    return Calibration(SIZE, {}, plane, EmptyTable.learned(shown(())))


class Camera:
    """A camera with given frames, ten a second of its own time, as fast as they are read."""

    name, live = "camera", True

    def __init__(self) -> None:
        self.frames: Sequence[Image] = shown(())
        self.lost: CameraError | None = None
        self.count = 0

    def read(self, timeout: float) -> Frame | None:  # noqa: ARG002 - it never waits
        time.sleep(0.005)
        if self.lost:
            return None
        self.count += 1
        image = self.frames[self.count % len(self.frames)]
        return Frame(image, self.count / 10, self.count)

    def close(self) -> None:
        self.lost = CameraError("closed")


class Wired:
    """A running table with an eye."""

    def __init__(self, folder: Path) -> None:
        opening = number(open_game(Profile(), ("Norte", "Oeste", "Sur", "Este"), 1), 0, at=1.0)
        journal = MemoryJournal()
        journal.append(opening)
        self.runner = Runner(Table(spanish(), opening), journal, lambda: (journal, self.table))
        self.news: list[News] = []
        self.health: list[str] = []
        self.camera = Camera()
        self.folder = folder
        self.now = 0.0
        self.eye = Eye(
            cast(Reopening, self.camera), reader(), calibration(), self.runner.post,
            self.health.append, ShowdownEvidence(folder),
            clock=lambda: self.now or time.monotonic(),
        )  # fmt: skip
        self.runner.listeners += [self, self.eye]

    @property
    def table(self) -> Table:
        return self.runner.table

    def told(self, news: News, _table: Table) -> None:
        self.news.append(news)

    def say(self, *calls: str) -> None:
        for text in calls:
            words = tuple(Word(word, i / 3, i / 3 + 0.2) for i, word in enumerate(text.split()))
            self.runner.post(Heard(words)).result(60)

    def until(self, what: Callable[[], bool], seconds: float = 60.0) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if what():
                return True
            time.sleep(0.02)
        return False

    def asked(self) -> list[str]:
        """The sentences of the questions that the table has asked."""
        phrases, state = load_phrases(), self.table.state
        return [phrases.question(outcome, state) for news in list(self.news)
                for outcome in news.outcomes
                if isinstance(outcome, Ask) and outcome.code == "cards_unclear"]  # fmt: skip

    def seen(self) -> list[CardsSeen]:
        return [news.message for news in list(self.news) if isinstance(news.message, CardsSeen)]


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[Wired]:
    wired = Wired(tmp_path / "showdowns")
    wired.runner.start()
    wired.eye.look_for(wired.table)
    wired.eye.start()
    yield wired
    wired.eye.close()
    wired.runner.stop()


def test_cards_are_read_at_the_showdown_and_counted(wired: Wired) -> None:
    wired.say(*TO_SHOWDOWN)
    assert wired.table.state.phase is Phase.SHOWDOWN
    wired.camera.frames = shown()
    assert wired.until(lambda: wired.table.state.phase is Phase.COUNT)
    real = {seat: {seen.card for seen in scenes.truth(table_of_cards()) if seen.seat == seat}
            for seat in (1, 2, 3, 4)}  # fmt: skip
    told = dict(hand for message in wired.seen() for hand in message.hands)
    assert {seat: set(hand) for seat, hand in told.items()} == {s: real[s] for s in told}
    assert told


def test_before_the_showdown_no_card_is_read_or_kept(wired: Wired) -> None:
    wired.camera.frames = shown()
    wired.say("no hay mus", "envido")
    count = wired.camera.count
    assert wired.until(lambda: wired.camera.count > count + 40)
    assert wired.seen() == []
    assert not wired.folder.exists()


def test_a_missing_hand_is_asked_for_by_name_after_a_while_and_not_repeatedly(
    wired: Wired,
) -> None:
    wired.now = 100.0
    wired.say(*TO_SHOWDOWN)
    wired.camera.frames = shown((2, 4))
    assert wired.until(lambda: bool(wired.seen()))
    assert wired.asked() == []
    wired.now = 105.0
    assert wired.until(lambda: bool(wired.asked()))
    count = wired.camera.count
    assert wired.until(lambda: wired.camera.count > count + 40)
    assert wired.asked() == ["Norte, enseña las cartas."]


def test_an_undone_hand_is_not_read_again_until_something_moves(wired: Wired) -> None:
    wired.say(*TO_SHOWDOWN)
    wired.camera.frames = shown()
    assert wired.until(lambda: wired.table.state.phase is Phase.COUNT)
    wired.runner.post(Pressed(Command.UNDO)).result(60)
    assert wired.table.state.phase is Phase.SHOWDOWN
    before, count = len(wired.seen()), wired.camera.count
    assert wired.until(lambda: wired.camera.count > count + 40)
    assert len(wired.seen()) == before
    wired.camera.frames = shown(())
    count = wired.camera.count
    assert wired.until(lambda: wired.camera.count > count + 5)
    wired.camera.frames = shown()
    assert wired.until(lambda: wired.table.state.phase is Phase.COUNT)


def test_a_zone_marked_during_a_showdown_counts_at_once(wired: Wired) -> None:
    nowhere = {1: np.array([[0, 0], [40, 0], [40, 40], [0, 40.0]])}
    wired.eye.calibrated(replace(calibration(), zones=nowhere))
    wired.say(*TO_SHOWDOWN)
    wired.camera.frames = shown()
    count = wired.camera.count
    assert wired.until(lambda: wired.camera.count > count + 40)
    assert wired.seen() == []
    wired.eye.calibrated(calibration())
    assert wired.until(lambda: wired.table.state.phase is Phase.COUNT)


def test_the_pictures_of_a_showdown_are_kept_with_the_cards_that_were_read(wired: Wired) -> None:
    wired.say(*TO_SHOWDOWN)
    wired.camera.frames = shown()
    assert wired.until(lambda: len(list(wired.folder.glob("*.jpg"))) == 2)
    assert {path.name for path in wired.folder.glob("*.jpg")} == {
        "00001-mesa.jpg", "00001-leida.jpg"}  # fmt: skip


def test_a_covered_or_lost_camera_is_reported_and_the_game_goes_on(wired: Wired) -> None:
    assert wired.until(lambda: wired.health == ["ok"])
    wired.now = 100.0
    dice = np.random.default_rng(1)
    wired.camera.frames = [np.asarray(dice.integers(0, 4, shown()[0].shape), np.uint8)
                           for _ in range(3)]  # fmt: skip
    count = wired.camera.count
    assert wired.until(lambda: wired.camera.count > count + 5)
    wired.now = 103.0
    assert wired.until(lambda: wired.health[-1] == "black")
    wired.camera.lost = CameraError("gone")
    assert wired.until(lambda: wired.health[-1] == "lost")
    wired.say("no hay mus", "envido")
    assert wired.table.state.pending is not None
    wired.camera.lost = None
    wired.camera.frames = shown(())
    assert wired.until(lambda: wired.health[-1] == "ok")


def sighting(
    seat: int, x: float, card: str | None, *likely: tuple[str, float], unread: Unread | None = None
) -> Sighting:
    quad = np.array([[x, 0], [x + 60, 0], [x + 60, 90], [x, 90.0]])
    told = tuple((parse_card(name), chance) for name, chance in likely)
    return Sighting(quad, seat, parse_card(card) if card else None, 0.9, 1.0, unread, told)


def test_a_hand_that_was_read_comes_with_the_likeliest_others_of_each_card() -> None:
    unclear, back = Unread.UNCLEAR, Unread.BACK
    seen = (
        sighting(2, 200, "Ro", ("Ro", 0.99), ("Rc", 0.005), ("Re", 0.003), ("Co", 0.001)),
        sighting(
            2, 100, None, ("7e", 0.6), ("6e", 0.3), ("Ro", 0.05), ("5e", 0.02), unread=unclear
        ),
        sighting(2, 300, None, unread=unclear),
        sighting(2, 400, None, ("1b", 0.2), unread=unclear),  # hardly a card at all
        sighting(2, 500, None, ("4b", 0.45), ("5b", 0.1), unread=unclear),  # a doubtful one
        sighting(1, 0, None, unread=back),
        sighting(3, 0, "4o", ("4o", 0.99)),
    )
    reading = Reading(seen, settle((), (1, 2, 3)))
    assert read_hands(reading, (1, 2)) == [
        {
            "seat": 2,
            "cards": [
                {"card": None, "likely": ["7e", "6e", "5e"]},  # the rey de oros lies beside it
                {"card": "Ro", "likely": ["Rc", "Re", "Co"]},
                {"card": None, "likely": []},
                {"card": None, "likely": ["4b", "5b"]},
            ],
        }
    ]


def test_more_cards_than_a_hand_are_not_offered() -> None:
    seen = tuple(sighting(1, 70.0 * at, f"{at + 1}o") for at in range(5))
    assert read_hands(Reading(seen, settle((), (1,))), (1,)) == []


def test_what_was_read_is_told_in_the_showdown_alone(wired: Wired) -> None:
    wired.camera.frames = shown()
    wired.say("no hay mus", "envido", "quiero")
    assert wired.eye.read_hands() == []
    wired.say(*TO_SHOWDOWN[3:])
    assert wired.until(lambda: wired.table.state.phase is Phase.COUNT)
    assert wired.eye.read_hands() == []
    wired.runner.post(Pressed(Command.UNDO)).result(60)  # "corrige": cards lie open again
    hands = {hand["seat"]: hand["cards"] for hand in wired.eye.read_hands()}
    assert set(hands) == {1, 2, 3, 4}
    for seat, hand in enumerate(wired.table.state.hands, start=1):
        if hand is not None:
            assert sorted(map(str, hand)) == sorted(str(one["card"]) for one in hands[seat])
    sure = {one["card"] for cards in hands.values() for one in cards}
    offered = [one["likely"] for cards in hands.values() for one in cards]
    assert all(len(likely) <= 3 and not sure & set(likely) for likely in offered)
    assert sum(map(bool, offered)) > 12
