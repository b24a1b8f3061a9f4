"""The calls of the hall's voice: each at most twice, and once when ten minutes are left."""

from __future__ import annotations

import threading
import time

import pytest
from sqlalchemy import Engine

from assistant.hall.hub.calls import (
    FRESH_S,
    STALE_S,
    TWICE_AFTER_S,
    Announcements,
    CallingThread,
)
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.tournament import (
    Act,
    CallingSet,
    ResultCountersigned,
    ResultEntered,
    RoundClockSet,
    TableAssigned,
)
from assistant.page.app import page_words
from tests.hall.hub.test_release import MORE
from tests.hall.hub.test_tournaments import Clock, begun
from tests.hall.tournament.playing import both

pytestmark = pytest.mark.parametrize("where", ["sqlite"], indirect=True)
ON = CallingSet(True, 0, "Juez")
WORDS = page_words("hall", "es")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(engine: Engine, clock: Clock) -> Ledger:
    ledger = Ledger(engine, clock)
    begun(ledger, pairs=MORE)
    return ledger


def do(ledger: Ledger, *acts: Act) -> None:
    ledger.do(1, lambda _t: acts)


def said(voice: Announcements) -> list[str]:
    """All that is said at this moment, one sentence after the other."""
    found = []
    while sentence := voice.next():
        found.append(sentence)
    return found


def sentence_of(ledger: Ledger, match: str, table: str) -> str:
    now = ledger.standing(1).tournament
    one, other = (now.pairs[pair].name for pair in both(now, match))
    return f"{table}: {one} contra {other}."


def test_a_call_is_said_twice_and_no_more(ledger: Ledger, clock: Clock) -> None:
    voice = Announcements(ledger, WORDS)
    do(ledger, ON, TableAssigned("K1.1", "mesa-4"))
    wanted = [sentence_of(ledger, "K1.1", "Mesa 4")]
    assert said(voice) == wanted
    assert said(voice) == []
    clock.now += TWICE_AFTER_S
    assert said(voice) == wanted
    for _ in range(20):
        clock.now += TWICE_AFTER_S
        assert said(voice) == []


def test_a_call_is_not_repeated_once_its_table_plays_or_has_its_result(
    ledger: Ledger, clock: Clock
) -> None:
    playing: set[str] = set()
    voice = Announcements(ledger, WORDS, playing.__contains__)
    do(ledger, ON, TableAssigned("K1.1", "mesa-4"), TableAssigned("K1.2", "el rincón"))
    assert said(voice) == [
        sentence_of(ledger, "K1.1", "Mesa 4"), sentence_of(ledger, "K1.2", "el rincón"),
    ]  # fmt: skip
    playing.add("mesa-4")
    do(ledger, ResultEntered("K1.2", (1, 0), (0, 0), "Ana"), ResultCountersigned("K1.2", "Luis"))
    clock.now += TWICE_AFTER_S
    assert said(voice) == []


def test_a_match_moved_to_another_table_is_called_there(ledger: Ledger, clock: Clock) -> None:
    voice = Announcements(ledger, WORDS)
    do(ledger, ON, TableAssigned("K1.1", "mesa-4"))
    said(voice)
    clock.now += 30
    do(ledger, TableAssigned("K1.1", "mesa-9"))
    assert said(voice) == [sentence_of(ledger, "K1.1", "Mesa 9")]


def test_a_pause_silences_the_calls_and_their_second_time(ledger: Ledger, clock: Clock) -> None:
    voice = Announcements(ledger, WORDS)
    do(ledger, ON, TableAssigned("K1.1", "mesa-4"))
    said(voice)
    do(ledger, CallingSet(False, 0, "Juez"), TableAssigned("K1.2", "mesa-5"))
    assert said(voice) == []
    clock.now += TWICE_AFTER_S
    assert said(voice) == []
    do(ledger, ON)
    assert said(voice) == [
        sentence_of(ledger, "K1.2", "Mesa 5"), sentence_of(ledger, "K1.1", "Mesa 4"),
    ]  # fmt: skip


