"""The ear's own account: of each word the seats it may be, by its sound and by its place."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.ear.audio import RATE, Samples
from assistant.ear.source import BLOCK, Block
from assistant.files.paths import data_dir
from assistant.messages import Heard, Word
from assistant.speakers.network import Network, read_layers
from assistant.speakers.voice_print import Voiceprints
from assistant.speakers.who_spoke import KEPT, WhoSpoke
from tests.speakers.test_speaker import ANA, BEA, CALLS, hiss, said

LENGTH = BLOCK / RATE
BEFORE = 1.0


@pytest.fixture(scope="module")
def prints() -> Voiceprints:
    network = Network(read_layers(data_dir("models") / "mus-es" / "am" / "final.mdl"))
    dice = np.random.default_rng(1)
    recordings = {
        seat: [said(who, call, dice) for call in CALLS] for seat, who in ((1, ANA), (2, BEA))
    }
    return Voiceprints.fit(recordings, network)


def fed(ear: WhoSpoke, sounds: list[Samples], nearest: tuple[int, ...] = ()) -> Heard:
    """Sounds a pause apart, block by block; ``nearest``: the loudest of two channels for each."""
    dice = np.random.default_rng(0)
    rows, words, levels, at = [hiss(round(BEFORE * RATE), dice)], [], [], BEFORE
    for number, sound in enumerate(sounds):
        words.append(Word("paso", at, at + len(sound) / RATE))
        rows += [sound, hiss(RATE // 2, dice)]
        at += len(sound) / RATE + 0.5
        levels.append(nearest[number] if nearest else -1)
    stream = np.concatenate(rows).astype(np.int16)
    for start in range(0, len(stream) - BLOCK + 1, BLOCK):
        end = (start + BLOCK) / RATE
        spoken = [w for w in range(len(words)) if words[w].start < end <= words[w].end + LENGTH]
        loud = levels[spoken[0]] if spoken else -1
        each = tuple(-30.0 if spoken and ch == loud else -60.0 + 20 * bool(spoken) for ch in (0, 1))
        ear.feed(Block(stream[start : start + BLOCK], end, each if nearest else ()))
    return Heard(tuple(words))


def likeliest(heard: Heard, word: Word) -> int:
    return int(np.argmax(heard.voice_of([word]))) + 1


def test_each_word_is_its_speakers(prints: Voiceprints) -> None:
    dice, ear = np.random.default_rng(2), WhoSpoke(2, prints)
    heard = ear.told(fed(ear, [said(ANA, "ouia", dice), said(BEA, "iea", dice)]))
    assert [likeliest(heard, word) for word in heard.words] == [1, 2]


def test_where_nobody_has_enrolled_all_stays_as_it_was() -> None:
    ear = WhoSpoke(4)
    heard = fed(ear, [said(ANA, "ouia", np.random.default_rng(3))])
    assert ear.told(heard) is heard


def test_seat_microphones_tell_who_spoke_without_any_voice() -> None:
    dice, ear = np.random.default_rng(4), WhoSpoke(2, channels={1: 0, 2: 1})
    sounds = [said(ANA, "ouia", dice), said(ANA, "iea", dice)]
    heard = ear.told(fed(ear, sounds, nearest=(1, 0)))
    assert [likeliest(heard, word) for word in heard.words] == [2, 1]


def test_plain_voices_teach_where_they_sit(prints: Voiceprints) -> None:
    dice, ear = np.random.default_rng(5), WhoSpoke(2, prints)
    for _ in range(6):
        ear.told(fed(ear, [said(ANA, "uaeo", dice), said(BEA, "aiao", dice)], nearest=(1, 0)))
    taught = ear._patterns
    assert np.argmax(taught.of(np.array([-10.0, 10.0]))) == 0
    assert np.argmax(taught.of(np.array([10.0, -10.0]))) == 1


def test_what_sounds_like_nobody_may_be_whose_seat_has_not_enrolled(prints: Voiceprints) -> None:
    ear = WhoSpoke(4, prints)
    (voice,) = ear.told(fed(ear, [said(BEA, "iea", np.random.default_rng(6))])).voices
    assert voice.seats[2] == voice.seats[3] > 0
    assert np.argmax(voice.seats) == 1
    assert sum(voice.seats) < 1


def test_a_word_whose_sound_is_gone_is_no_evidence(prints: Voiceprints) -> None:
    ear = WhoSpoke(2, prints)
    heard = fed(ear, [said(ANA, "ouia", np.random.default_rng(7))])
    ear.feed(Block(np.zeros(BLOCK, np.int16), 10 * KEPT))
    assert ear.told(heard) is heard
