"""Voice activity detection: a voice is told from silence, knocks, clinks and a hum."""

import numpy as np
import numpy.typing as npt

from assistant.ear.audio import RATE, Samples, to_int16
from assistant.ear.voice_activity import LEAST, LEEWAY, PERIODIC, WINDOW, PitchedVoice, pitch_at
from tests.ear.conftest import Say
from tests.tables import each_row

SHORTEST = ("no", "sí", "paso", "mus", "dos", "envido", "órdago")


def hiss(seconds: float, level: float = 0.0005) -> npt.NDArray[np.float32]:
    rng = np.random.default_rng(3)
    return np.asarray(rng.standard_normal(round(seconds * RATE)) * level, np.float32)


def burst(tone: float | None, decay: float, at: float, seconds: float = 3.0) -> Samples:
    """Hiss with a knock (no tone) or a clink of three tones in it, which dies away in ``decay``."""
    rng = np.random.default_rng(5)
    sound = hiss(seconds)
    time = np.arange(round(0.4 * RATE)) / RATE
    if tone is None:
        hit = rng.standard_normal(len(time))
    else:
        hit = np.sin(2 * np.pi * tone * np.outer((1, 1.31, 1.83), time)).sum(axis=0)
    hit = hit * np.exp(-time / decay)
    start = round(at * RATE)
    sound[start : start + len(hit)] += np.asarray(0.6 * hit / np.abs(hit).max(), np.float32)
    return to_int16(sound)


def heard(*pieces: Samples, block: int = 800) -> PitchedVoice:
    voice = PitchedVoice()
    sound = np.concatenate(pieces)
    for start in range(0, len(sound), block):
        voice.feed(sound[start : start + block])
    return voice


def test_silence_holds_no_voice() -> None:
    assert heard(np.zeros(3 * RATE, np.int16)).voiced(0.0, 3.0) == 0
    assert heard(to_int16(hiss(3.0))).voiced(0.0, 3.0) == 0
    assert PitchedVoice().voiced(0.0, 1.0) == 0


@each_row("decay", [0.004, 0.02, 0.06])
def test_a_knock_holds_less_voice_than_any_word(decay: float) -> None:
    assert heard(burst(None, decay, at=1.5)).voiced(0.0, 3.0) < LEAST


@each_row("tone", [900.0, 2200.0, 4100.0])
def test_a_clink_holds_less_voice_than_any_word(tone: float) -> None:
    assert heard(burst(tone, 0.08, at=1.5)).voiced(0.0, 3.0) < LEAST


def test_a_hum_is_no_voice_once_the_room_is_known() -> None:
    time = np.arange(12 * RATE) / RATE
    hum = 0.02 * np.sin(2 * np.pi * 150 * time).astype(np.float32) + hiss(12.0)
    assert heard(to_int16(hum)).voiced(8.0, 12.0) < LEAST


@each_row("call", SHORTEST)
def test_a_call_has_a_voice_and_the_pause_before_it_has_none(say: Say, call: str) -> None:
    sound = say(1.0, call, 0.8)
    end = len(sound) / RATE - 0.8
    voice = heard(sound)
    assert voice.voiced(1.0 - LEEWAY, end + LEEWAY) > 2 * LEAST
    assert voice.voiced(0.0, 1.0) == 0


@each_row("call", SHORTEST)
def test_a_low_voice_is_detected(say: Say, call: str) -> None:
    low = to_int16((say(1.0, call, 0.8) / np.float32(32768 * 16)).astype(np.float32))
    assert heard(low).voiced(0.9, 3.0) >= LEAST


def test_the_size_of_the_blocks_does_not_change_the_result(say: Say) -> None:
    sound = say(0.5, "envido", 0.4, "paso", 0.5)
    spans = [(at / 10, at / 10 + 0.3) for at in range(20)]
    whole = heard(sound, block=len(sound))
    for block in (1, 37, 160, 800, 4001):
        parts = heard(sound, block=block)
        assert [parts.voiced(*span) for span in spans] == [whole.voiced(*span) for span in spans]


def test_the_same_sound_gives_the_same_result(say: Say) -> None:
    sound = say(0.5, "no hay mus", 0.5)
    assert heard(sound).voiced(0.0, 2.0) == heard(sound).voiced(0.0, 2.0) > 0


def test_an_empty_block_is_no_error() -> None:
    voice = heard(to_int16(hiss(1.0)))
    voice.feed(np.zeros(0, np.int16))
    assert voice.voiced(0.0, 1.0) == 0


def test_sound_that_is_no_longer_remembered_has_no_voice(say: Say) -> None:
    sound = say(0.5, "envido", 0.5)
    length = len(sound) / RATE
    assert heard(sound).voiced(0.0, length) > 0
    later = heard(sound, np.zeros(25 * RATE, np.int16), sound)
    assert later.voiced(0.0, length) == 0
    assert later.voiced(25.0 + length, 25.0 + 2 * length) > 0


def test_sound_that_was_never_fed_has_no_voice(say: Say) -> None:
    voice = heard(say(0.5, "envido", 0.5))
    assert voice.voiced(30.0, 31.0) == 0
    assert voice.voiced(-3.0, 0.2) == 0


def test_the_strength_of_the_pitch_tells_a_vowel_from_noise() -> None:
    time = np.arange(RATE) / RATE
    for pitch in (75.0, 120.0, 230.0, 390.0):
        vowel = sum(np.sin(2 * np.pi * pitch * n * time) / n for n in range(1, 12))
        sound = to_int16(np.asarray(0.1 * vowel, np.float32))
        assert pitch_at(sound, np.array([RATE // 2])).strength[0] > 0.9
    noise = to_int16(hiss(1.0, level=0.1))
    assert pitch_at(noise, np.arange(WINDOW, RATE, 160)).strength.max() < PERIODIC
    assert pitch_at(noise, np.zeros(0, np.intp)).strength.size == 0


def test_a_tone_above_all_voices_has_no_pitch() -> None:
    time = np.arange(RATE) / RATE
    for tone in (460.0, 620.0, 800.0):
        sound = to_int16(np.asarray(0.1 * np.sin(2 * np.pi * tone * time), np.float32))
        assert pitch_at(sound, np.array([RATE // 2])).strength[0] == 0


def test_noise_that_was_there_before_the_voice_does_not_hide_it(say: Say) -> None:
    """The same sound comes once out of a noisy room and once out of a silent one."""
    call = say("envido")
    spoken = call.astype(np.float64)
    rng = np.random.default_rng(5)
    room = np.convolve(rng.standard_normal(4 * RATE + len(call)), np.ones(12) / 12, "same")
    room *= spoken.std() / room.std() * 0.7
    room[4 * RATE :] += spoken
    sound = np.clip(room, -32768, 32767).astype(np.int16)
    length = len(call) / RATE
    noisy = heard(sound).voiced(4.0, 4.0 + length)
    sudden = heard(np.zeros(4 * RATE, np.int16), sound[4 * RATE :]).voiced(4.0, 4.0 + length)
    assert noisy > sudden
    assert noisy >= LEAST