def test_a_long_pause_forgets_the_second_time(ledger: Ledger, clock: Clock) -> None:
    voice = Announcements(ledger, WORDS)
    do(ledger, ON, TableAssigned("K1.1", "mesa-4"))
    said(voice)
    do(ledger, CallingSet(False, 0, "Juez"))
    clock.now += STALE_S
    do(ledger, ON)
    assert said(voice) == []


def test_a_hub_that_starts_in_the_middle_says_no_old_calls(ledger: Ledger, clock: Clock) -> None:
    do(ledger, ON, TableAssigned("K1.1", "mesa-4"))
    clock.now += FRESH_S
    do(ledger, TableAssigned("K1.2", "mesa-5"))
    voice = Announcements(ledger, WORDS)
    assert said(voice) == [sentence_of(ledger, "K1.2", "Mesa 5")]


def test_ten_minutes_are_said_once_and_then_that_time_is_up(ledger: Ledger, clock: Clock) -> None:
    do(ledger, RoundClockSet(int(clock.now) + 3_600, "Juez"))
    voice = Announcements(ledger, WORDS)
    heard: list[tuple[float, str]] = []
    began = clock.now
    while clock.now < began + 4_000:
        heard += [((clock.now - began) / 60, sentence) for sentence in said(voice)]
        clock.now += 5
    assert heard == [(50, "Faltan 10 minutos."), (60, "Se acabó el tiempo.")]


def test_a_round_that_is_prolonged_is_announced_anew(ledger: Ledger, clock: Clock) -> None:
    do(ledger, RoundClockSet(int(clock.now) + 300, "Juez"))
    voice = Announcements(ledger, WORDS)
    assert said(voice) == ["Faltan 5 minutos."]
    do(ledger, RoundClockSet(int(clock.now) + 1_200, "Juez"))
    assert said(voice) == []
    clock.now += 600
    assert said(voice) == ["Faltan 10 minutos."]


def test_a_hub_that_starts_long_after_the_end_says_nothing(ledger: Ledger, clock: Clock) -> None:
    do(ledger, RoundClockSet(int(clock.now) - 300, "Juez"))
    assert said(Announcements(ledger, WORDS)) == []


def test_a_call_in_each_language(ledger: Ledger) -> None:
    now = ledger.standing(1).tournament
    do(ledger, ON, TableAssigned("K1.1", "mesa-4"))
    one, other = (now.pairs[pair].name for pair in both(now, "K1.1"))
    assert {
        code: Announcements(ledger, page_words("hall", code)).next() for code in ("es", "eu", "en")
    } == {
        "es": f"Mesa 4: {one} contra {other}.",
        "eu": f"Mahaia 4: {one} eta {other}.",
        "en": f"Table 4: {one} against {other}.",
    }


class SlowVoice:
    """A voice that is busy until somebody lets it end."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.free = threading.Event()
        self.closed = False

    @property
    def busy(self) -> bool:
        return bool(self.heard) and not self.free.is_set()

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        assert urgent
        assert seq == len(self.heard) + 1
        self.heard.append(text)

    def close(self) -> None:
        self.closed = True


def wait_for(true: object, seconds: float = 10.0) -> None:
    assert callable(true)
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_the_hall_calls_by_itself_and_says_one_sentence_after_the_other(ledger: Ledger) -> None:
    voice = SlowVoice()
    desk = Desk(ledger, lambda: ["mesa-1", "mesa-2"])
    thread = CallingThread(desk, Announcements(ledger, WORDS), voice, every=0.01)
    thread.start()
    do(ledger, ON)
    wait_for(lambda: voice.heard)
    time.sleep(0.1)
    assert len(voice.heard) == 1  # the second waits for the end of the first
    voice.free.set()
    wait_for(lambda: len(voice.heard) == 2)
    thread.stop()
    assert voice.closed
    tables = ledger.standing(1).tournament.tables
    assert tables == {"K1.1": "mesa-1", "K1.2": "mesa-2"}
    assert voice.heard == [
        sentence_of(ledger, "K1.1", "Mesa 1"), sentence_of(ledger, "K1.2", "Mesa 2"),
    ]  # fmt: skip
