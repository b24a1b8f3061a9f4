"""Several channels as one: an array is steered at whoever speaks, other microphones are not."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from assistant.ear.array import HELD_BACK, Beamformer, Channels
from assistant.ear.audio import RATE, Floats

Sound = npt.NDArray[np.float64]

SOUND = 343.0
RING = 0.032 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
"""Metres of four microphones on a ring."""
SEATS = (0.0, 1.6, 3.1, 4.7)
"""Radians from which players speak."""
SECONDS = 40


def arriving(sound: Sound, angle: float, microphones: Sound, rate: int = RATE) -> Sound:
    """A sound from afar at each microphone: shape (samples, microphones)."""
    spectrum = np.fft.rfft(sound)
    turns = -2j * np.pi * np.fft.rfftfreq(len(sound), 1 / rate)
    late = microphones @ -np.array([np.cos(angle), np.sin(angle)]) / SOUND
    return np.stack([np.fft.irfft(spectrum * np.exp(turns * one), len(sound)) for one in late], 1)


def voiced(seconds: float, dice: np.random.Generator) -> Sound:
    """Sound with the spectrum of a voice, more or less."""
    count = round(seconds * RATE)
    hertz = np.fft.rfftfreq(count, 1 / RATE)
    shape = (hertz > 100) * np.minimum(1, 500 / np.maximum(hertz, 1))
    noise = dice.normal(size=len(hertz)) + 1j * dice.normal(size=len(hertz))
    made = np.fft.irfft(noise * shape, count)
    return np.asarray(made / np.sqrt(np.mean(np.square(made))))


@cache
def evening(apart: float = 1, *, snr: float = 6.0) -> tuple[Sound, Sound, list[slice]]:
    """Players' voices, the noise from all around, and where somebody speaks.

    ``apart``: how many times the microphones stand as far apart as those of the ring.
    """
    microphones, dice = RING * apart, np.random.default_rng(3)
    shape = (SECONDS * RATE, len(microphones))
    voices, noise, at = np.zeros(shape), np.zeros(shape), 3 * RATE
    calls: list[slice] = []
    while at < (SECONDS - 2) * RATE:
        seat = SEATS[len(calls) % len(SEATS)]
        call = voiced(dice.uniform(0.5, 0.9), dice)
        calls.append(slice(at, at + len(call)))
        voices[calls[-1]] = arriving(call, seat, microphones)
        at += len(call) + round(dice.uniform(0.6, 1.0) * RATE)
    for angle in np.linspace(0.3, 6.2, 9):
        noise += arriving(voiced(SECONDS, dice), float(angle), microphones)
    noise *= 10 ** (-snr / 20) / np.sqrt(np.mean(np.square(noise[:, 0])))
    noise += dice.normal(size=shape) * 1e-3
    voices, noise = 0.05 * voices, 0.05 * noise
    voices.flags.writeable = noise.flags.writeable = False
    return voices, noise, calls


@cache
def steered() -> tuple[Floats, list[tuple[float, ...]]]:
    """The evening as a ring's array gives it, and the levels of its places at each block."""
    voices, noise, _ = evening()
    sound, channels, block = voices + noise, Channels(4, RATE, steers=True), RATE // 20
    frames = (sound[at : at + block].astype(np.float32) for at in range(0, len(sound), block))
    blocks = [channels.mix(one) for one in frames]
    return np.concatenate([mono for mono, _ in blocks]), [levels for _, levels in blocks]


def mixed(one: Channels | Beamformer, sound: Sound, rate: int = RATE) -> Floats:
    """All of a sound through it, block by block."""
    block = rate // 20
    pieces = []
    for at in range(0, len(sound), block):
        frames = sound[at : at + block].astype(np.float32)
        mono = one.mix(frames)[0] if isinstance(one, Channels) else one.mix(frames, 0)
        assert len(mono) == len(frames)
        pieces.append(mono)
    return np.concatenate(pieces)


