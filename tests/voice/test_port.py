"""The port of voices: settings, the voice without sound, and the queue of sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.voice.port import (
    KEPT,
    NullVoice,
    SaidSentence,
    SentenceQueue,
    Voice,
    VoiceError,
    VoiceSettings,
)
from tests.contracts.voice_contract import VoiceContract
from tests.tables import each_row

# ---- Settings -----------------------------------------------------------------------------------


@each_row("rate", [79, 451])
def test_a_rate_that_nobody_can_follow_is_refused(rate: int) -> None:
    with pytest.raises(VoiceError, match=f"80 to 450 words a minute, not {rate}"):
        VoiceSettings(rate=rate)


@each_row("volume", [-0.1, 1.1, float("nan")])
def test_a_volume_outside_its_range_is_refused(volume: float) -> None:
    with pytest.raises(VoiceError, match="from 0 to 1"):
        VoiceSettings(volume=volume)


# ---- The voice without sound --------------------------------------------------------------------


class TestNullVoice(VoiceContract):
    def make(self) -> Voice:
        return NullVoice()

    def spoken_by(self, voice: Voice) -> list[str]:
        assert isinstance(voice, NullVoice)
        return [said.text for said in voice.said]


def test_a_null_voice_keeps_each_sentence_with_its_seq() -> None:
    voice = NullVoice()
    voice.say("Órdago.", seq=7, urgent=True)
    assert voice.said == [SaidSentence("Órdago.", 7, urgent=True)]


def test_a_null_voice_forgets_its_oldest_sentences() -> None:
    voice = NullVoice()
    for seq in range(KEPT + 5):
        voice.say("Paso.", seq=seq)
    assert [voice.said[0].seq, voice.said[-1].seq] == [5, KEPT + 4]


# ---- The queue: which sentences are overtaken by newer ones -------------------------------------


def sentence_of(seq: int, urgent: bool = False) -> SaidSentence:
    return SaidSentence(f"sentence of {seq}", seq, urgent)


def all_of(waiting: SentenceQueue) -> list[SaidSentence]:
    found = []
    while (sentence := waiting.take()) is not None:
        found.append(sentence)
    return found


def test_a_newer_sentence_overtakes_the_waiting_ones() -> None:
    waiting = SentenceQueue(room=8)
    assert waiting.put(sentence_of(1)) == []
    assert waiting.put(sentence_of(3)) == [sentence_of(1)]
    assert all_of(waiting) == [sentence_of(3)]


def test_sentences_of_one_event_do_not_overtake_each_other() -> None:
    waiting = SentenceQueue(room=8)
    for sentence in (sentence_of(1), sentence_of(2), sentence_of(2)):
        waiting.put(sentence)
    assert all_of(waiting) == [sentence_of(2), sentence_of(2)]


def test_no_sentence_overtakes_an_urgent_one() -> None:
    waiting = SentenceQueue(room=8)
    for sentence in (sentence_of(1, urgent=True), sentence_of(2), sentence_of(3)):
        waiting.put(sentence)
    assert all_of(waiting) == [sentence_of(1, urgent=True), sentence_of(3)]


def test_a_full_queue_drops_its_oldest_sentence_that_is_not_urgent() -> None:
    waiting = SentenceQueue(room=2)
    waiting.put(sentence_of(1, urgent=True))
    waiting.put(sentence_of(2))
    assert waiting.put(sentence_of(2, urgent=True)) == [sentence_of(2)]
    assert waiting.put(sentence_of(3, urgent=True)) == [sentence_of(1, urgent=True)]


def test_a_forgotten_sentence_is_not_spoken() -> None:
    waiting = SentenceQueue(room=2)
    waiting.put(sentence_of(1))
    waiting.clear()
    assert waiting.take() is None
    assert len(waiting) == 0


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans())), st.integers(1, 5))
def test_every_sentence_waits_or_is_overtaken_and_never_both(
    sentences: list[tuple[int, bool]], room: int
) -> None:
    waiting = SentenceQueue(room)
    overtaken: list[SaidSentence] = []
    given_in = [SaidSentence(str(i), seq, urgent) for i, (seq, urgent) in enumerate(sentences)]
    for sentence in given_in:
        overtaken += waiting.put(sentence)
        assert len(waiting) <= room
    left = all_of(waiting)
    assert sorted(overtaken + left, key=lambda s: int(s.text)) == given_in
    assert left == sorted(left, key=lambda s: int(s.text))
    assert left[-1:] == given_in[-1:] or (room < len(given_in) and left[-1].urgent)
