"""Endpoint detection against the noise of the room, and speech that no word accounts for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from assistant.ear.audio import RATE, Samples, to_int16
from assistant.ear.endpoint import ABOVE_ROOM, FAINT, FRAME, Endpoint, Room
from tests.ear import wav
from tests.tables import each_row

# ---- Finding the end of speech by loudness, in quiet and loud rooms -----------------------------


BLOCK = RATE // 20


def room(seconds: float, decibels: float, seed: int = 0) -> wav.Floats:
    noise = np.random.default_rng(seed).standard_normal(round(seconds * RATE))
    return np.asarray(noise * 10 ** (decibels / 20))


def spoken(
    background: float, speech: float, *spans: tuple[float, float], seconds: float
) -> Samples:
    """A noisy room with a voice-like buzz in the spans. Levels are in dB below full scale."""
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
    """The silence that the endpoint reports after each block."""
    found = []
    for start in range(0, len(sound), BLOCK):
        endpoint.feed(sound[start : start + BLOCK])
        found.append(endpoint.silence)
    return found


@each_row("background, speech", [(-80.0, -25.0), (-60.0, -20.0), (-45.0, -20.0), (-35.0, -15.0)])
def test_silence_is_counted_from_the_end_of_speech_in_any_room(
    background: float, speech: float
) -> None:
    sound = spoken(background, speech, (1.0, 1.6), seconds=2.5)
    found = silences(Endpoint(), sound)
    assert max(found[int(1.15 * 20) : int(1.6 * 20)]) < 0.1
    assert found[-1] == pytest.approx(0.9, abs=0.08)


def test_a_short_pause_inside_a_phrase_is_no_end() -> None:
    sound = spoken(-55, -20, (1.0, 1.3), (1.53, 2.0), seconds=2.0)
    assert max(silences(Endpoint(), sound)[int(1.1 * 20) :]) < 0.27


def test_reverberation_delays_the_end_only_a_little() -> None:
    """With 0.5 s of reverberation a voice falls by 20 dB in 0.17 s and by 32 dB in 0.27 s."""
    sound = spoken(-80, -20, (1.0, 1.6), seconds=2.5).astype(np.float64)
    ring = np.random.default_rng(4).standard_normal(round(0.9 * RATE)) * 10 ** (-20 / 20) * 32768
    ring *= 10 ** (-60 / 0.5 * np.arange(len(ring)) / RATE / 20)
    sound[round(1.6 * RATE) :] += ring
    endpoint = Endpoint()
    assert silences(endpoint, np.clip(sound, -32768, 32767).astype(np.int16))[-1] > 0.9 - 0.21
    assert endpoint.share_in_front(1.75, 1.82) > 0.9, "a faint word may still be spoken there"


def test_the_noise_of_a_fan_that_is_switched_on_becomes_silence() -> None:
    quiet, fan = room(2, -75), room(5, -40, seed=2)
    endpoint = Endpoint()
    silences(endpoint, to_int16(np.concatenate([quiet, fan]).astype(np.float32)))
    assert endpoint.silence > 1.0


def test_a_dead_microphone_is_silent() -> None:
    endpoint = Endpoint()
    silences(endpoint, np.zeros(RATE, np.int16))
    assert endpoint.silence == pytest.approx(1.0, abs=0.02)


def test_the_size_of_the_blocks_does_not_change_the_endpoint() -> None:
    sound = spoken(-60, -20, (0.5, 0.9), seconds=1.5)
    one, other = Endpoint(), Endpoint()
    one.feed(sound)
    rng = np.random.default_rng(3)
    for piece in np.split(sound, np.sort(rng.integers(0, len(sound), 40))):
        other.feed(piece)
    assert one.silence == other.silence


def test_the_span_of_a_word_is_trimmed_to_its_sound() -> None:
    endpoint = Endpoint()
    silences(endpoint, spoken(-60, -20, (1.0, 1.4), seconds=2.0))
    assert endpoint.speech_within(0.2, 1.9) == pytest.approx((1.0, 1.4), abs=0.05)


def test_a_span_without_speech_is_trimmed_to_nothing() -> None:
    endpoint = Endpoint()
    silences(endpoint, spoken(-60, -20, (1.0, 1.4), seconds=2.0))
    assert endpoint.speech_within(0.1, 0.5) is None
    assert endpoint.speech_within(30.0, 31.0) is None


def test_after_a_loud_knock_a_low_voice_is_still_speech() -> None:
    sound = spoken(-70, -45, (1.5, 2.1), seconds=2.1)
    sound[RATE // 5 : RATE // 5 + 400] = 32_000
    assert max(silences(Endpoint(), sound)[int(1.65 * 20) :]) < 0.1


# ---- A voice stands out from noise of any colour; the noise itself never does -------------------


Sound = npt.NDArray[np.float64]
SECONDS = 8


def noise(colour: str) -> Sound:
    """Some seconds of noise of this colour, of power 1."""
    rng = np.random.default_rng(7)
    white = rng.standard_normal(SECONDS * RATE)
    if colour == "hiss":
        return white
    if colour == "hum":
        tone = np.sin(2 * np.pi * 120 * np.arange(len(white)) / RATE)
        return np.asarray(1.4 * tone + 0.1 * white)
    slow = np.convolve(white, np.ones(40) / 40, "same")
    return np.asarray(slow / slow.std())


def vowel() -> Sound:
    """A third of a second of a sound like an "o", of power 1."""
    time = np.arange(RATE // 3) / RATE
    loudness = 1 / (1 + (np.arange(1, 30) * 130 / 600) ** 4)
    tones = np.sin(2 * np.pi * 130 * np.outer(np.arange(1, 30), time))
    sound = loudness @ tones
    return np.asarray(sound / sound.std())


def samples(sound: Sound) -> Samples:
    return np.asarray(np.clip(sound * 300, -32768, 32767), np.int16)


@each_row("colour", ["hiss", "hum", "rumble"])
def test_steady_noise_is_silence(colour: str) -> None:
    above = Room().feed(samples(noise(colour)))
    assert max(above[100:]) < ABOVE_ROOM - 4
    assert np.mean(np.array(above[100:]) > FAINT) < 0.01


@each_row("colour", ["hiss", "hum", "rumble"])
def test_a_voice_little_louder_than_the_noise_is_speech(colour: str) -> None:
    """It is twice as strong as the noise.

    In low rumbling, which is as low as a voice, four times.
    """
    sound, said = noise(colour), (4 if colour == "rumble" else 2) * vowel()
    at = 5 * RATE
    sound[at : at + len(said)] += said
    above = np.array(Room().feed(samples(sound)))
    voice = above[at // FRAME + 4 : (at + len(said)) // FRAME - 4]
    assert np.mean(voice > ABOVE_ROOM) > 0.9


def test_silence_is_no_speech_and_the_faintest_sound_does_not_stand_out() -> None:
    room = Room()
    assert max(room.feed(np.zeros(2 * RATE, np.int16))) < 1
    assert max(room.feed(np.ones(RATE, np.int16))) < ABOVE_ROOM


def test_the_size_of_the_blocks_does_not_change_the_silences() -> None:
    sound = samples(noise("hiss"))
    whole = Room().feed(sound)
    room = Room()
    pieces = [above for piece in np.array_split(sound, 301) for above in room.feed(piece)]
    assert len(whole) == len(pieces) == len(sound) // FRAME
    assert pieces == pytest.approx(whole)


def test_a_room_that_grows_louder_is_silent_again_after_three_seconds() -> None:
    quiet, loud = noise("hiss"), 20 * noise("hiss")
    room = Room()
    room.feed(samples(quiet))
    above = room.feed(samples(loud))
    assert above[50] > ABOVE_ROOM
    assert max(above[310:]) < ABOVE_ROOM


# ---- Speech that no word accounts for is talk; noise is not speech ------------------------------


LEAST = 0.15


def fed(background: float, *speech: tuple[float, float]) -> Endpoint:
    endpoint = Endpoint()
    endpoint.feed(spoken(background, -20, *speech, seconds=3.0))
    return endpoint


def test_words_that_cover_the_speech_leave_no_unknown_speech() -> None:
    endpoint = fed(-70, (1.0, 1.5), (1.7, 2.1))
    assert endpoint.unexplained([(1.0, 1.5), (1.7, 2.1)], 0.0, LEAST) == []


def test_speech_before_between_and_after_the_words_is_found() -> None:
    endpoint = fed(-70, (0.5, 2.5))
    found = endpoint.unexplained([(0.9, 1.2), (1.7, 2.0)], 0.0, LEAST)
    for (start, end), (wanted_start, wanted_end) in zip(
        found, [(0.5, 0.84), (1.26, 1.64), (2.06, 2.5)], strict=True
    ):
        assert start == pytest.approx(wanted_start, abs=0.05)
        assert end == pytest.approx(wanted_end, abs=0.05)


def test_a_knock_is_too_short_to_be_speech() -> None:
    endpoint = fed(-70, (1.0, 1.5), (1.8, 1.86))
    assert endpoint.unexplained([(1.0, 1.5)], 0.0, LEAST) == []


def test_speech_before_the_utterance_does_not_belong_to_it() -> None:
    endpoint = fed(-70, (0.3, 0.8), (1.5, 2.0))
    assert endpoint.unexplained([(1.5, 2.0)], 1.0, LEAST) == []


def test_a_distant_voice_is_not_as_loud_as_the_words() -> None:
    near = spoken(-70, -20, (1.5, 2.0), seconds=3.0).astype(np.float32)
    far = spoken(-70, -35, (0.5, 1.3), seconds=3.0).astype(np.float32)
    endpoint = Endpoint()
    endpoint.feed(to_int16(((near + far) / 32768).astype(np.float32)))
    assert endpoint.unexplained([(1.5, 2.0)], 0.0, LEAST) == []


def test_in_a_loud_room_no_unknown_speech_is_counted() -> None:
    endpoint = fed(-32, (1.0, 1.5))
    assert endpoint.unexplained([(1.0, 1.2)], 0.0, LEAST) == []


def test_words_older_than_the_remembered_sound_are_no_error() -> None:
    endpoint = fed(-70, (1.0, 1.5))
    endpoint.feed(np.zeros(25 * RATE, np.int16))
    assert endpoint.unexplained([(1.0, 1.5)], 0.0, LEAST) == []
