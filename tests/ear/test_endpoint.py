"""Hearing the end of speech by loudness, in quiet rooms and in loud ones."""

import numpy as np
import pytest

from assistant.ear.audio import RATE, Samples, to_int16
from assistant.ear.endpoint import Endpoint
from tests.ear import wav

BLOCK = RATE // 20


def room(seconds: float, decibels: float, seed: int = 0) -> wav.Floats:
    noise = np.random.default_rng(seed).standard_normal(round(seconds * RATE))
    return np.asarray(noise * 10 ** (decibels / 20))


def spoken(
    background: float, speech: float, *spans: tuple[float, float], seconds: float
) -> Samples:
    """A noisy room (levels in dB below full scale) with a voice-like buzz in the spans."""
    sound = room(seconds, background)
    rng = np.random.default_rng(1)
    for start, end in spans:
        part = slice(round(start * RATE), round(end * RATE))
        count = part.stop - part.start
        buzz = sum(wav.tone(h, count / RATE, RATE, 1.0) for h in (180, 700, 1_300, 2_500))
        hiss = rng.standard_normal(count)
        sound[part] += (buzz + hiss) / 2 * 10 ** (speech / 20)
    return to_int16(sound.astype(np.float32))


def silences(endpoint: Endpoint, sound: Samples) -> list[float]:
    """What the endpoint says after each block."""
    found = []
    for start in range(0, len(sound), BLOCK):
        endpoint.feed(sound[start : start + BLOCK])
        found.append(endpoint.silence)
    return found


@pytest.mark.parametrize(
    ("background", "speech"), [(-80.0, -25.0), (-60.0, -20.0), (-45.0, -20.0), (-35.0, -15.0)]
)
def test_silence_is_counted_from_the_end_of_speech_in_any_room(
    background: float, speech: float
) -> None:
    sound = spoken(background, speech, (1.0, 1.6), seconds=2.5)
    found = silences(Endpoint(), sound)
    assert max(found[int(1.15 * 20) : int(1.6 * 20)]) < 0.1
    assert found[-1] == pytest.approx(0.9, abs=0.08)


def test_a_short_pause_inside_a_phrase_stays_short_of_an_end() -> None:
    sound = spoken(-55, -20, (1.0, 1.3), (1.53, 2.0), seconds=2.0)
    assert max(silences(Endpoint(), sound)[int(1.1 * 20) :]) < 0.27


def test_a_room_that_rings_puts_the_end_off_by_little() -> None:
    """In half a second of reverberation a voice is 32 dB down after 0.27 s, 20 dB after 0.17 s."""
    sound = spoken(-80, -20, (1.0, 1.6), seconds=2.5).astype(np.float64)
    ring = np.random.default_rng(4).standard_normal(round(0.9 * RATE)) * 10 ** (-20 / 20) * 32768
    ring *= 10 ** (-60 / 0.5 * np.arange(len(ring)) / RATE / 20)
    sound[round(1.6 * RATE) :] += ring
    endpoint = Endpoint()
    assert silences(endpoint, np.clip(sound, -32768, 32767).astype(np.int16))[-1] > 0.9 - 0.21
    assert endpoint.share_in_front(1.75, 1.82) > 0.9, "a faint word may still be spoken there"


def test_a_fan_that_is_switched_on_becomes_the_new_silence() -> None:
    quiet, fan = room(2, -75), room(5, -40, seed=2)
    endpoint = Endpoint()
    silences(endpoint, to_int16(np.concatenate([quiet, fan]).astype(np.float32)))
    assert endpoint.silence > 1.0


def test_a_dead_microphone_is_silent_and_not_speaking() -> None:
    endpoint = Endpoint()
    silences(endpoint, np.zeros(RATE, np.int16))
    assert endpoint.silence == pytest.approx(1.0, abs=0.02)


def test_the_cuts_between_blocks_change_nothing() -> None:
    sound = spoken(-60, -20, (0.5, 0.9), seconds=1.5)
    one, other = Endpoint(), Endpoint()
    one.feed(sound)
    rng = np.random.default_rng(3)
    for piece in np.split(sound, np.sort(rng.integers(0, len(sound), 40))):
        other.feed(piece)
    assert one.silence == other.silence


def test_a_word_is_trimmed_to_its_sound() -> None:
    endpoint = Endpoint()
    silences(endpoint, spoken(-60, -20, (1.0, 1.4), seconds=2.0))
    assert endpoint.speech_within(0.2, 1.9) == pytest.approx((1.0, 1.4), abs=0.05)


def test_a_span_without_speech_holds_none() -> None:
    endpoint = Endpoint()
    silences(endpoint, spoken(-60, -20, (1.0, 1.4), seconds=2.0))
    assert endpoint.speech_within(0.1, 0.5) is None
    assert endpoint.speech_within(30.0, 31.0) is None


def test_a_loud_knock_before_a_low_voice_does_not_make_it_silence() -> None:
    sound = spoken(-70, -45, (1.5, 2.1), seconds=2.1)
    sound[RATE // 5 : RATE // 5 + 400] = 32_000
    assert max(silences(Endpoint(), sound)[int(1.65 * 20) :]) < 0.1
