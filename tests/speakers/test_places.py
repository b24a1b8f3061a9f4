"""Where a voice came from: by the levels of the channels, known beforehand or learnt."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from assistant.ear.audio import RATE
from assistant.ear.source import BLOCK
from assistant.speakers.network import Array
from assistant.speakers.who_spoke import ENOUGH, ChannelLevels, SeatPatterns

LENGTH = BLOCK / RATE
QUIET = -60.0
BEFORE_SEATS = {1: 0, 2: 1, 3: 2, 4: 3}


def spoken(levels: tuple[float, ...], noise: float = QUIET) -> ChannelLevels:
    """A second of the room's noise, half a second of somebody, and the room again."""
    heard = ChannelLevels()
    for at in range(1, 41):
        voice = 20 < at <= 30
        row = [10 * np.log10(10 ** (level / 10) * voice + 10 ** (noise / 10)) for level in levels]
        heard.feed(at * LENGTH, tuple(float(level) for level in row))
    return heard


def pattern(levels: tuple[float, ...], noise: float = QUIET) -> Array:
    found = spoken(levels, noise).pattern(1.0, 1.5)
    assert found is not None
    return found


def nearest(seat: int, apart: float = 8.0) -> tuple[float, ...]:
    return tuple(-30.0 if at == seat else -30.0 - apart for at in (1, 2, 3, 4))


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_who_speaks_is_who_sits_at_the_loudest_microphone(seat: int) -> None:
    shares = SeatPatterns(4, BEFORE_SEATS).of(pattern(nearest(seat)))
    assert np.argmax(shares) + 1 == seat
    assert max(shares) > 0.85
    assert sum(shares) <= 1


def test_a_pattern_is_the_same_however_loud_somebody_speaks() -> None:
    quiet = tuple(level - 15 for level in nearest(2))
    assert pattern(nearest(2)) == pytest.approx(pattern(quiet), abs=0.5)


def test_the_noise_of_a_channel_is_no_voice() -> None:
    heard = ChannelLevels()
    for at in range(1, 41):
        heard.feed(at * LENGTH, (-60.0, -30.0))
    assert heard.pattern(1.0, 1.5) is None
    assert np.argmax(pattern(nearest(3), noise=-36.0)) == 2


def test_what_lies_in_no_span_is_not_looked_at() -> None:
    heard = spoken(nearest(2))
    assert heard.pattern(0.1, 0.9) is None
    assert heard.pattern(90.0, 91.0) is None


def test_one_channel_tells_nothing() -> None:
    heard = ChannelLevels()
    for at in range(1, 41):
        heard.feed(at * LENGTH, (-20.0,))
    assert heard.pattern(1.0, 1.5) is None
    assert SeatPatterns(4, BEFORE_SEATS).of(None) == ()


def test_another_sound_card_begins_anew() -> None:
    heard = spoken(nearest(2))
    heard.feed(3.0, (-30.0, -60.0))
    assert heard.pattern(1.0, 1.5) is None


def array_of_two() -> Iterator[tuple[int, Array]]:
    """Four seats around two microphones, which no seat has for its own."""
    for seat, apart in ((1, -9.0), (2, -3.0), (3, 3.0), (4, 9.0)):
        yield seat, np.array([apart / 2, -apart / 2])


def test_the_seats_of_an_array_are_learnt_from_calls_whose_speaker_is_known() -> None:
    patterns = SeatPatterns(4)
    for seat, seen in array_of_two():
        assert patterns.of(seen) == ()
        for _ in range(int(ENOUGH) + 5):
            patterns.learn(seat, seen)
    for seat, seen in array_of_two():
        assert np.argmax(patterns.of(seen)) + 1 == seat


def test_a_microphone_that_is_weaker_than_the_others_is_learnt() -> None:
    weak = np.array([0.0, 0.0, -9.0, 0.0])
    patterns = SeatPatterns(4, BEFORE_SEATS)

    def seen(seat: int) -> Array:
        found = np.array(nearest(seat)) + weak
        return np.asarray(found - found.mean())

    before = patterns.of(seen(3))[2]
    for seat in (1, 2, 3, 4):
        for _ in range(10):
            patterns.learn(seat, seen(seat))
    assert patterns.of(seen(3))[2] > max(0.9, before)


def test_a_doubtful_call_teaches_less() -> None:
    sure, doubtful = SeatPatterns(2), SeatPatterns(2)
    for seat, seen in ((1, np.array([3.0, -3.0])), (2, np.array([-3.0, 3.0]))):
        for _ in range(4):
            sure.learn(seat, seen)
            doubtful.learn(seat, seen, 0.5)
    assert sure.of(np.array([3.0, -3.0]))
    assert doubtful.of(np.array([3.0, -3.0])) == ()


def test_what_is_learnt_of_another_card_is_forgotten() -> None:
    patterns = SeatPatterns(2, {1: 0, 2: 1})
    patterns.learn(1, np.array([3.0, -3.0]))
    patterns.learn(1, np.array([6.0, -2.0, -4.0]))
    assert np.argmax(patterns.of(np.array([-2.0, 6.0, -4.0]))) == 1


def test_what_comes_from_no_seat_is_somebody_elses() -> None:
    shares = SeatPatterns(4, BEFORE_SEATS).of(np.array([8.0, 8.0, -8.0, -8.0]))
    assert sum(shares) < 0.5
