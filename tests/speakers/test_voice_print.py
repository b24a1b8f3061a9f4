"""Voiceprints: players are told apart, also in noise, and strangers are like none of them."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.ear.audio import RATE, Samples
from assistant.ear.network import Array, Network, read_layers
from assistant.files.paths import data_dir
from assistant.speakers.voice_print import EnrolmentError, Voiceprints, disturbed, listened
from tests.tables import each_row

VOWELS = {"a": (750, 1300), "e": (480, 1850), "i": (320, 2250), "o": (500, 950), "u": (330, 750)}
CALLS = ("ao", "aiao", "eio", "uaeo", "ieo", "oea")
ANA, BEA = (115.0, 1.0), (210.0, 1.17)
CARLOS = (90.0, 0.87)
"""The pitch in Hz, and the factor by which a shorter vocal tract raises the resonances."""


def spoken_call(who: tuple[float, float], call: str, dice: np.random.Generator) -> Samples:
    """Vowels in a row from a vocal tract of that length, in a room with a little noise."""
    pitch, mouth = who[0] * dice.uniform(0.94, 1.06), who[1]
    sound = np.concatenate([_vowel(pitch, mouth, letter) for letter in call])
    return (sound + hiss(len(sound), dice)).astype(np.int16)


def hiss(length: int, dice: np.random.Generator) -> Array:
    return dice.normal(size=length) * 30


def _vowel(pitch: float, mouth: float, letter: str) -> Array:
    time = np.arange(int(0.13 * RATE)) / RATE
    sound = np.zeros(len(time))
    for harmonic in range(1, int(5000 / pitch)):
        hertz = harmonic * pitch
        loud = sum(1 / (1 + ((hertz - mouth * peak) / 120) ** 2) for peak in VOWELS[letter])
        loud += 0.3 / (1 + ((hertz - mouth * 2700) / 200) ** 2)
        sound += loud * np.sin(2 * np.pi * hertz * time + harmonic)
    return sound * np.hanning(len(time)) ** 0.3 * 3000


@pytest.fixture(scope="module")
def network() -> Network:
    return Network(read_layers(data_dir("models") / "mus-es" / "am" / "final.mdl"))


@pytest.fixture(scope="module")
def prints(network: Network) -> Voiceprints:
    dice = np.random.default_rng(1)
    recordings = {
        seat: [spoken_call(who, call, dice) for call in CALLS] for seat, who in ((1, ANA), (2, BEA))
    }
    return Voiceprints.fit(recordings, network)


def test_each_player_is_recognised_by_calls_that_were_not_recorded(prints: Voiceprints) -> None:
    dice = np.random.default_rng(2)
    assert prints.players == (1, 2)
    for call in ("ea", "ouia", "iea"):
        for seat, who in ((1, ANA), (2, BEA)):
            shares = prints.of(spoken_call(who, call, dice))
            assert np.argmax(shares) + 1 == seat
            assert max(shares) > 10 * min(shares)


def test_each_player_is_recognised_in_noise(prints: Voiceprints) -> None:
    dice = np.random.default_rng(3)
    for call in ("ea", "ouia", "iea"):
        for seat, who in ((1, ANA), (2, BEA)):
            sound = spoken_call(who, call, dice)
            noise = dice.normal(size=len(sound)) * sound.std() * 10 ** (-12 / 20)
            shares = prints.of((sound + noise).astype(np.int16))
            assert np.argmax(shares) + 1 == seat


def test_loudness_does_not_change_the_result(prints: Voiceprints) -> None:
    sound = spoken_call(ANA, "ouia", np.random.default_rng(4))
    assert prints.of(sound // 4) == pytest.approx(prints.of(sound), abs=0.05)


def test_a_stranger_is_less_like_anybody_than_a_player_is_like_himself(
    prints: Voiceprints,
) -> None:
    dice = np.random.default_rng(5)
    own = sum(prints.of(spoken_call(ANA, "ouia", dice)))
    assert sum(prints.of(spoken_call(CARLOS, "ouia", dice))) < own - 0.2


@each_row("length", [0, 100, 600])
def test_too_short_a_sound_is_no_evidence(prints: Voiceprints, length: int) -> None:
    assert prints.of(np.zeros(length, np.int16)) == ()


def test_the_same_recordings_make_the_same_prints(network: Network) -> None:
    dice = np.random.default_rng(6)
    recordings = {seat: [spoken_call(who, "aiao", dice)] for seat, who in ((1, ANA), (2, BEA))}
    sound = spoken_call(BEA, "ea", dice)
    first, second = (Voiceprints.fit(recordings, network).of(sound) for _ in range(2))
    assert first == second


def test_each_finished_player_is_reported(network: Network) -> None:
    dice, done = np.random.default_rng(7), list[int]()
    recordings = {3: [spoken_call(ANA, "ao", dice)], 1: [spoken_call(BEA, "ao", dice)]}
    Voiceprints.fit(recordings, network, on_player=done.append)
    assert done == [1, 3]


def test_an_empty_list_and_silence_cannot_be_enrolled(network: Network) -> None:
    with pytest.raises(EnrolmentError, match="mus enrol"):
        Voiceprints.fit({}, network)
    sound = spoken_call(ANA, "ao", np.random.default_rng(8))
    with pytest.raises(EnrolmentError, match="player 2"):
        Voiceprints.fit({1: [sound], 2: [np.zeros(100, np.int16)]}, network)


def test_features_are_those_of_the_loud_frames(network: Network) -> None:
    sound = spoken_call(ANA, "aiao", np.random.default_rng(9)) / 32768
    traits = listened(sound, network).whole()
    padded = listened(np.pad(sound, 8000), network).between(0.5, 0.5 + len(sound) / RATE)
    assert traits is not None
    assert padded is not None
    assert len(padded.frames) == pytest.approx(len(traits.frames), abs=3)
    assert traits.phones.sum(axis=1) == pytest.approx(np.ones(len(traits.phones)), abs=1e-4)


def test_a_disturbed_copy_still_holds_the_speech() -> None:
    dice = np.random.default_rng(10)
    sound = spoken_call(ANA, "aiao", dice) / 32768
    for _ in range(30):
        copy = disturbed(sound, [sound], dice)
        found = np.correlate(copy, sound, "valid").max() / float(sound @ sound)
        assert len(copy) >= len(sound)
        assert found > 0.9
