"""Warnings about a badly set up microphone: in time, once, and without flickering."""

import numpy as np

from assistant.ear.audio import RATE, Samples
from assistant.ear.levels import DEAD, TOO_FAINT, TOO_LOUD, TOO_NOISY, TOO_SLOW, LevelMeter
from assistant.ear.source import BLOCK
from tests.tables import each_row


class Meter:
    """A level meter with the clock of its stream."""

    def __init__(self) -> None:
        self.meter = LevelMeter()
        self.now = 0.0
        self.notes: list[str] = []

    def hear(self, level: float | None, seconds: float, dropped: int = 0) -> None:
        """Hear noise at this level in dB below full scale; with None, exact zeros."""
        dice = np.random.default_rng(7)
        for _ in range(round(seconds * RATE / BLOCK)):
            scale = 0.0 if level is None else 32768 * 10 ** (level / 20)
            sound: Samples = np.clip(dice.normal(0, scale, BLOCK), -32768, 32767).astype(np.int16)
            self.now += BLOCK / RATE
            self.meter.feed(sound, dropped, self.now)
            if not self.notes or self.notes[-1] != self.meter.note:
                self.notes.append(self.meter.note)

    def call(self, level: float, room: float) -> None:
        """Hear a call that is understood, in a room of this level."""
        self.hear(room, 3.0)
        began = self.now
        self.hear(level, 0.8)
        self.meter.heard([(began, self.now)])


def test_a_microphone_that_gives_only_zeros_is_dead_within_five_seconds() -> None:
    one = Meter()
    one.hear(None, 3.5)
    assert one.notes == [""]
    one.hear(None, 1.0)
    assert one.notes == ["", DEAD]


def test_a_microphone_that_comes_alive_is_not_dead_any_more() -> None:
    one = Meter()
    one.hear(None, 6.0)
    one.hear(-50, 0.1)
    assert one.notes == ["", DEAD, ""]


def test_a_microphone_that_gives_zeros_between_calls_is_not_dead() -> None:
    one = Meter()
    for _ in range(6):
        one.hear(-20, 1.0)
        one.hear(None, 12.0)
    assert one.notes == [""]
    one.hear(None, 20.0)
    assert one.notes == ["", DEAD]


def test_an_overdriven_microphone_is_reported_and_the_warning_stays_through_a_pause() -> None:
    one = Meter()
    one.hear(0, 10.0)
    one.hear(-50, 10.0)
    one.hear(0, 10.0)
    assert one.notes == ["", TOO_LOUD]
    one.hear(-50, 20.0)
    assert one.notes == ["", TOO_LOUD, ""]


def test_lost_sound_is_reported_once() -> None:
    one = Meter()
    one.hear(-50, 10.0, dropped=3)
    one.hear(-50, 20.0, dropped=3)
    assert one.notes == ["", TOO_SLOW, ""]


@each_row("level, room, note", [
    (-25, -28.5, TOO_NOISY), (-25, -40, ""), (-50, -75, TOO_FAINT), (-40, -60, ""),
])  # fmt: skip
def test_calls_that_hardly_stand_out_are_reported(level: float, room: float, note: str) -> None:
    one = Meter()
    for _ in range(8):
        one.call(level, room)
    assert one.notes == ["", note] if note else [""]


def test_a_roaring_room_is_reported_without_a_call() -> None:
    one = Meter()
    one.hear(-20, 10.0)
    assert one.notes[-1] == TOO_NOISY


def test_a_voice_at_the_border_does_not_make_the_warning_flicker() -> None:
    one = Meter()
    for _ in range(6):
        one.call(-35, -40)
    for out in (7, 5, 7, 5, 7, 5, 7, 7):
        one.call(-40 + out, -40)
    assert one.notes == ["", TOO_NOISY]
    for _ in range(15):
        one.call(-20, -40)
    assert one.notes == ["", TOO_NOISY, ""]
