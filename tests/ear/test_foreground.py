"""Foreground speech: the table's voices are told from talk behind it, faint players included."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.ear.at_table import Front, of_the_table
from assistant.ear.audio import RATE, Samples, to_int16
from assistant.ear.endpoint import Endpoint
from assistant.language.lexicon import UNKNOWN
from assistant.messages import Heard, Word
from tests.ear import wav

BLOCK = RATE // 20
HISS, TALK, CALL, FAINT_CALL = -70.0, -45.0, -20.0, -32.0
"""In dB below full scale."""


def buzz(seconds: float, decibels: float) -> wav.Floats:
    """A sound like a vowel."""
    tones = sum(wav.tone(h, seconds, RATE, 1.0) for h in (180, 400, 700, 1_300, 2_100))
    return np.asarray(tones / 2 * 10 ** (decibels / 20), np.float64)


def syllables(seconds: float, decibels: float, seed: int) -> wav.Floats:
    """Talk that hardly pauses: syllables of uneven loudness with short gaps."""
    dice = np.random.default_rng(seed)
    sound = np.zeros(round(seconds * RATE))
    at = 0
    while at < len(sound):
        said = buzz(dice.uniform(0.08, 0.25), decibels + dice.uniform(-6, 3))
        piece = sound[at : at + len(said)]
        piece += said[: len(piece)]
        at += len(said) + round(dice.uniform(0.02, 0.12) * RATE)
    return sound


def scene(seconds: float, *calls: tuple[float, float, float], talk: float | None = None) -> Samples:
    """A room with calls (start, end, decibels) and, if ``talk`` is given, talk behind them."""
    sound = np.random.default_rng(0).standard_normal(round(seconds * RATE)) * 10 ** (HISS / 20)
    if talk is not None:
        sound += syllables(seconds, talk, seed=1)
    for start, end, decibels in calls:
        said = buzz(end - start, decibels)
        at = round(start * RATE)
        sound[at : at + len(said)] += said[: len(sound) - at]
    return to_int16(sound.astype(np.float32))


def heard(sound: Samples) -> Endpoint:
    """An endpoint that has heard the sound, block by block."""
    endpoint = Endpoint()
    for at in range(0, len(sound), BLOCK):
        endpoint.feed(sound[at : at + BLOCK])
    return endpoint


CALLS = ((4.0, 4.6, CALL), (5.4, 5.9, CALL), (6.8, 7.4, CALL))


def test_the_end_of_a_call_is_found_while_others_go_on_talking() -> None:
    endpoint = heard(scene(8.0, *CALLS, talk=TALK))
    assert endpoint.crowded
    assert endpoint.silence == pytest.approx(0.6, abs=0.15)


def test_a_room_without_talk_is_not_crowded() -> None:
    assert not heard(scene(8.0, *CALLS)).crowded


def test_a_faint_player_among_loud_ones_does_not_make_a_crowd() -> None:
    faint = [(start + 8.0, end + 8.0, FAINT_CALL) for start, end, _ in CALLS]
    endpoint = heard(scene(15.45, *CALLS, *faint))
    assert not endpoint.crowded
    assert endpoint.silence < 0.1


def test_the_table_is_heard_in_its_calls_and_not_in_the_talk_between() -> None:
    endpoint = heard(scene(8.0, *CALLS, talk=TALK))
    assert endpoint.share_in_front(6.8, 7.4) > 0.8
    assert endpoint.share_in_front(6.0, 6.7) < 0.1
    assert endpoint.level(6.8, 7.4) - endpoint.level(6.0, 6.7) > 15


def test_the_remains_of_the_assistants_own_voice_are_not_the_table() -> None:
    sound = scene(9.0, *CALLS, (8.0, 8.6, FAINT_CALL))
    endpoint = Endpoint()
    for at in range(0, len(sound), BLOCK):
        if at == round(7.8 * RATE):
            endpoint.learn([(4.0, 4.6), (4.0, 4.6), (5.4, 5.9), (6.8, 7.4)])
            endpoint.restart()
        endpoint.feed(sound[at : at + BLOCK], cancelled=at >= 7.8 * RATE)
    assert endpoint.share_in_front(8.0, 8.6) < 0.1


@pytest.fixture(scope="module")
def crowded() -> Endpoint:
    """A call from 6.8 to 7.4 s, with talk all around it."""
    return heard(scene(8.0, *CALLS, talk=TALK))


def foreground_words(endpoint: Endpoint, *words: tuple[str, float, float]) -> list[str]:
    """The words that are the table's."""
    heard_words = [Word(text, start, end) for text, start, end in words]
    return [word.text for word in of_the_table(heard_words, 0.0, endpoint)]