def gains(heard: Floats, voices: Sound, noise: Sound, calls: list[slice]) -> list[float]:
    """By how many dB each call stands out more than in one channel."""
    late, found = HELD_BACK * RATE // 100, []
    for call in calls:
        pause = slice(call.stop, call.stop + RATE // 10)  # still steered as in the call
        before = power((voices + noise)[call, 0]) / power(noise[pause, 0]) - 1
        spoken, between = (slice(one.start + late, one.stop + late) for one in (call, pause))
        after = power(heard[spoken]) / power(heard[between]) - 1
        found.append(float(10 * np.log10(after / before)))
    return found


def test_a_voice_stands_out_from_what_comes_from_elsewhere() -> None:
    voices, noise, calls = evening()
    heard, _ = steered()
    assert len(heard) == len(voices)
    found = gains(heard, voices, noise, calls[len(calls) // 2 :])
    assert np.mean(found) > 3
    assert min(found) > 0


def test_the_noise_of_an_array_does_not_come_and_go_as_a_voice_does() -> None:
    _, _, calls = evening()
    heard, _ = steered()
    late = HELD_BACK * RATE // 100
    pauses = [
        heard[at + late : at + late + RATE // 20]
        for call in calls[len(calls) // 2 :]
        for at in range(call.stop + RATE // 10, call.stop + RATE // 2, RATE // 20)
    ]
    assert np.std([10 * np.log10(power(one)) for one in pauses]) < 2


def power(sound: Sound | Floats) -> float:
    return float(np.mean(np.square(sound)))


def test_a_voice_alone_sounds_as_in_its_microphones() -> None:
    voices, noise, calls = evening(snr=40)
    heard = mixed(Channels(4, RATE, steers=True), voices + noise)
    call, late = calls[-1], HELD_BACK * RATE // 100
    found = heard[call.start + late : call.stop + late]
    alike = [np.corrcoef(found, voices[call, at])[0, 1] for at in range(4)]
    assert max(alike) > 0.9
    assert power(found) == pytest.approx(power(voices[call]), rel=0.2)


def test_the_places_of_an_array_tell_who_spoke() -> None:
    voices, noise, calls = evening()
    (_, levels), block = steered(), RATE // 20
    patterns = [
        np.mean([levels[at] for at in range(one.start // block + 2, one.stop // block)], axis=0)
        for one in calls[8:]
    ]
    known = [np.mean(patterns[seat : 8 : len(SEATS)], axis=0) for seat in range(len(SEATS))]
    for number, pattern in enumerate(patterns[8:]):
        off = [np.linalg.norm(pattern - pattern.mean() - one + one.mean()) for one in known]
        assert int(np.argmin(off)) == number % len(SEATS)
    loud = 10 * np.log10(power((voices + noise)[calls[-1]]))
    assert max(patterns[-1]) == pytest.approx(loud, abs=3)


@pytest.mark.parametrize("times", [12, 0], ids=["apart", "one and the same"])
def test_what_is_no_array_is_not_steered_and_not_late(times: int) -> None:
    voices, noise, _ = evening(times)
    channels = Channels(4, RATE, steers=True)
    heard = mixed(channels, voices + noise)
    assert not channels.steered
    best = (voices + noise)[-RATE:].astype(np.float32)
    assert any(np.array_equal(heard[-RATE:], best[:, at]) for at in range(4))


def test_an_array_is_found_among_other_channels_of_its_device() -> None:
    voices, noise, calls = evening()
    sound = voices + noise
    worked_on = np.roll(sound[:, 0], RATE // 50) * np.abs(sound[:, 1]) ** 0.3
    played = np.zeros(len(sound))
    device = np.column_stack([worked_on, sound, played])
    channels = Channels(6, RATE, steers=True)
    heard = mixed(channels, device)
    assert channels.steered
    assert np.mean(gains(heard, voices, noise, calls[-6:])) > 2


def test_an_array_is_steered_only_where_that_was_set() -> None:
    voices, noise, _ = evening()
    sound = voices + noise
    channels = Channels(4, RATE, steers=False)
    heard = mixed(channels, sound)
    assert not channels.steered
    assert any(np.array_equal(heard[:RATE], sound[:RATE, at].astype(np.float32)) for at in range(4))


@pytest.mark.parametrize("rate", [8_000, 11_025, 16_000, 44_100, 48_000])
def test_sound_is_held_back_and_given_whole_at_any_rate(rate: int) -> None:
    sound = np.random.default_rng(1).normal(size=(rate, 2)) * 0.1
    spectrum = np.fft.rfft(sound, axis=0)
    spectrum[np.fft.rfftfreq(rate, 1 / rate) > 6000] = 0
    sound = np.fft.irfft(spectrum, rate, axis=0)
    array = Beamformer(2, rate)
    heard = mixed(array, sound, rate)
    late = HELD_BACK * (rate // 100)
    late += 0 if rate % 100 == 0 else rate // 100
    begun = rate // 10  # where the first frame would have begun, sound is cut off
    np.testing.assert_allclose(heard[late + begun : rate], sound[begun : rate - late, 0], atol=2e-3)
