"""A voice stands out from the room's noise, whatever its colour, and the noise never does."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from assistant.ear.audio import RATE, Samples
from assistant.ear.endpoint import ABOVE_ROOM, FAINT, FRAME, Room

Sound = npt.NDArray[np.float64]
SECONDS = 8


def noise(colour: str) -> Sound:
    """Some seconds of a room, of power 1."""
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
    """A third of a second of something like an "o", of power 1."""
    time = np.arange(RATE // 3) / RATE
    loudness = 1 / (1 + (np.arange(1, 30) * 130 / 600) ** 4)
    tones = np.sin(2 * np.pi * 130 * np.outer(np.arange(1, 30), time))
    sound = loudness @ tones
    return np.asarray(sound / sound.std())


def samples(sound: Sound) -> Samples:
    return np.asarray(np.clip(sound * 300, -32768, 32767), np.int16)


@pytest.mark.parametrize("colour", ["hiss", "hum", "rumble"])
def test_steady_noise_is_silence(colour: str) -> None:
    above = Room().feed(samples(noise(colour)))
    assert max(above[100:]) < ABOVE_ROOM - 4
    assert np.mean(np.array(above[100:]) > FAINT) < 0.01


@pytest.mark.parametrize("colour", ["hiss", "hum", "rumble"])
def test_a_voice_little_louder_than_the_noise_is_told_from_it(colour: str) -> None:
    """Twice as strong; what rumbles is as low as a voice, so it takes twice that."""
    sound, said = noise(colour), (4 if colour == "rumble" else 2) * vowel()
    at = 5 * RATE
    sound[at : at + len(said)] += said
    above = np.array(Room().feed(samples(sound)))
    voice = above[at // FRAME + 4 : (at + len(said)) // FRAME - 4]
    assert np.mean(voice > ABOVE_ROOM) > 0.9


def test_silence_has_no_voice_and_the_least_sound_does_not_stand_out() -> None:
    room = Room()
    assert max(room.feed(np.zeros(2 * RATE, np.int16))) < 1
    assert max(room.feed(np.ones(RATE, np.int16))) < ABOVE_ROOM


def test_the_size_of_the_blocks_changes_nothing() -> None:
    sound = samples(noise("hiss"))
    whole = Room().feed(sound)
    room = Room()
    pieces = [above for piece in np.array_split(sound, 301) for above in room.feed(piece)]
    assert len(whole) == len(pieces) == len(sound) // FRAME
    assert pieces == pytest.approx(whole)


def test_a_room_that_grows_louder_is_silence_again_after_three_seconds() -> None:
    quiet, loud = noise("hiss"), 20 * noise("hiss")
    room = Room()
    room.feed(samples(quiet))
    above = room.feed(samples(loud))
    assert above[50] > ABOVE_ROOM
    assert max(above[310:]) < ABOVE_ROOM