def test_unknown_speech_behind_a_call_does_not_veto_it(crowded: Endpoint) -> None:
    assert foreground_words(crowded, ("envido", 6.8, 7.4), (UNKNOWN, 7.45, 7.9)) == ["envido"]


def test_unknown_speech_as_loud_as_the_call_in_its_breath_stays(crowded: Endpoint) -> None:
    assert foreground_words(crowded, ("envido", 6.8, 7.1), (UNKNOWN, 7.1, 7.4)) == [
        "envido",
        UNKNOWN,
    ]


def test_a_word_of_the_game_behind_the_table_is_no_part_of_the_call(crowded: Endpoint) -> None:
    assert foreground_words(crowded, ("dos", 6.5, 6.75), ("envido", 6.8, 7.4)) == ["envido"]


def test_an_utterance_behind_the_table_is_empty(crowded: Endpoint) -> None:
    assert foreground_words(crowded, ("órdago", 6.0, 6.4), ("quiero", 6.4, 6.7)) == []


def test_a_faint_no_is_never_removed_from_a_refusal() -> None:
    faint = (6.6, 6.8, TALK + 8)
    endpoint = heard(scene(8.0, *CALLS, faint, talk=TALK))
    assert foreground_words(endpoint, ("no", 6.6, 6.8), ("quiero", 6.8, 7.4)) == ["no", "quiero"]


def test_in_a_room_without_talk_a_faint_word_is_the_tables() -> None:
    endpoint = heard(scene(8.0, *CALLS, (6.4, 6.75, FAINT_CALL)))
    assert foreground_words(endpoint, ("no", 6.4, 6.75), ("quiero", 6.8, 7.4)) == ["no", "quiero"]


def test_a_voice_far_below_the_usual_level_is_distant() -> None:
    calls = [(1.0 + at, 1.5 + at, CALL) for at in range(5)]
    endpoint = Endpoint()
    sound = scene(8.0, *calls, (7.0, 7.5, CALL - 20))
    endpoint.feed(sound)
    assert endpoint.below_usual(7.0, 7.5) == 0.0, "the level of the table is not known yet"
    endpoint.learn([(start, end) for start, end, _ in calls])
    assert endpoint.below_usual(7.0, 7.5) == pytest.approx(20, abs=3)
    assert endpoint.below_usual(5.0, 5.5) == pytest.approx(0, abs=3)


def test_a_call_timed_from_the_silence_before_it_is_not_distant() -> None:
    far = (15.0, 15.4, CALL - 30)
    endpoint = heard(scene(16.0, *CALLS, (11.0, 11.4, CALL), far))
    endpoint.learn([(start, end) for start, end, _ in (*CALLS, CALLS[-1], CALLS[-1])])
    front, call = Front(endpoint, 0.0), Heard((Word("paso", 8.0, 11.4),))
    assert endpoint.below_usual(8.0, 11.4) > 30, "most of it is silence"
    assert not front.judged(call, 8.0, 11.4).distant
    assert front.judged(call, 12.0, 15.4).distant


def test_before_the_level_of_the_table_is_known_the_assistants_voice_starts_nothing() -> None:
    endpoint = Endpoint()
    sound = scene(3.0, (1.0, 1.6, CALL))
    for at in range(0, len(sound), BLOCK):
        endpoint.feed(sound[at : at + BLOCK], cancelled=True)
    assert not endpoint.begun
