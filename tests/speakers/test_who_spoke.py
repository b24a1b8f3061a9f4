"""Who spoke: the voice and the direction of an utterance, and both together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from assistant.ear.audio import RATE, Samples
from assistant.ear.network import Array, Network, read_layers
from assistant.ear.source import BLOCK, Block
from assistant.files.paths import data_dir
from assistant.messages import Heard, Word
from assistant.speakers.voice_print import Voiceprints
from assistant.speakers.who_spoke import (
    ENOUGH,
    EVENED,
    KEPT,
    ChannelLevels,
    SeatPatterns,
    WhoSpoke,
    together,
)
from tests.speakers.test_voice_print import ANA, BEA, CALLS, hiss, spoken_call
from tests.tables import each_row

# ---- The ear's evidence: the probable seats of each word, by its sound and its direction --------


LENGTH = BLOCK / RATE
BEFORE = 1.0


@pytest.fixture(scope="module")
def prints() -> Voiceprints:
    network = Network(read_layers(data_dir("models") / "mus-es" / "am" / "final.mdl"))
    dice = np.random.default_rng(1)
    recordings = {
        seat: [spoken_call(who, call, dice) for call in CALLS] for seat, who in ((1, ANA), (2, BEA))
    }
    return Voiceprints.fit(recordings, network)


def fed(ear: WhoSpoke, sounds: list[Samples], nearest: tuple[int, ...] = ()) -> Heard:
    """Hear these sounds with pauses between them; ``nearest`` is the loudest channel for each."""
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


def test_each_word_goes_to_its_own_speaker(prints: Voiceprints) -> None:
    dice, ear = np.random.default_rng(2), WhoSpoke(2, prints)
    heard = ear.told(fed(ear, [spoken_call(ANA, "ouia", dice), spoken_call(BEA, "iea", dice)]))
    assert [likeliest(heard, word) for word in heard.words] == [1, 2]


def test_without_enrolled_players_there_is_no_evidence() -> None:
    ear = WhoSpoke(4)
    heard = fed(ear, [spoken_call(ANA, "ouia", np.random.default_rng(3))])
    assert ear.told(heard) is heard


def test_seat_microphones_tell_the_speaker_without_any_voiceprint() -> None:
    dice, ear = np.random.default_rng(4), WhoSpoke(2, channels={1: 0, 2: 1})
    sounds = [spoken_call(ANA, "ouia", dice), spoken_call(ANA, "iea", dice)]
    heard = ear.told(fed(ear, sounds, nearest=(1, 0)))
    assert [likeliest(heard, word) for word in heard.words] == [2, 1]


def test_clear_voices_teach_where_they_sit(prints: Voiceprints) -> None:
    dice, ear = np.random.default_rng(5), WhoSpoke(2, prints)
    for _ in range(6):
        ear.told(
            fed(
                ear,
                [spoken_call(ANA, "uaeo", dice), spoken_call(BEA, "aiao", dice)],
                nearest=(1, 0),
            )
        )
    taught = ear._patterns
    assert np.argmax(taught.of(np.array([-10.0, 10.0]))) == 0
    assert np.argmax(taught.of(np.array([10.0, -10.0]))) == 1


def test_a_voice_like_nobodys_may_be_of_a_seat_that_has_not_enrolled(prints: Voiceprints) -> None:
    ear = WhoSpoke(4, prints)
    (voice,) = ear.told(fed(ear, [spoken_call(BEA, "iea", np.random.default_rng(6))])).voices
    assert voice.seats[2] == voice.seats[3] > 0
    assert np.argmax(voice.seats) == 1
    assert sum(voice.seats) < 1


def test_a_word_whose_sound_is_forgotten_is_no_evidence(prints: Voiceprints) -> None:
    ear = WhoSpoke(2, prints)
    heard = fed(ear, [spoken_call(ANA, "ouia", np.random.default_rng(7))])
    ear.feed(Block(np.zeros(BLOCK, np.int16), 10 * KEPT))
    assert ear.told(heard) is heard


def test_a_stream_whose_time_begins_anew_forgets_the_sound_before_it(prints: Voiceprints) -> None:
    dice, ear = np.random.default_rng(8), WhoSpoke(2, prints)
    fed(ear, [spoken_call(ANA, "ouia", dice)])
    fed(ear, [spoken_call(ANA, "ouia", dice)] * 4)
    (voice,) = ear.told(fed(ear, [spoken_call(BEA, "ouia", dice)])).voices
    assert np.argmax(voice.seats) == 1


# ---- Directions: the levels of the channels, known beforehand or learnt -------------------------


QUIET = -60.0
BEFORE_SEATS = {1: 0, 2: 1, 3: 2, 4: 3}


def spoken(levels: tuple[float, ...], noise: float = QUIET) -> ChannelLevels:
    """A second of room noise, half a second of speech, and the room again."""
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


@each_row("seat", [1, 2, 3, 4])
def test_the_speaker_is_the_player_at_the_loudest_microphone(seat: int) -> None:
    shares = SeatPatterns(4, BEFORE_SEATS).of(pattern(nearest(seat)))
    assert np.argmax(shares) + 1 == seat
    assert max(shares) > 0.85
    assert sum(shares) <= 1


def test_a_pattern_of_levels_does_not_depend_on_loudness() -> None:
    quiet = tuple(level - 15 for level in nearest(2))
    assert pattern(nearest(2)) == pytest.approx(pattern(quiet), abs=0.5)


def test_the_noise_of_a_channel_is_no_voice() -> None:
    heard = ChannelLevels()
    for at in range(1, 41):
        heard.feed(at * LENGTH, (-60.0, -30.0))
    assert heard.pattern(1.0, 1.5) is None
    assert np.argmax(pattern(nearest(3), noise=-36.0)) == 2


def test_sound_outside_the_spans_is_ignored() -> None:
    heard = spoken(nearest(2))
    assert heard.pattern(0.1, 0.9) is None
    assert heard.pattern(90.0, 91.0) is None


def test_one_channel_is_no_evidence() -> None:
    heard = ChannelLevels()
    for at in range(1, 41):
        heard.feed(at * LENGTH, (-20.0,))
    assert heard.pattern(1.0, 1.5) is None
    assert SeatPatterns(4, BEFORE_SEATS).of(None) == ()


def test_another_sound_card_starts_afresh() -> None:
    heard = spoken(nearest(2))
    heard.feed(3.0, (-30.0, -60.0))
    assert heard.pattern(1.0, 1.5) is None


def test_levels_of_a_stream_whose_time_begins_anew_start_afresh() -> None:
    heard = spoken(nearest(2))
    heard.feed(LENGTH, nearest(3))
    assert heard.pattern(1.0, 1.5) is None


def array_of_two() -> Iterator[tuple[int, Array]]:
    """Four seats around two microphones; no seat has one of its own."""
    for seat, apart in ((1, -9.0), (2, -3.0), (3, 3.0), (4, 9.0)):
        yield seat, np.array([apart / 2, -apart / 2])


def test_the_seats_around_a_microphone_array_are_learnt_from_known_speakers() -> None:
    patterns = SeatPatterns(4)
    for seat, seen in array_of_two():
        assert patterns.of(seen) == ()
        for _ in range(int(ENOUGH) + 5):
            patterns.learn(seat, seen)
    for seat, seen in array_of_two():
        assert np.argmax(patterns.of(seen)) + 1 == seat


def test_a_weaker_microphone_is_learnt() -> None:
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


def test_a_seat_whose_microphone_is_missing_is_as_likely_as_nobodys() -> None:
    patterns = SeatPatterns(4, BEFORE_SEATS)
    alike = np.array([np.nan, 0.3, -0.6, 0.3])
    shares = patterns.of(alike)
    assert np.argmax(shares) == 0
    assert shares[0] == pytest.approx(1 - sum(shares))
    near_the_second = np.array([np.nan, 3.8, -1.9, -1.9])
    assert patterns.of(near_the_second)[1] > 0.65
    patterns.learn(2, near_the_second)  # it teaches nothing
    assert patterns.of(alike) == shares


def test_a_channel_that_was_missing_in_most_of_a_call_is_left_out() -> None:
    levels = ChannelLevels()
    for at in range(1, 41):
        voice = -30.0 if 20 < at <= 30 else QUIET
        late = float("nan") if at > 24 else QUIET
        levels.feed(at * LENGTH, (voice, QUIET, QUIET, late))
    found = levels.pattern(1.0, 1.5)
    assert found is not None
    assert np.isfinite(found).tolist() == [True, True, True, False]
    assert np.nansum(found) == pytest.approx(0)
    before = levels.pattern(1.0, 1.2)
    assert before is not None
    assert np.isfinite(before).all()


def test_a_doubtful_call_teaches_less() -> None:
    sure, doubtful = SeatPatterns(2), SeatPatterns(2)
    for seat, seen in ((1, np.array([3.0, -3.0])), (2, np.array([-3.0, 3.0]))):
        for _ in range(4):
            sure.learn(seat, seen)
            doubtful.learn(seat, seen, 0.5)
    assert sure.of(np.array([3.0, -3.0]))
    assert doubtful.of(np.array([3.0, -3.0])) == ()


def test_the_directions_of_another_sound_card_are_forgotten() -> None:
    patterns = SeatPatterns(2, {1: 0, 2: 1})
    patterns.learn(1, np.array([3.0, -3.0]))
    patterns.learn(1, np.array([6.0, -2.0, -4.0]))
    assert np.argmax(patterns.of(np.array([-2.0, 6.0, -4.0]))) == 1


def test_a_voice_from_no_seat_is_a_strangers() -> None:
    shares = SeatPatterns(4, BEFORE_SEATS).of(np.array([8.0, 8.0, -8.0, -8.0]))
    assert sum(shares) < 0.5


# ---- Voice and direction are two pieces of evidence for one speaker -----------------------------


def test_voice_and_direction_that_agree_are_more_certain_than_either() -> None:
    assert together((0.7, 0.1, 0.1, 0.05), (0.6, 0.2, 0.1, 0.05))[0] > 0.85


def test_missing_evidence_changes_nothing() -> None:
    assert together((0.7, 0.2), ()) == pytest.approx((0.7, 0.2))
    assert together((), ()) == ()


def test_no_evidence_rules_anybody_out() -> None:
    shares = together((1.0, 0.0), (0.0, 1.0))
    assert shares == pytest.approx((0.5, 0.5), abs=0.01)


def test_who_is_as_loud_in_every_telephone_sits_at_no_seat() -> None:
    telephones = SeatPatterns(4, BEFORE_SEATS, EVENED)
    assert sum(telephones.of(np.array([0.4, -0.3, 0.2, -0.3]))) < 0.25
    for seat in (1, 2, 3, 4):
        own = 4.0 * np.eye(4)[seat - 1]  # a usual player
        assert telephones.of(own - own.mean())[seat - 1] > 0.9


def test_a_seat_without_its_telephone_is_as_likely_as_somebody_behind_the_table() -> None:
    telephones = SeatPatterns(4, BEFORE_SEATS, EVENED)
    shares = telephones.of(np.array([0.4, -0.2, np.nan, -0.2]))
    assert shares[2] == pytest.approx(1 - sum(shares))
    assert shares[2] > 0.4
